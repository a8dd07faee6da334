"""The HTTP face, held against the contract on both engines."""
