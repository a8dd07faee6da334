"""Annotations with their layers as facts that answers tell."""

from collections.abc import Iterable, Mapping

from setright.knowledge.citing import Fact
from setright.knowledge.lifecycle import standing
from setright.knowledge.model import Layered


def facts_of(layers: Iterable[Layered], lines: Iterable[str]) -> list[Fact]:
    """Each annotation as a fact; `lines` are the targets of the lines, so that a word's line is known.

    One that was erased says nothing any more.
    """
    known = set(lines)
    return [_fact(one, known) for one in layers if one.annotation.value]


def _fact(layered: Layered, lines: set[str]) -> Fact:
    said, run, names = layered.annotation, layered.run, layered.scholars
    stands, decision = standing(layered), layered.newest_decision
    decided = decision if decision is not None and decision.verdict == stands else None
    line, position = _place(said.target, lines)
    return Fact(
        annotation_id=said.id,
        artifact_id=said.artifact_id,
        target=said.target,
        line=line,
        position=position,
        field=said.field,
        value=said.value,
        source=run.source_name,
        made=said.created_at,
        standing=stands,
        scholar_id=run.scholar,
        scholar=_name(names, run.scholar),
        evidence=run.evidence,
        confidence=said.confidence,
        extent=said.extent,
        decided=None if decided is None else decided.reason,
        decided_by=None if decided is None else _name(names, decided.scholar),
    )


def _place(target: str, lines: set[str]) -> tuple[str, int]:
    """The line of a target, and which word of it; a target is read from the right."""
    line, _, position = target.rpartition(".")
    return (target, 0) if not target or target in lines else (line, int(position))


def _name(names: Mapping[int, str], scholar: int | None) -> str | None:
    return None if scholar is None else names.get(scholar)
