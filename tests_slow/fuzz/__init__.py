"""Requests made from the OpenAPI document, against the real server."""
