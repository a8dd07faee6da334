"""Tests of the identity room."""
