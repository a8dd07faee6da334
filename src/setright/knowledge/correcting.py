"""The verb that lays a correction of an answer over the readings that the answer cited."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from setright import corrections, identity, runs
from setright.corrections import NewCorrection
from setright.kernel.errors import Refusal
from setright.kernel.events import Event
from setright.kernel.fields import validate
from setright.kernel.ids import with_prefix
from setright.knowledge import annotation_store, interaction_store, searching, store
from setright.knowledge.artifact_model import CORRECTION_SOURCE
from setright.knowledge.interactions import held_interaction, new_feedback, run_of_question, said_key
from setright.knowledge.model import (
    CORRECTION_METHOD,
    Annotation,
    AnnotationRun,
    Feedback,
    Interaction,
    Layered,
    Principal,
    SubmittedCorrection,
)
from setright.knowledge.naming import Cited, named
from setright.runs import NewRun
from setright.storage import Tx

RECORDED = (
    "Correction recorded. The next request that re-loads any agent output citing the corrected annotation "
    "will regenerate."
)
CITED_NOTHING = "Correction recorded as a note on the answer: the answer cited nothing, so there is no reading that it contests."
NAMED_NOTHING = (
    "Correction recorded as a note on the answer: the claim names none of the readings that the answer cites, so none "
    "is contested. To contest one, write in claim its value as the answer gave it, or the word's form."
)


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction came to: its feedback, whose run and message are in it, and the annotations that it made."""

    feedback: Feedback
    created: bool
    made: Sequence[Annotation] = ()


def submit_correction(tx: Tx, number: int, said: SubmittedCorrection) -> Corrected:
    """Say what of an answer is wrong, and what is right: a layer over each cited reading that the claim names.

    Nothing is written over; what cites a contested reading is stale from now on. The same caller's same claim and
    correction of one answer again are the first.
    """
    interaction = held_interaction(tx, number)
    if said.scholar_id is not None:
        identity.require_speaker(tx, said.scholar_id)
    key = said_key(tx, number, "correction", said.claim, said.correction)
    first = interaction_store.said_before(tx, key)
    if first is not None:
        return Corrected(first, created=False)
    contested = contested_by(tx, interaction, said)
    versions = _versions(tx, contested)
    message = " ".join([_message(interaction, contested), *_as_run(tx, interaction, said)])
    run = _run(tx, interaction, said, versions)
    made = _layers(tx, run, said, contested)
    for artifact_id, version in versions.items():
        ids = [one.annotation.id for one in contested if one.annotation.artifact_id == artifact_id]
        annotation_store.mark(tx, ids, version, "correction")
        searching.index(tx, artifact_id, {one.target for one in made if one.artifact_id == artifact_id})
    feedback = replace(
        new_feedback(tx, interaction, "correction"),
        claim=said.claim,
        correction=said.correction,
        evidence=said.evidence or None,
        scholar=said.scholar_id,
        annotation_run=run.number,
        message=message,
    )
    interaction_store.add_feedback(tx, feedback, key)
    tx.announce(Event("interaction.corrected", "interaction", str(number), about=str(feedback.number)))
    return Corrected(feedback, created=True, made=made)


def contested_by(tx: Tx, interaction: Interaction, said: SubmittedCorrection) -> list[Layered]:
    """The cited annotations that a correction contests: those that its claim names.

    If it names none, those of the very word or artifact that was asked about; of a search none.
    """
    ids = list(dict.fromkeys(one.annotation_id for one in interaction.citations))
    cited = {name: one for name, one in annotation_store.by_ids(tx, ids).items() if one.annotation.value}
    forms = _forms(tx, list(cited.values()))
    named_ids = named(
        said.claim,
        said.correction,
        [Cited(one, cited[one].annotation.value, forms.get(one)) for one in ids if one in cited],
    )
    if named_ids or interaction.about is None:
        return [cited[one] for one in named_ids]
    about = interaction.about.artifact_id, interaction.about.target
    return [one for one in cited.values() if (one.annotation.artifact_id, one.annotation.target) == about]


def _forms(tx: Tx, cited: Sequence[Layered]) -> dict[str, str]:
    """The forms of the words of which annotations speak, by annotation."""
    targets: dict[str, list[Annotation]] = {}
    for one in cited:
        targets.setdefault(one.annotation.artifact_id, []).append(one.annotation)
    found: dict[str, str] = {}
    for artifact_id, of_it in targets.items():
        words = store.tokens_at(tx, artifact_id, sorted({one.target for one in of_it}))
        found |= {one.id: words[one.target].form for one in of_it if one.target in words}
    return found


