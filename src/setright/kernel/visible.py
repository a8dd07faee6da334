"""What of a text can be seen: words of others as data on one line."""

import re
from unicodedata import category

_PLAIN = re.compile("[A-Za-z0-9 ,;:.'\"()/%?!&=@$^|{}\u00c0-\u017f-]*\\Z")
_SPACES = re.compile(r"\s+")


def visible(text: str) -> str:
    """A text on one line without control, bidi and zero-width characters, which nobody sees; white space is spaces."""
    if _PLAIN.match(text):
        return text
    seen = (" " if one in "\t\n\r\v\f\x85\u2028\u2029" else one for one in text)
    return "".join(one for one in seen if category(one) not in ("Cc", "Cf"))


def one_line(text: str, most: int) -> str:
    """A text as data on one line, cut at `most` characters."""
    line = _SPACES.sub(" ", visible(text)).strip()
    return line if len(line) <= most else line[: most - 1].rstrip() + "\u2026"
