"""What the tests of every room stand on: real databases, callers and a clock."""
