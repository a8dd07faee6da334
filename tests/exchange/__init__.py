"""Foreign formats: what is read of a file, and what is told of the rest."""
