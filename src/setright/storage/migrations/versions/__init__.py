"""The migrations, one module each, named by number and by when they run (pre or post)."""
