"""The HTTP face: one pipeline for every route, from the raw request to the bytes of the answer."""
