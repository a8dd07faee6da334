"""Texts as people write them: folded, cut into tokens, and read as numbers or JSON."""

import json
import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple
from unicodedata import category, normalize

from setright.matching.values import MISSING

# Thousands are separated by a comma, an apostrophe, or one of the spaces that keep a number together.
_THOUSANDS = re.compile(
    r"(?<![\w.])(?<!\d[,'\u2019])[1-9]\d{0,2}(?:[,'\u2019\u00a0\u2009\u202f]\d{3})+(?![,'\u2019]?\d)",
    re.ASCII,
)
_SEPARATOR = re.compile("[,'\u2019\u00a0\u2009\u202f]")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?\Z", re.ASCII)
_BETWEEN = re.compile(r"<[/a-zA-Z][^<>]*>|[\s()\[\]{}|\u2014\u2015\u27e8\u27e9\u3008-\u3011\u3014\u3015]+")
_PLAIN = str.maketrans({"\u2018": "'", "\u2019": "'", "\u2212": "-"})
_FENCE = re.compile(r"\s*```[a-zA-Z]*\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)


def folded(text: str) -> str:
    """A text after NFKC, with every run of white space one space and none at its ends."""
    return " ".join(normalize("NFKC", text).split())


def _without_thousands(text: str) -> str:
    """A text in which `1,400` is written `1400`, and other numbers stand as they are."""
    return _THOUSANDS.sub(lambda found: _SEPARATOR.sub("", found[0]), text)


class Token(NamedTuple):
    """A token, as it stands between spaces and punctuation, and without the sign of a currency."""

    text: str
    plain: str


def tokens(text: str) -> list[Token]:
    """The tokens of a text, after NFKC and without case: between spaces, brackets and punctuation at their ends.

    What makes another number of a number stays with it: a minus sign, a percent or degree sign.
    """
    plain = normalize("NFKC", normalize("NFKC", _without_thousands(text)).casefold()).translate(_PLAIN)
    trimmed = map(_trimmed, _BETWEEN.split(plain))
    return [Token(token, _without_currency(token)) for token in trimmed if token]


def _trimmed(piece: str) -> str:
    start, end = 0, len(piece)
    while start < end and _is_mark(piece[start]) and not _is_minus(piece, start):
        start += 1
    while start < end and _is_mark(piece[end - 1]) and piece[end - 1] not in "%‰#":
        end -= 1
    if piece[start:end].startswith("+") and piece[start + 1 : start + 2].isdigit():
        start += 1
    return piece[start:end]


def _is_mark(character: str) -> bool:
    return category(character)[0] == "P" or character == "`"


def _is_minus(piece: str, place: int) -> bool:
    following = piece[place + 1 : place + 2]
    return piece[place] == "-" and (following.isdigit() or _is_currency(following))


def _is_currency(character: str) -> bool:
    return character != "" and category(character) == "Sc"


def _without_currency(token: str) -> str:
    sign = "-" if token.startswith("-") else ""
    rest = token.removeprefix("-")
    if _is_currency(rest[:1]):
        rest = rest[1:]
    elif _is_currency(rest[-1:]):
        rest = rest[:-1]
    else:
        return token
    return sign + rest


def occurs(value: str, text: Sequence[Token]) -> bool:
    """Whether the tokens of a value stand in a text one after another; a value without tokens occurs nowhere.

    `14` occurs in `$14`, while `$14` occurs only where the currency stands too.
    """
    wanted = [token.text for token in tokens(value)]
    return bool(wanted) and any(
        all(one in two for one, two in zip(wanted, text[start : start + len(wanted)], strict=True))
        for start in range(len(text) - len(wanted) + 1)
    )


def number_in(text: str) -> Decimal | None:
    """The number that a text is, thousands separators allowed (`1,400` is 1400); None when it is no number."""
    plain = normalize("NFKC", _without_thousands(text)).translate(_PLAIN).strip()
    return Decimal(plain) if _NUMBER.match(plain) else None


def json_in(text: str) -> Any:
    """The JSON value that a text is, also as one block of code; `MISSING` when it is none, or a name stands twice."""
    block = _FENCE.match(text)
    try:
        return json.loads(
            block[1] if block else text,
            parse_float=_finite,
            parse_constant=_finite,
            object_pairs_hook=_object,
        )
    except (ValueError, RecursionError):
        return MISSING


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found
