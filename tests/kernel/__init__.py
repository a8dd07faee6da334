"""The kernel's few words."""
