"""Tests of the runner of test runs."""