def _versions(tx: Tx, contested: Sequence[Layered]) -> dict[str, int]:
    """The next version of each artifact that is corrected; all are held from now on, in one order."""
    versions: dict[str, int] = {}
    for artifact_id in sorted({one.annotation.artifact_id for one in contested}):
        held = store.hold(tx, artifact_id)
        if held is not None:
            versions[artifact_id] = store.grow(tx, held)
    return versions


def _run(
    tx: Tx, interaction: Interaction, said: SubmittedCorrection, artifacts: Collection[str]
) -> AnnotationRun:
    """The act of correcting as an annotation run: of the one artifact that it corrects, or that was asked about."""
    asked = None if interaction.about is None else interaction.about.artifact_id
    run = AnnotationRun(
        number=identity.next_number(tx, "annotation-run"),
        source_type="human" if tx.actor.is_person else "model",
        source_name=CORRECTION_SOURCE,
        method=CORRECTION_METHOD,
        scholar=said.scholar_id,
        publication=None,
        evidence=said.evidence or None,
        artifact_id=next(iter(artifacts)) if len(artifacts) == 1 else asked,
        interaction=interaction.number,
        created_by=Principal(tx.actor.kind, tx.actor.id),
        created_at=tx.now,
    )
    annotation_store.add_run(tx, run)
    return run


def _layers(
    tx: Tx, run: AnnotationRun, said: SubmittedCorrection, contested: Sequence[Layered]
) -> list[Annotation]:
    """One new annotation for each target and field that is corrected, over all that are contested there."""
    places: dict[tuple[str, str, str], list[Annotation]] = {}
    for one in contested:
        under = one.annotation
        places.setdefault((under.artifact_id, under.target, under.field), []).append(under)
    made = [
        Annotation(
            id=tx.new_id("ann"),
            artifact_id=artifact_id,
            target=target,
            field=field,
            value=said.correction,
            confidence=None,
            extent=under[0].extent,
            run=run.number,
            contests=sorted(one.id for one in under),
            created_at=tx.now,
        )
        for (artifact_id, target, field), under in places.items()
    ]
    annotation_store.add(tx, made)
    for over in made:
        for annotation_id in over.contests:
            tx.announce(Event("annotation.contested", "annotation", annotation_id, about=over.id))
    return made


def _message(interaction: Interaction, contested: Sequence[Layered]) -> str:
    if contested:
        return RECORDED
    return NAMED_NOTHING if interaction.citations else CITED_NOTHING


def _as_run(tx: Tx, interaction: Interaction, said: SubmittedCorrection) -> list[str]:
    """Record the correction as one of a run too, where the question belonged to a run; why not, where that is refused."""
    if interaction.run_id is None:
        return []
    run_id = with_prefix("run", interaction.run_id)
    project_id = runs.projects_of(tx, [run_id]).get(run_id)
    if project_id is None:
        return [f"Run {run_id} is gone, so no run was corrected."]

    def record() -> None:
        tx.actor.require_scope("corrections:write")
        if interaction.content_expired_at is None:
            kept = runs.record_run(tx, _new_run(interaction, project_id)).run.id
        else:
            # Only an earlier correction of it can have kept what was answered.
            kept = run_of_question(interaction.number)
        wrong = {"runId": kept, "answer": "wrong", "shouldSay": said.correction, "why": said.claim}
        corrections.record_correction(tx, validate(NewCorrection, wrong))

    refused = tx.attempt(record)
    if not isinstance(refused, Refusal):
        return []
    return [f"It was not recorded as a correction of a run in project {project_id}: {refused.message}"]


def _new_run(interaction: Interaction, project_id: str) -> NewRun:
    """An answered question as a finished run of the tool that answered it."""
    return validate(
        NewRun,
        {
            "id": run_of_question(interaction.number),
            "projectId": project_id,
            "subject": {
                "kind": "flow",
                "id": f"knowledge.{interaction.tool}",
                "version": interaction.corpus_version,
            },
            "input": interaction.arguments,
            "output": interaction.answer,
            "answer": interaction.answer.get("summary") or "",
        },
    )
