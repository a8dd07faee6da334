"""What a word is taken to be: from its form over reading and lemma to its sense, competing readings as hypotheses; pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from setright.knowledge.citing import Citation, Citations, Fact, shown, summary_of
from setright.knowledge.composing import by_field, by_value, held, named, said

CHAIN = ("reading", "lemma", "sense", "pos")
"""The way from what is written to what is meant."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One of several values that are held of one field of a word, and the number of its citation."""

    n: int
    fact: Fact


@dataclass(frozen=True, slots=True)
class Interpretation:
    """An interpretation: sentences, citations, the best value of each step, and the fields on which opinions differ."""

    summary: str
    citations: tuple[Citation, ...]
    chain: dict[str, Hypothesis]
    hypotheses: dict[str, tuple[Hypothesis, ...]]


def interpret(target: str, form: str, facts: Sequence[Fact], around: Sequence[Fact] = ()) -> Interpretation:
    """The interpretation of a token of this form; `around` is what is said of its line, its translation above all."""
    citations = Citations()
    fields = by_field(facts)
    steps = [name for name in CHAIN if name in fields]
    others = [name for name in fields if name not in CHAIN]
    first = {name: next(iter(by_value(fields[name]).values())) for name in steps}
    sentences: list[str] = []
    if steps:
        way = " \u2192 ".join(f"{named(name)} {said(first[name], citations, beside=False)}" for name in steps)
        sentences.append(f"{shown(target)}: \u201c{shown(form)}\u201d \u2192 {way}.")
    chain = {name: Hypothesis(citations.cite(fields[name][0]), fields[name][0]) for name in steps}
    hypotheses: dict[str, tuple[Hypothesis, ...]] = {}
    for name in [*steps, *others]:
        found = fields[name]
        values = by_value(found)
        if len(values) > 1:
            hypotheses[name] = tuple(Hypothesis(citations.cite(fact), fact) for fact in found)
            told = held(found, citations)
            sentences.append(f"{shown(target)}: {len(values)} hypotheses of its {named(name)}: {told}.")
        elif name in others:
            sentences.append(f"{shown(target)}: {named(name)} {said(found, citations, beside=True)}.")
    for name, found in by_field(around).items():
        sentences.append(f"{shown(found[0].target)}: {named(name)} of the line {held(found, citations)}.")
    summary = summary_of(sentences, citations.all)
    return Interpretation(summary, citations.all, chain, hypotheses)
