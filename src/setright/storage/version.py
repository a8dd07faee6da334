"""Which version of the schema this code needs, known without loading the migration tool."""

HEAD = "0001"
KNOWN = ("0001",)
