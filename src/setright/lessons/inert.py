"""Words made inert for a place that agents read: what cannot be seen left out, what would be markup escaped, and back."""

import re
from functools import lru_cache
from typing import Literal

from setright.kernel.visible import visible

FormWord = Literal["markdown", "text"]

_FIRST = re.compile(r"(\s*)(?:([#+*~-])|([0-9]+)([.)]))")
_SPECIAL = re.compile(r"[\\`<>\[\]]|(?<=<)!")
_ESCAPED = re.compile(r"\\(.)")
_FENCES = re.compile(r"(?:\\*`){3,}|(?:\\*~){3,}")
_FENCE_MARK = re.compile(r"(\\*)([`~])")
_COMMENT = re.compile(r"<(\\*)!--")


@lru_cache(maxsize=8192)
def inert(text: str, form: FormWord) -> str:
    """The visible words of a text as they can stand in markdown, or in plain text, without being read as markup.

    `words` gives them back.
    """
    seen = visible(text)
    if form == "text":
        return _COMMENT.sub(lambda at: f"<{_odd(at[1])}!--", _FENCES.sub(_broken, seen))
    escaped = _SPECIAL.sub(r"\\\g<0>", seen)
    return _FIRST.sub(_first, escaped, count=1) if _FIRST.match(escaped) else escaped


def words(shown: str, form: FormWord) -> str:
    """The words in what `inert` made of them."""
    if form == "markdown":
        return _ESCAPED.sub(r"\1", shown)
    whole = _COMMENT.sub(lambda at: f"<{_half(at[1])}!--", shown)
    return _FENCES.sub(lambda at: _FENCE_MARK.sub(lambda mark: _half(mark[1]) + mark[2], at[0]), whole)


def _first(at: re.Match[str]) -> str:
    """A mark at the beginning that would make a heading, a list or a fence of the line."""
    space, mark, digits, end = at[1], at[2], at[3], at[4]
    return f"{space}\\{mark}" if mark else f"{space}{digits}\\{end}"


def _broken(at: re.Match[str]) -> str:
    """Three marks in a row or more, each behind a backslash; backslashes that stood there are doubled."""
    return _FENCE_MARK.sub(lambda mark: _odd(mark[1]) + mark[2], at[0])


def _odd(backslashes: str) -> str:
    return backslashes * 2 + "\\"


def _half(backslashes: str) -> str:
    return backslashes[: len(backslashes) // 2]
