"""Matching, sentence by sentence of its contract, and as properties."""
