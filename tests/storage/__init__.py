"""The storage floor."""
