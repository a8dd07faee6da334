"""The table of routes, one module for each kind of thing."""
