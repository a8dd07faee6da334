"""How the answers about knowledge look on the wire: what they say, what they cite, and what they were found in."""

from typing import Any, Literal

from setright.faces.http.samples import AT, Sample
from setright.faces.http.schemas import Shape, Time, absent
from setright.faces.http.shapes import Wire
from setright.knowledge import Answered

StandingWord = Literal["plain", "contested", "correction", "accepted", "rejected"]
TypeWord = Literal["artifact", "line", "token"]


class HeldReading(Shape):
    """A value that somebody holds, and the number of its citation."""

    n: int
    value: str
    source: str
    standing: StandingWord
    scholar_id: int = absent("The scholar who said it.")
    scholar: str = absent("That scholar's name.")
    evidence: str = absent("On which grounds.")
    confidence: float = absent("How sure its source is, from 0 to 1.")
    extent: str = absent("The lines of which it speaks, where these are several.")
    decided_by: str = absent("Who accepted or rejected it.")
    decided: str = absent("Why it was accepted or rejected.")


class KnowledgeCitation(HeldReading):
    """An annotation that the answer cites as `[n]`: its value stands in every sentence that cites it."""

    annotation_id: str
    artifact_id: str
    target: str
    field: str


class KnowledgeSource(Shape):
    """From where something in the answer comes."""

    name: str
    licence: str = absent("On which terms it may be used.")
    artifact_ids: list[str] = absent("For which artifacts it speaks here.")


class _KnowledgeAnswer(Shape):
    interaction_id: int
    summary: str


class _Rest(Shape):
    citations: list[KnowledgeCitation]
    sources: list[KnowledgeSource]
    required_attributions: list[str]
    follow_ups: list[str]
    generated_at: Time
    worded_by: str = absent("The model in whose words the summary is; absent where it is composed.")


class PassageLine(Shape):
    """A line as it is written."""

    target: str
    text: str


class Match(Shape):
    """A value that was found, and the number of its citation."""

    field: str
    value: str
    n: int


class SearchHit(Shape):
    """An artifact, a line or a word that was found."""

    type: TypeWord
    artifact_id: str
    title: str = absent("What the artifact is called.")
    target: str = absent("The line or word; absent for an artifact as a whole.")
    text: str = absent("The line as it is written.")
    form: str = absent("The word as it is written.")
    matched: list[Match]


class FoundInSearch(Shape):
    """What was asked, and the hits with the best first."""

    q: str
    types: list[TypeWord]
    limit: int
    mode: Literal["hybrid", "lexical", "semantic"]
    hits: list[SearchHit]


class ToldOfArtifact(Shape):
    """Of which lines the summary tells."""

    artifact_id: str
    focus: str = absent("What was asked for.")
    lines: list[PassageLine]
    lines_shown: int
    lines_in_all: int


class Step(Shape):
    """One step from the written form to the sense: the reading that is told first."""

    field: str
    value: str
    n: int


class Hypotheses(Shape):
    """What is held of a field about which opinions differ, in the order in which it is told."""

    field: str
    readings: list[HeldReading]


class ToldOfWord(Shape):
    """A word, the way from its form to its sense, and where opinions differ."""

    artifact_id: str
    target: str
    form: str
    clean: str
    line: PassageLine
    chain: list[Step]
    hypotheses: list[Hypotheses]


class SearchAnswer(_Rest, _KnowledgeAnswer):
    """What a search found; `interactionId` is what a correction of the answer names."""

    data: FoundInSearch
    degraded: str = absent("What the mode asks for and the server could not do.")


class SummaryAnswer(_Rest, _KnowledgeAnswer):
    """The summary of an artifact; the same until something that it cites is corrected."""

    data: ToldOfArtifact


class InterpretationAnswer(_Rest, _KnowledgeAnswer):
    """What a word is taken to be."""

    data: ToldOfWord


def answer(made: Answered) -> Wire:
    """An answer with the number of its interaction first."""
    return {"interactionId": made.interaction, **made.told}


_SAID: Sample = {"value": "king", "source": "ours/bricks", "standing": "plain"}
_CITATIONS: list[Sample] = [
    {
        "n": 1,
        "annotationId": "ann_01KE5MCQ800000000000000040",
        "artifactId": "brick-1",
        "target": "o.1.1",
        "field": "sense",
        **_SAID,
    }
]
_REST: dict[str, Any] = {
    "citations": _CITATIONS,
    "sources": [{"name": "ours/bricks", "licence": "CC0-1.0", "artifactIds": ["brick-1"]}],
    "requiredAttributions": [],
    "followUps": ["Interpret a word by its target, such as o.1.1."],
    "generatedAt": AT,
}
_LINE: Sample = {"target": "o.1", "text": "lu\u2082-gal"}
SEARCH: Sample = {
    "interactionId": 44,
    "summary": "brick-1 o.1.1 \u201clu\u2082-gal\u201d: sense \u201cking\u201d [1].",
    "data": {
        "q": "lugal",
        "types": ["token"],
        "limit": 10,
        "mode": "lexical",
        "hits": [
            {
                "type": "token",
                "artifactId": "brick-1",
                "title": "A brick",
                "target": "o.1.1",
                "text": "lu\u2082-gal",
                "form": "lu\u2082-gal",
                "matched": [{"field": "sense", "value": "king", "n": 1}],
            }
        ],
    },
    **_REST,
}
SUMMARY: Sample = {
    "interactionId": 45,
    "summary": "o.1.1: sense \u201cking\u201d [1].",
    "data": {"artifactId": "brick-1", "lines": [_LINE], "linesShown": 1, "linesInAll": 1},
    **_REST,
}
INTERPRETATION: Sample = {
    "interactionId": 46,
    "summary": "o.1.1: \u201clu\u2082-gal\u201d \u2192 sense \u201cking\u201d [1].",
    "data": {
        "artifactId": "brick-1",
        "target": "o.1.1",
        "form": "lu\u2082-gal",
        "clean": "lu\u2082-gal",
        "line": _LINE,
        "chain": [{"field": "sense", "value": "king", "n": 1}],
        "hypotheses": [],
    },
    **_REST,
}
EXAMPLE_PATH = {"artifactId": "brick-1", "tokenId": "o.1.1"}
