"""The corrections room."""
