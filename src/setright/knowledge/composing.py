"""The summary of an artifact: its facts in sentences that each cite what they say, competing readings side by side; pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from setright.kernel.visible import one_line
from setright.knowledge.citing import Citation, Citations, Fact, shown, summary_of
from setright.knowledge.folding import fold, words
from setright.knowledge.lifecycle import place_among

MOST_LINES = 60
"""How many lines a summary goes through; it says how to ask for others."""
FIELDS = (
    "title",
    "genre",
    "period",
    "language",
    "translation",
    "reading",
    "lemma",
    "sense",
    "pos",
    "note",
)
FIELD_NAMES = {"pos": "part of speech"}
_APART = re.compile(r"[\s,;]+")
_RANGE = re.compile(r"(.+\..+?)(?:\u2013|--|-)((?:[a-z]+[0-9]*\.).+)")
_PRIMES = str.maketrans("\u2019\u2032`\u02b9", "''''")


@dataclass(frozen=True, slots=True)
class PassageLine:
    """A line of an artifact as a summary needs it: its target and its text as written."""

    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Composed:
    """An answer: its sentences as one text, what they cite, and the lines it goes through of all there are."""

    summary: str
    citations: tuple[Citation, ...]
    lines: tuple[PassageLine, ...]
    lines_in_all: int
    more: str | None = None


@dataclass(frozen=True, slots=True)
class Focus:
    """What a summary is to look at: lines, stretches of lines, and folded words; `key` is the same for the same wish."""

    targets: frozenset[str] = frozenset()
    stretches: frozenset[tuple[str, str]] = frozenset()
    words: frozenset[str] = frozenset()
    key: str = field(default="", compare=False)


def focus_of(text: str) -> Focus:
    """What somebody wrote as focus; a piece that is the target of a line is one only where the artifact has that line."""
    pieces = [piece.casefold().translate(_PRIMES) for piece in _APART.split(text) if piece]
    stretches = {(at[1], at[2]) for at in map(_RANGE.fullmatch, pieces) if at}
    targets = {piece for piece in pieces if "." in piece and not _RANGE.fullmatch(piece)}
    found = frozenset(word for piece in pieces for word in fold(piece).split())
    key = " ".join(sorted(set(pieces)))
    return Focus(frozenset(targets), frozenset(stretches), found, key)


def compose(
    artifact_id: str, facts: Sequence[Fact], lines: Sequence[PassageLine], focus: Focus | None = None
) -> Composed:
    """The summary of an artifact: what is known of it as a whole, then line by line, the first 60 lines in the focus."""
    asked = focus or Focus()
    by_line: dict[str, list[Fact]] = {}
    for fact in facts:
        by_line.setdefault(fact.line, []).append(fact)
    wanted = [line for line in _chosen(asked, lines, by_line) if line.target in by_line]
    told, left = wanted[:MOST_LINES], wanted[MOST_LINES:]
    citations = Citations()
    sentences = list(_sentences(artifact_id, by_line.get("", ()), citations))
    for line in told:
        sentences += _sentences(artifact_id, by_line[line.target], citations)
    more = f"{left[0].target}--{left[-1].target}" if left else None
    summary = summary_of(sentences, citations.all)
    return Composed(summary, citations.all, tuple(told), len(lines), more)


def ranked(facts: Iterable[Fact]) -> list[Fact]:
    """Competing facts in the order in which they are told.

    Accepted ones, corrections with the newest first, the rest by confidence and then age, rejected ones last.
    """
    return sorted(facts, key=_rank)


def by_field(facts: Iterable[Fact]) -> Mapping[str, list[Fact]]:
    """The facts about one target, ranked within each field; fields in the order in which they are told."""
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        found.setdefault(fact.field, []).append(fact)
    order = sorted(found, key=lambda name: (FIELDS.index(name) if name in FIELDS else len(FIELDS), name))
    return {name: ranked(found[name]) for name in order}


def held(competing: Sequence[Fact], citations: Citations) -> str:
    """All that is held of one target and field in words: values that differ side by side, never merged.

    Beside another value, and where it is not plain, each says who holds it, on which grounds, and its standing. Notes
    compete with one another only where somebody contested one.
    """
    values = by_value(competing)
    notes = all(fact.field == "note" and fact.standing == "plain" for fact in competing)
    beside = len(values) > 1 and not notes
    told = (said(facts, citations, beside=beside) for facts in values.values())
    return (" and " if notes else " or ").join(told)


def said(facts: Sequence[Fact], citations: Citations, *, beside: bool) -> str:
    """One value in words, with a citation for each who holds it."""
    told = f"\u201c{shown(facts[0].value)}\u201d"
    for fact in facts:
        of_it = _provenance(fact) if beside or fact.standing != "plain" else []
        if fact.extent:
            of_it.insert(0, shown(fact.extent))
        behind = f" ({'; '.join(of_it)})" if of_it else ""
        told += f"{behind} [{citations.cite(fact)}]"
    return told


def by_value(competing: Iterable[Fact]) -> Mapping[str, list[Fact]]:
    """Ranked facts of one target and field by what they say, in the order of the first of each."""
    found: dict[str, list[Fact]] = {}
    for fact in competing:
        found.setdefault(fact.value, []).append(fact)
    return found


def named(name: str) -> str:
    """A field as sentences call it."""
    return FIELD_NAMES.get(name, name)


def _chosen(
    focus: Focus, lines: Sequence[PassageLine], by_line: Mapping[str, Sequence[Fact]]
) -> list[PassageLine]:
    """The lines that a focus names, by target, by stretch or by words; without a focus all of them."""
    if not (focus.targets or focus.stretches or focus.words):
        return list(lines)
    places = {line.target.casefold(): place for place, line in enumerate(lines)}
    picked = {places[target] for target in focus.targets if target in places}
    for first, last in focus.stretches:
        if first in places and last in places:
            picked.update(range(places[first], places[last] + 1))
    if not picked:
        picked = {
            place
            for place, line in enumerate(lines)
            if focus.words & _words_at(line, by_line.get(line.target, ()))
        }
    return [line for place, line in enumerate(lines) if place in picked]


def _words_at(line: PassageLine, facts: Sequence[Fact]) -> set[str]:
    return {word for text in (line.text, *(fact.value for fact in facts)) for word in words(text)}


def _sentences(artifact_id: str, facts: Sequence[Fact], citations: Citations) -> Iterable[str]:
    """A sentence for each target of these facts, in the order of the text."""
    by_target: dict[tuple[int, str], list[Fact]] = {}
    for fact in facts:
        by_target.setdefault((fact.position, fact.target), []).append(fact)
    for (_, target), about in sorted(by_target.items()):
        fields = by_field(about)
        parts = [f"{named(name)} {held(found, citations)}" for name, found in fields.items()]
        yield f"{shown(target or one_line(artifact_id, 200))}: {'; '.join(parts)}."


def _provenance(fact: Fact) -> list[str]:
    """Its standing, who said it, on which grounds."""
    standing = fact.standing if fact.standing in ("correction", "accepted", "rejected") else ""
    who = f" by {shown(fact.decided_by)}" if standing and fact.decided_by else ""
    because = f" because \u201c{shown(fact.decided)}\u201d" if standing and fact.decided else ""
    told = [f"{standing}{who}{because}"] if standing else []
    told.append(f"by {shown(fact.scholar)}" if fact.scholar else f"from {shown(fact.source)}")
    if fact.evidence:
        told.append(f"evidence: \u201c{shown(fact.evidence)}\u201d")
    return told


def _rank(fact: Fact) -> tuple[float, float, int, str]:
    return place_among(fact.standing, fact.confidence, fact.made, fact.annotation_id)
