"""Summaries that are kept: one for each artifact and focus, composed anew when what it cites was corrected."""

from setright.knowledge import output_store, store
from setright.knowledge.composing import Composed, Focus, PassageLine, compose, focus_of
from setright.knowledge.errors import ArtifactNotFound
from setright.knowledge.facts import facts_of
from setright.knowledge.model import Citation, Output
from setright.knowledge.queries import layers_of
from setright.knowledge.telling import Told, told
from setright.storage import Row, Tx

HOW = "composed"


def summary_for(tx: Tx, artifact_id: str, focus: str) -> Output:
    """The summary as it is kept, or composed now where there is none or what it cites was contested since.

    Who composes holds the artifact, so that of all who ask at once one composes and the others get what it made.
    """
    wanted = focus_of(focus)
    kept = output_store.current(tx, artifact_id, wanted.key)
    if kept is not None and not kept.stale:
        return kept
    held = store.hold(tx, artifact_id)
    if held is None:
        raise ArtifactNotFound(artifact_id)
    kept = output_store.current(tx, artifact_id, wanted.key)
    if kept is not None and not kept.stale:
        return kept
    return _made(tx, held, wanted, focus, kept)


def _made(tx: Tx, held: Row, wanted: Focus, focus: str, before: Output | None) -> Output:
    """A new summary, kept in the place of the one before; that one stays as what was said until now."""
    artifact_id = held["id"]
    lines = [
        PassageLine(line.target, line.text)
        for line in store.lines_of(tx, artifact_id)
        if line.target is not None
    ]
    layers = layers_of(tx, artifact_id)
    facts = facts_of(layers, (line.target for line in lines))
    composed = compose(artifact_id, facts, lines, wanted)
    made = Output(
        id=tx.new_id("out"),
        artifact_id=artifact_id,
        focus_key=wanted.key,
        focus=focus or None,
        version=held["version"],
        answer=_told(tx, artifact_id, composed, focus),
        how=HOW,
        generated_at=tx.now,
        superseded_by=None,
        superseded_at=None,
    )
    cited = [Citation(one.n, one.fact.annotation_id) for one in composed.citations]
    if before is not None:
        output_store.supersede(tx, before.id, made.id)
    output_store.add(tx, made, cited)
    return made


def _told(tx: Tx, artifact_id: str, composed: Composed, focus: str) -> Told:
    content = {
        "artifactId": artifact_id,
        **({"focus": focus} if focus else {}),
        "lines": [{"target": line.target, "text": line.text} for line in composed.lines],
        "linesShown": len(composed.lines),
        "linesInAll": composed.lines_in_all,
    }
    sources = store.sources_of(tx, [artifact_id])
    return told(composed.summary, content, composed.citations, sources, _follow_ups(composed, focus), tx.now)


def _follow_ups(composed: Composed, focus: str) -> list[str]:
    if focus and not composed.lines:
        return ["No line has this focus: name lines such as o.1 or o.1--o.20, or words that stand in them."]
    more = [f"Ask again with the focus {composed.more} for the lines that follow."] if composed.more else []
    first = composed.lines[0].target if composed.lines else None
    return [*more, *([f"Interpret a word by its target, such as {first}.1."] if first else [])]
