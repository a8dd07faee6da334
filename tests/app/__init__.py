"""The app floor."""
