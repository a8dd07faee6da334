"""Which version of the schema this code needs, known without loading the migration tool."""

HEAD = "0003"
KNOWN = ("0001", "0002", "0003")
