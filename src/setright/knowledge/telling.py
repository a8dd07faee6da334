"""The whole of an answer as it is kept and handed out: what it says, what that rests on, and from where that comes; pure."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from setright.kernel.clock import to_wire
from setright.knowledge.artifact_model import Source
from setright.knowledge.citing import Citation, Fact
from setright.knowledge.wording import Draft, Worded, served

Told = dict[str, Any]
"""An answer as JSON, in the names of the HTTP API."""

CORRECT_IT = "If something here is wrong, correct this interaction: say which claim is wrong and what is right, with evidence."


def told(
    summary: str,
    content: Mapping[str, Any],
    citations: Sequence[Citation],
    sources: Mapping[str, Sequence[Source]],
    follow_ups: Iterable[str],
    generated_at: int,
) -> Told:
    """An answer; `content` is what else it holds, `sources` are those of each artifact that it speaks of."""
    return {
        "summary": summary,
        "data": dict(content),
        "citations": [citation(one) for one in citations],
        "sources": sources_of(sources, citations),
        "requiredAttributions": attributions(one for found in sources.values() for one in found),
        "followUps": [*follow_ups, CORRECT_IT],
        "generatedAt": to_wire(generated_at),
    }


def worded_as(answer: Told, draft: Draft | None, worded: Worded | None) -> Told:
    """An answer in a model's words, and whose they are, where the model worded just what this rests on."""
    words = served(draft, worded)
    return answer if words is None or worded is None else {**answer, "summary": words, "wordedBy": worded.by}


def citation(one: Citation) -> Told:
    """A citation: the annotation, where it stands, what it says, and who says it on which grounds."""
    fact = one.fact
    return {
        "n": one.n,
        "annotationId": fact.annotation_id,
        "artifactId": fact.artifact_id,
        "target": fact.target,
        "field": fact.field,
        **_said(fact),
    }


def reading_of(n: int, fact: Fact) -> Told:
    """A value that is held of a field, with the number of its citation."""
    return {"n": n, **_said(fact)}


def _said(fact: Fact) -> Told:
    return _present(
        {
            "value": fact.value,
            "source": fact.source,
            "standing": fact.standing,
            "scholarId": fact.scholar_id,
            "scholar": fact.scholar,
            "evidence": fact.evidence,
            "confidence": fact.confidence,
            "extent": fact.extent,
            "decidedBy": fact.decided_by,
            "decided": fact.decided,
        }
    )


def sources_of(sources: Mapping[str, Sequence[Source]], citations: Sequence[Citation]) -> list[Told]:
    """Every source once with the artifacts for which it speaks here: of the texts, and of what is said of them."""
    found: dict[str, dict[str, Any]] = {}
    for artifact_id, several in sources.items():
        for one in several:
            entry = found.setdefault(one.source, _present({"name": one.source, "licence": one.licence}))
            entry.setdefault("artifactIds", []).append(artifact_id)
    for cited in citations:
        ids = found.setdefault(cited.fact.source, {"name": cited.fact.source}).setdefault("artifactIds", [])
        if cited.fact.artifact_id not in ids:
            ids.append(cited.fact.artifact_id)
    return list(found.values())


def attributions(sources: Iterable[Source]) -> list[str]:
    """The words that must be shown with an answer, each once."""
    return list(dict.fromkeys(one.attribution for one in sources if one.attribution))


def _present(whole: Mapping[str, Any]) -> Told:
    return {name: value for name, value in whole.items() if value is not None}
