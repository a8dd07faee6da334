"""The instruments that others made for MCP servers, on ours: the official suite, the inspector, and a linter."""
