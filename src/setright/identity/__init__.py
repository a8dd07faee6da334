"""The identity room."""
