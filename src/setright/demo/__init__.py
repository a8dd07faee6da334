"""The demo: a server of its own, and the story of one correction played through the real HTTP API."""
