"""The words of a rule: which two rules say the same, whatever their case, spaces, quotes and last full stop."""

import hashlib
import re
from unicodedata import category, normalize

RULE = 500
"""How many characters a rule may have."""

_LINE_BREAK = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_QUOTES = re.compile(
    "[\"'`\u00b4\u00ab\u00bb\u2018-\u201f\u2032-\u2037\u2039\u203a\u275b-\u275e\u300c-\u300f]+"
)
_END = re.compile("(?<=[^\\s.!?\u2026\u3002;:,])[.!?\u2026\u3002;:,]+$")


def has_line_break(text: str) -> bool:
    """Whether a text is more than one line, for any program that might show it."""
    return _LINE_BREAK.search(text) is not None


def is_blank(text: str) -> bool:
    """Whether nothing of a text can be seen."""
    return all(character.isspace() or category(character) in ("Cf", "Cc") for character in text)


def fold(rule: str) -> str:
    """A rule without what does not count when two are compared: form, case, white space, quotes, the last full stop.

    Every kind of quote is one kind, and quotes around the whole are none.
    """
    seen = "".join(one for one in normalize("NFKC", rule) if category(one) != "Cf")
    plain = " ".join(_QUOTES.sub("'", normalize("NFKC", seen.casefold())).split())
    before = None
    while before != plain:
        before, plain = plain, _END.sub("", plain.strip("' "))
    return plain


def key_of(rule: str) -> str:
    """What two rules have in common that say the same: a hash, so that a long rule is looked up as fast as a short one."""
    return hashlib.sha256((fold(rule) or rule).encode()).hexdigest()
