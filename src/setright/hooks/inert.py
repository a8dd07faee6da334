"""Words of a rule made harmless for a terminal and for whoever reads a text."""

import unicodedata

_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_OPENERS = ("```", "~~~", "<!--", "-->")


def inert(text: str) -> str:
    """The text as one line without what is not seen, and without an opener of a fence or a comment."""
    line = " ".join(text.split())
    if not line.isascii() or not line.isprintable():
        line = "".join(char for char in line if unicodedata.category(char) not in _UNSEEN)
    for opener in _OPENERS:
        line = line.replace(opener, "\\".join(opener))
    return line
