"""The events room."""
