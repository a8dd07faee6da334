"""What coding agents run: a briefing when a session starts, a guard before a tool is called, and their installation."""
