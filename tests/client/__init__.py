"""The tests of the Python client, against a small real HTTP server that answers as it is told."""
