"""Tests of the reviews room."""
