"""Tests of what users' own tests are given."""
