"""The MCP face: tools, resources and prompts for assistants, over stdio and over HTTP at /mcp."""
