"""Suites that take minutes: `./dev crash` and `./dev fuzz`."""
