"""Many callers at once, over real HTTP on both engines."""
