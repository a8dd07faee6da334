"""Numbers as people write them in an answer."""

import re

_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?\Z", re.ASCII)


def number_in(text: str) -> float | None:
    """The number that a text is, thousands separators allowed (`1,400` is 1400.0); None when it is no number."""
    stripped = text.strip()
    if not _NUMBER.match(stripped):
        return None
    number = float(stripped.replace(",", ""))
    return number if abs(number) != float("inf") else None
