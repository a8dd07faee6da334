"""The streams of a hook: in UTF-8, as every coding agent reads and writes them, whatever the system's own encoding is."""

import sys
from io import TextIOWrapper


def in_utf8() -> None:
    """Write UTF-8 from now on; on some systems a rule in another alphabet could not be told otherwise."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
