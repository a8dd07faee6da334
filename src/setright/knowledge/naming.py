"""Which of the annotations that an answer cited a claim about the answer names; pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from unicodedata import category, normalize

_APART = re.compile(r"[\s()\[\]{}<>\u2e22-\u2e25\u27e8\u27e9\u2039\u203a\u00ab\u00bb]+")


@dataclass(frozen=True, slots=True)
class Cited:
    """A cited annotation: its id, its value, and the form of the word that it speaks of, if it speaks of one."""

    id: str
    value: str
    form: str | None = None


def named(claim: str, correction: str, cited: Sequence[Cited]) -> list[str]:
    """The ids of the cited annotations that a claim names, by the first of these ways that finds any.

    The value stands in the claim and not in the correction; it stands in the claim; the claim is a part of it; the form
    of the word stands in the claim. A value that is the word's own form counts as a form.
    """
    said, right = tokens(claim), tokens(correction)
    ways: tuple[Callable[[Cited], bool], ...] = (
        lambda one: (
            _is_own(one) and _stands(tokens(one.value), said) and not _stands(tokens(one.value), right)
        ),
        lambda one: _is_own(one) and _stands(tokens(one.value), said),
        lambda one: _is_own(one) and _stands(said, tokens(one.value)),
        lambda one: one.form is not None and _stands(tokens(one.form), said),
    )
    for way in ways:
        found = [one.id for one in cited if way(one)]
        if found:
            return found
    return []


def tokens(text: str) -> tuple[str, ...]:
    """The words of a text: between spaces and brackets, without punctuation at their ends.

    Hyphens and indices stay, and low figures are figures. Small and capital letters are one, but in a word of one letter.
    """
    parts = (_bare(part) for part in _APART.split(normalize("NFKC", text)))
    return tuple(part.casefold() if len(part) > 1 else part for part in parts if part)


def _bare(part: str) -> str:
    first, last = 0, len(part)
    while first < last and _is_punctuation(part[first]):
        first += 1
    while last > first and _is_punctuation(part[last - 1]):
        last -= 1
    return part[first:last]


def _is_punctuation(character: str) -> bool:
    return character != "-" and category(character)[0] == "P"


def _is_own(one: Cited) -> bool:
    """Whether the value is something else than the form of its word."""
    return one.form is None or tokens(one.value) != tokens(one.form)


def _stands(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether some words stand in others, one behind the other; no words stand nowhere."""
    size = len(few)
    return size > 0 and any(
        tuple(many[place : place + size]) == tuple(few) for place in range(len(many) - size + 1)
    )
