"""The subjects room."""
