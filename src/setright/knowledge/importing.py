"""The verb that keeps a text and what a source says of it, and adds what is new when it comes again."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from setright import identity
from setright.kernel.events import Event
from setright.knowledge import annotation_store, queries, searching, store
from setright.knowledge.artifact_model import (
    OWN_FIELDS,
    WHOLE,
    Added,
    ImportedArtifact,
    Line,
    NewArtifact,
    NewArtifactLine,
    NewSaying,
    Token,
    token_target,
)
from setright.knowledge.model import Annotation, AnnotationRun, Principal
from setright.storage import Tx


@dataclass(slots=True)
class _There:
    """What an artifact has already: the values said of each target and field, with who said them."""

    lines: Sequence[Line] = ()
    said: dict[tuple[str, str], list[tuple[str, str, str]]] = field(
        default_factory=dict[tuple[str, str], list[tuple[str, str, str]]]
    )


@dataclass(slots=True)
class _Found:
    """What an import brings that was not there."""

    lines: list[Line] = field(default_factory=list[Line])
    tokens: list[Token] = field(default_factory=list[Token])
    said: list[tuple[str, NewSaying]] = field(default_factory=list[tuple[str, NewSaying]])

    def __bool__(self) -> bool:
        return bool(self.lines or self.tokens or self.said)


def record_artifact(tx: Tx, new: NewArtifact) -> ImportedArtifact:
    """Keep a text with what a source says of it; of a text that is there, what was not there is added.

    Nothing is taken away or written over. The same again changes nothing, and is no annotation run.
    """
    if new.run.scholar_id is not None:
        identity.require_speaker(tx, new.run.scholar_id)
    held, created = store.begin(tx, new.id)
    content_hash = new.content_hash()
    if not created and store.last_hash(tx, new.id, new.source) == content_hash:
        return ImportedArtifact(queries.get_artifact(tx, new.id), None, Added(), created=False)
    there = _There() if created else _there(tx, new.id)
    found = _missing(new, there)
    store.put_source(tx, new, content_hash)
    if not found:
        return ImportedArtifact(queries.get_artifact(tx, new.id), None, Added(), created=created)
    version = store.grow(tx, held)
    run = _keep(tx, new, found)
    if not created:
        annotation_store.mark(tx, _disturbed(there, found), version, "import")
    added = Added(len(found.lines), len(found.tokens), len(found.said))
    searching.index(tx, new.id)
    kind = "artifact.recorded" if created else "artifact.extended"
    tx.announce(Event(kind, "artifact", new.id, about=str(run)))
    return ImportedArtifact(queries.get_artifact(tx, new.id), run, added, created)


def _there(tx: Tx, artifact_id: str) -> _There:
    there = _There(store.lines_of(tx, artifact_id))
    rows = annotation_store.plainly(tx, artifact_id)
    runs = annotation_store.runs(tx, [row["run"] for row in rows])
    for row in rows:
        said = row["id"], row["value"], runs[row["run"]].source_name
        there.said.setdefault((row["target"], row["field"]), []).append(said)
    return there


def _missing(new: NewArtifact, there: _There) -> _Found:
    """What is new: lines by their targets, words by their positions, values by who says them."""
    found = _Found()
    targets = {line.target: line for line in there.lines if line.target is not None}
    marks = Counter((line.surface, line.kind, line.text) for line in there.lines if line.target is None)
    number = len(there.lines)
    for line in new.lines or ():
        known = None if line.target is None else targets.get(line.target)
        if line.target is None and marks[line.surface, line.kind, line.text] > 0:
            marks[line.surface, line.kind, line.text] -= 1
            continue
        if known is None:
            known = _line(line, number, new.source)
            found.lines.append(known)
            number += 1
        found.tokens += _words(line, known, new.source)
    source = new.source_name
    for target, said in _sayings(new):
        here = there.said.get((target, said.field), ())
        if not any(value == said.value and by == source for _, value, by in here):
            found.said.append((target, said))
    return found


def _line(line: NewArtifactLine, number: int, source: str) -> Line:
    return Line(number, line.target, line.surface, line.label, line.kind, line.text, source)


def _words(line: NewArtifactLine, known: Line, source: str) -> Iterator[Token]:
    """The words of a line beyond those that it has."""
    if known.target is None:
        return
    had = {token.position for token in known.tokens}
    for position, token in enumerate(line.tokens or (), 1):
        if position not in had:
            target = token_target(known.target, position)
            yield Token(target, known.line, position, token.form, token.clean or token.form, source)


def _sayings(new: NewArtifact) -> Iterator[tuple[str, NewSaying]]:
    """Everything that is said, each once, with its target."""
    seen: set[tuple[str, str, str]] = set()
    for target, said in _every_saying(new):
        once = target, said.field, said.value
        if once not in seen:
            seen.add(once)
            yield target, said


def _every_saying(new: NewArtifact) -> Iterator[tuple[str, NewSaying]]:
    for name in OWN_FIELDS:
        value = getattr(new, name)
        if value is not None:
            yield WHOLE, NewSaying(field=name, value=value)
    for said in new.annotations or ():
        yield WHOLE, said
    for line in new.lines or ():
        target = line.target
        if target is None:
            continue
        for said in line.annotations or ():
            yield target, said
        for position, token in enumerate(line.tokens or (), 1):
            for said in token.annotations or ():
                yield token_target(target, position), said


def _keep(tx: Tx, new: NewArtifact, found: _Found) -> int:
    """Store what is new as one annotation run; its number."""
    store.add_lines(tx, new.id, found.lines)
    store.add_tokens(tx, new.id, found.tokens)
    number = identity.next_number(tx, "annotation-run")
    run = AnnotationRun(
        number=number,
        source_type=new.run.source_type,
        source_name=new.source_name,
        method=new.run.method,
        scholar=new.run.scholar_id,
        publication=new.run.publication,
        evidence=None,
        artifact_id=new.id,
        interaction=None,
        created_by=Principal(tx.actor.kind, tx.actor.id),
        created_at=tx.now,
    )
    annotation_store.add_run(tx, run)
    made = [
        Annotation(
            id=tx.new_id("ann"),
            artifact_id=new.id,
            target=target,
            field=said.field,
            value=said.value,
            confidence=said.confidence,
            extent=said.extent,
            run=number,
            contests=(),
            created_at=tx.now,
        )
        for target, said in found.said
    ]
    annotation_store.add(tx, made)
    return number


def _disturbed(there: _There, found: _Found) -> Iterator[str]:
    """The annotations beside which another value has come, and all of the artifact as a whole, of which there is more."""
    for target, said in found.said:
        for annotation_id, value, _ in there.said.get((target, said.field), ()):
            if value != said.value:
                yield annotation_id
    for (target, _), said_of_it in there.said.items():
        if target == WHOLE:
            yield from (annotation_id for annotation_id, _, _ in said_of_it)
