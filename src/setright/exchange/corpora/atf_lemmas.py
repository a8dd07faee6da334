"""What a `#lem` line of ATF says of the words of its line, entry by entry."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from setright.exchange.corpora.atf_words import Word

_NOTHING = {"u", "x", "X", "L", "M", ""}
_EXTRAS = {"+.", "-.", ".", "+", "-", "+-"}
_PREFIX = re.compile(r"(?:@[\w/-]+)?%[\w/-]+:")
_BARE_POS = re.compile(r"[A-Z]{1,4}")
_PART_OF_SPEECH = r"[A-Z]*(?:/[it](?![^/#$+*\\' ]))?"
_PARTS_OF_SPEECH = re.compile(rf"(?P<pos>{_PART_OF_SPEECH})(?:'(?P<meant>{_PART_OF_SPEECH}))?")
_NORM = re.compile(r"\$(?P<norm>[^#/\\+*]*)")


@dataclass(frozen=True, slots=True)
class Lemma:
    """What one alternative of an entry says of its word; what it does not say is empty."""

    reading: str = ""
    lemma: str = ""
    sense: str = ""
    pos: str = ""

    def said(self) -> Iterator[tuple[str, str]]:
        """Field and value of everything that it says."""
        fields = (("reading", self.reading), ("lemma", self.lemma), ("sense", self.sense), ("pos", self.pos))
        return ((field, value) for field, value in fields if value)


def entries(text: str) -> list[str]:
    """The entries of a line, which semicolons outside of square brackets divide; empty ones at the end are none."""
    found = [entry.strip() for entry in _divided(text, ";")]
    while found and not found[-1]:
        found.pop()
    return found


def _divided(text: str, divider: str) -> list[str]:
    """The parts between dividers that stand in no square brackets; brackets that are not closed divide nothing."""
    if text.count("[") != text.count("]"):
        return text.split(divider)
    parts: list[str] = []
    depth = begins = 0
    for at, sign in enumerate(text):
        depth += (sign == "[") - (sign == "]")
        if sign == divider and depth <= 0:
            parts.append(text[begins:at])
            begins = at + 1
    return [*parts, text[begins:]]


def lemmas(entry: str) -> list[Lemma] | None:
    """The alternatives of an entry, none if it says nothing; None when it is no entry of this form.

    An entry is `cf[gw//sense]POS'EPOS$norm`: citation form, guide word, the sense meant here, the part of speech of the
    dictionary and the one meant here, the normalised form. The guide word of a name is a number and no sense. A short entry (`šarri[king]N`) has one form for both. `&` ties
    the parts of one written word, `|` stands between alternatives; `n` is a number, and `u`, `x`, `X`, `L`, `M` say nothing
    that could be kept. The facts are from the lemmatisation documentation of Oracc.
    """
    entry = _without_extras(entry)
    if entry in _NOTHING:
        return []
    if entry == "n" or _BARE_POS.fullmatch(entry):
        return [Lemma(pos=entry)]
    found = [_alternative(part) for part in _divided(entry, "|")]
    whole = [one for one in found if one is not None]
    return whole if len(whole) == len(found) else None


def _without_extras(text: str) -> str:
    """An entry without what ends a sentence, or tells one meaning from another, behind it."""
    parts = text.split()
    while len(parts) > 1 and (parts[-1] in _EXTRAS or parts[-1].startswith("\\")):
        parts.pop()
    return " ".join(parts)


def _alternative(text: str) -> Lemma | None:
    """A lemma; of one whose word is made of several the values stand side by side."""
    parts = [_part(part) for part in _divided(text, "&")]
    found = [part for part in parts if part is not None]
    if len(found) != len(parts):
        return None
    if len(found) == 1:
        return found[0]
    return Lemma(
        " ".join(part.reading for part in found if part.reading),
        *(" & ".join(filter(None, values)) for values in zip(*map(_besides_reading, found), strict=True)),
    )


def _besides_reading(part: Lemma) -> tuple[str, str, str]:
    return part.lemma, part.sense, part.pos


def _part(text: str) -> Lemma | None:
    text = _without_extras(text)
    prefix = _PREFIX.match(text)
    text = text[prefix.end() if prefix else 0 :].lstrip("+-!*?~ ")
    head, opened, rest = text.partition("[")
    meaning, closed, tail = rest.rpartition("]")
    if not (opened and closed and head.strip()):
        return Lemma(pos=text) if _BARE_POS.fullmatch(text) else None
    guide, _, sense = meaning.partition("//")
    if not sense.strip():
        guide, _, sense = meaning.partition("+=")
    said = _PARTS_OF_SPEECH.match(tail.strip())
    pos, meant = (said["pos"], said["meant"]) if said else ("", None)
    norm = _NORM.search(tail)
    lemma = head.strip()
    return Lemma(
        reading=(norm["norm"].strip() if norm else "") or lemma,
        lemma=lemma,
        sense="" if (meant_here := (sense.strip() or guide.strip())).isdigit() else meant_here,
        pos=f"{pos}'{meant}" if pos and meant else pos or meant or "",
    )


def placed(found: Sequence[Word], count: int) -> list[int] | None:
    """On which of a line's words its entries stand, by their place among all; None when the counts do not meet.

    Most count the words of glosses and none that are excised; some count otherwise, and the count tells how.
    """
    for glosses, excised in ((True, False), (True, True), (False, False), (False, True)):
        counted = [
            at
            for at, word in enumerate(found)
            if (glosses or not word.gloss) and (excised or not word.excised)
        ]
        if len(counted) == count:
            return counted
    return None
