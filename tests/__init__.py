"""The tests of Setright."""
