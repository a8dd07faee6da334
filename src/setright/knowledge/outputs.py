"""Summaries that are kept: one for each artifact and focus, composed anew when what it cites was corrected."""

from setright.knowledge import output_store, store
from setright.knowledge.composing import Composed, Focus, PassageLine, compose, focus_of
from setright.knowledge.errors import ArtifactNotFound
from setright.knowledge.facts import facts_of
from setright.knowledge.model import Citation, Output
from setright.knowledge.queries import layers_of
from setright.knowledge.telling import Told, told, worded_as
from setright.knowledge.wording import Draft, Worded, draft_of, served
from setright.storage import Row, Snapshot, Tx

COMPOSED, WORDED = "composed", "worded"


def summary_for(tx: Tx, artifact_id: str, focus: str, worded: Worded | None = None) -> Output:
    """The summary as it is kept, or made now where there is none or what it cites was contested since.

    One that was composed is made anew where a model worded just what it rests on. Who makes one holds the artifact, so
    that of all who ask at once one does, and the others get what it made.
    """
    wanted = focus_of(focus)
    kept = output_store.current(tx, artifact_id, wanted.key)
    if kept is not None and _stands(kept, worded):
        return kept
    held = store.hold(tx, artifact_id)
    if held is None:
        raise ArtifactNotFound(artifact_id)
    kept = output_store.current(tx, artifact_id, wanted.key)
    if kept is not None and _stands(kept, worded):
        return kept
    composed = _composed(tx, artifact_id, wanted)
    draft = draft_of(focus, composed.summary, composed.citations)
    if kept is not None and not kept.stale and served(draft, worded) is None:
        return kept
    answer = worded_as(_told(tx, artifact_id, composed, focus), draft, worded)
    return _made(tx, held, wanted, focus, answer, composed, kept)


def summary_draft(at: Snapshot, artifact_id: str, focus: str) -> Draft | None:
    """What a model may word: None where the kept summary is worded and stands."""
    wanted = focus_of(focus)
    kept = output_store.current(at, artifact_id, wanted.key)
    if kept is not None and not kept.stale and kept.how == WORDED:
        return None
    composed = _composed(at, artifact_id, wanted)
    return draft_of(focus, composed.summary, composed.citations)


def _stands(kept: Output, worded: Worded | None) -> bool:
    return not kept.stale and (worded is None or kept.how == WORDED)


def _composed(at: Snapshot, artifact_id: str, wanted: Focus) -> Composed:
    lines = [
        PassageLine(line.target, line.text)
        for line in store.lines_of(at, artifact_id)
        if line.target is not None
    ]
    facts = facts_of(layers_of(at, artifact_id), (line.target for line in lines))
    return compose(artifact_id, facts, lines, wanted)


def _made(
    tx: Tx,
    held: Row,
    wanted: Focus,
    focus: str,
    answer: Told,
    composed: Composed,
    before: Output | None,
) -> Output:
    """A new summary, kept in the place of the one before; that one stays as what was said until now."""
    made = Output(
        id=tx.new_id("out"),
        artifact_id=held["id"],
        focus_key=wanted.key,
        focus=focus or None,
        version=held["version"],
        answer=answer,
        how=WORDED if "wordedBy" in answer else COMPOSED,
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
