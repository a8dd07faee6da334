"""One call from start to commit, the catalogue of what can be called, and the assembly of it all."""
