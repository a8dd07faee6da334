"""How things look on the wire: for each its model for the document, its shape and its sample, in one module."""
