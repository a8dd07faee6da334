"""Taking words out of knowledge for good: questions and answers, corrections of them, and the layers that they made."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from sqlalchemy import BigInteger, ColumnElement, bindparam, func, literal_column, null, select, update

from setright import runs
from setright.kernel import json
from setright.kernel.events import Event
from setright.knowledge import annotation_store, searching, store
from setright.knowledge.interactions import run_of_question
from setright.knowledge.tables import (
    annotation_contests,
    annotation_decisions,
    annotation_runs,
    annotations,
    interaction_citations,
    interaction_feedback,
    interactions,
    output_citations,
    outputs,
)
from setright.storage import Row, Snapshot, Sql, Tx
from setright.storage.lists import among, any_of

_I, _IC, _F = interactions.c, interaction_citations.c, interaction_feedback.c
_N, _R, _D, _K = annotations.c, annotation_runs.c, annotation_decisions.c, annotation_contests.c
_O, _OC = outputs.c, output_citations.c
_NOTHING: ColumnElement[str] = literal_column("'{}'")
_EMPTY_QUESTION = Sql(
    update(interactions)
    .where(_I.tenant_id == bindparam("of_tenant"), _I.number == bindparam("of_number"))
    .values(arguments=_NOTHING)
)
_EMPTY_ANSWER = Sql(
    update(interactions)
    .where(_I.tenant_id == bindparam("of_tenant"), _I.number == bindparam("of_number"))
    .values(answer=_NOTHING)
)
_SAID_OF = Sql(
    select(_F.number, _F.annotation_run).where(
        _F.tenant_id == bindparam("tenant_id"), _F.interaction == bindparam("interaction")
    )
)
_EMPTY_FEEDBACK = Sql(
    update(interaction_feedback)
    .where(_F.tenant_id == bindparam("of_tenant"), _F.number == bindparam("of_number"))
    .values(claim=null(), correction=null(), evidence=null(), message=null(), said_key=bindparam("new_key"))
)
_EMPTY_RUN = Sql(
    update(annotation_runs)
    .where(_R.tenant_id == bindparam("of_tenant"), _R.number == bindparam("of_number"))
    .values(evidence=null(), publication=null())
)
_LAYERS = Sql(
    select(_N.id, _N.artifact_id, _N.target).where(
        _N.tenant_id == bindparam("tenant_id"),
        _N.run == bindparam("run"),
        _N.value != literal_column("''"),
    )
)
_UNDER = Sql(
    select(_K.contests).where(
        _K.tenant_id == bindparam("tenant_id"), _K.annotation_id == bindparam("annotation_id")
    )
)
_EMPTY_LAYERS = Sql(
    update(annotations)
    .where(_N.tenant_id == bindparam("of_tenant"), _N.run == bindparam("of_run"))
    .values(value=literal_column("''"))
)
_ANSWERS_CITING = Sql(
    select(_IC.interaction)
    .distinct()
    .where(_IC.tenant_id == bindparam("tenant_id"), _IC.annotation_id == bindparam("annotation_id"))
)
_OUTPUTS_CITING = Sql(
    select(_OC.output_id)
    .distinct()
    .where(_OC.tenant_id == bindparam("tenant_id"), _OC.annotation_id == bindparam("annotation_id"))
)
_EMPTY_OUTPUT = Sql(
    update(outputs)
    .where(_O.tenant_id == bindparam("of_tenant"), _O.id == bindparam("of_id"))
    .values(answer=_NOTHING, focus=null())
)
_ASKED = Sql(
    select(_I.artifact_id, _I.arguments).where(
        _I.tenant_id == bindparam("tenant_id"), _I.number == bindparam("number")
    )
)
_DROP_FOCUS = Sql(
    update(outputs)
    .where(
        _O.tenant_id == bindparam("of_tenant"),
        _O.artifact_id == bindparam("of_artifact"),
        _O.focus == bindparam("of_focus"),
    )
    .values(
        answer=_NOTHING,
        focus=null(),
        focus_key=_O.id,
        superseded_by=func.coalesce(_O.superseded_by, _O.id),
        superseded_at=func.coalesce(_O.superseded_at, bindparam("now")),
    )
)
_ASKED_BY = Sql(
    select(_I.number)
    .where(
        _I.tenant_id == bindparam("tenant_id"),
        _I.by_kind == literal_column("'user'"),
        _I.by_id == bindparam("user_id"),
        _I.number > bindparam("after", type_=BigInteger()),
        _I.created_at <= bindparam("until"),
    )
    .order_by(_I.number)
    .limit(bindparam("count"))
)
_SAID_BY = Sql(
    select(_F.number, _F.annotation_run)
    .where(
        _F.tenant_id == bindparam("tenant_id"),
        _F.by_kind == literal_column("'user'"),
        _F.by_id == bindparam("user_id"),
        _F.number > bindparam("after", type_=BigInteger()),
        _F.created_at <= bindparam("until"),
    )
    .order_by(_F.number)
    .limit(bindparam("count"))
)
_NO_REASONS = Sql(
    update(annotation_decisions)
    .where(
        _D.tenant_id == bindparam("of_tenant"),
        _D.by_kind == literal_column("'user'"),
        _D.by_id == bindparam("of_user"),
        _D.reason.is_not(None),
    )
    .values(reason=null())
)
_DECIDED_BY = Sql(
    select(_D.annotation_id, _D.artifact_id).where(
        _D.tenant_id == bindparam("tenant_id"),
        _D.by_kind == literal_column("'user'"),
        _D.by_id == bindparam("user_id"),
        _D.reason.is_not(None),
    )
)


@lru_cache(maxsize=16)
def _of_runs(count: int) -> Sql:
    these = (_I.tenant_id == bindparam("tenant_id"), any_of(_I.run_id, "run", count))
    return Sql(select(_I.number).where(*these).order_by(_I.number))


def questions_of_runs(at: Snapshot, run_ids: Sequence[str]) -> Sequence[int]:
    """Numbers of the questions that were asked in these runs."""
    if not run_ids:
        return ()
    count, names = among("run", [*run_ids, *(run_id.removeprefix("run_") for run_id in run_ids)])
    return [row["number"] for row in at.all(_of_runs(count), tenant_id=at.actor.tenant_id, **names)]


def erase_questions(tx: Tx, numbers: Sequence[int]) -> int:
    """Take out questions and answers with all that was said of them, and the layers that came of it; how many."""
    for number in numbers:
        this = {"of_tenant": tx.actor.tenant_id, "of_number": number}
        _drop_focus(tx, number)
        tx.run(_EMPTY_QUESTION, **this)
        tx.run(_EMPTY_ANSWER, **this)
        said = tx.all(_SAID_OF, tenant_id=tx.actor.tenant_id, interaction=number)
        _erase_feedback(tx, said)
        tx.announce(Event("interaction.erased", "interaction", str(number)))
    return len(numbers)


def _drop_focus(tx: Tx, number: int) -> None:
    """Drop the kept answers with the very focus that a question asked for."""
    asked = tx.one(_ASKED, tenant_id=tx.actor.tenant_id, number=number)
    focus = None if asked is None else json.read_stored(asked["arguments"]).get("focus")
    if asked is not None and focus:
        tx.run(
            _DROP_FOCUS,
            of_tenant=tx.actor.tenant_id,
            of_artifact=asked["artifact_id"],
            of_focus=focus,
            now=tx.now,
        )


def erase_questions_by(tx: Tx, user_id: str, until: int, after: int, count: int) -> tuple[int, int | None]:
    """Take out the next `count` questions of a user; how many, and after which to go on, None at the end."""
    values = {"user_id": user_id, "until": until, "after": after, "count": count}
    rows = tx.all(_ASKED_BY, tenant_id=tx.actor.tenant_id, **values)
    erase_questions(tx, [row["number"] for row in rows])
    return len(rows), rows[-1]["number"] if len(rows) == count else None


def erase_said_by(tx: Tx, user_id: str, until: int, after: int, count: int) -> tuple[int, int | None]:
    """Take out the next `count` corrections of answers by a user, and why they decided as they did; as above."""
    values = {"user_id": user_id, "until": until, "after": after, "count": count}
    rows = tx.all(_SAID_BY, tenant_id=tx.actor.tenant_id, **values)
    _erase_feedback(tx, rows)
    _erase_reasons(tx, user_id)
    return len(rows), rows[-1]["number"] if len(rows) == count else None


def _erase_feedback(tx: Tx, rows: Sequence[Row]) -> None:
    tenant = tx.actor.tenant_id
    for row in rows:
        key = f"erased-{row['number']}"
        tx.run(_EMPTY_FEEDBACK, of_tenant=tenant, of_number=row["number"], new_key=key)
        if row["annotation_run"] is not None:
            _erase_layers(tx, row["annotation_run"])


def _erase_layers(tx: Tx, run: int) -> None:
    """Empty the layers of an annotation run, with every answer in which their words stand."""
    tenant = tx.actor.tenant_id
    layers = tx.all(_LAYERS, tenant_id=tenant, run=run)
    touched: defaultdict[str, set[str]] = defaultdict(set)
    targets: defaultdict[str, set[str]] = defaultdict(set)
    for layer in layers:
        under = tx.all(_UNDER, tenant_id=tenant, annotation_id=layer["id"])
        touched[layer["artifact_id"]] |= {layer["id"], *(row["contests"] for row in under)}
        targets[layer["artifact_id"]].add(layer["target"])
    tx.run(_EMPTY_RUN, of_tenant=tenant, of_number=run)
    tx.run(_EMPTY_LAYERS, of_tenant=tenant, of_run=run)
    for layer in layers:
        _erase_citing(tx, layer["id"])
    _mark(tx, touched)
    for artifact_id, some in targets.items():
        searching.index(tx, artifact_id, some)


def _erase_citing(tx: Tx, annotation_id: str) -> None:
    """Empty every answer and kept answer that cites an annotation, and the runs that these answers became."""
    tenant = tx.actor.tenant_id
    asked = {"tenant_id": tenant, "annotation_id": annotation_id}
    numbers = [row["interaction"] for row in tx.all(_ANSWERS_CITING, **asked)]
    for number in numbers:
        tx.run(_EMPTY_ANSWER, of_tenant=tenant, of_number=number)
    runs.erase_runs(tx, [run_of_question(number) for number in numbers])
    for row in tx.all(_OUTPUTS_CITING, **asked):
        tx.run(_EMPTY_OUTPUT, of_tenant=tenant, of_id=row["output_id"])


def _mark(tx: Tx, touched: dict[str, set[str]]) -> None:
    """Have everything that cites any of these annotations be composed anew."""
    for artifact_id in sorted(touched):
        held = store.hold(tx, artifact_id)
        if held is not None:
            annotation_store.mark(tx, sorted(touched[artifact_id]), store.grow(tx, held), "erasure")


def _erase_reasons(tx: Tx, user_id: str) -> None:
    tenant = tx.actor.tenant_id
    decided = tx.all(_DECIDED_BY, tenant_id=tenant, user_id=user_id)
    touched: defaultdict[str, set[str]] = defaultdict(set)
    for row in decided:
        touched[row["artifact_id"]].add(row["annotation_id"])
    tx.run(_NO_REASONS, of_tenant=tenant, of_user=user_id)
    for row in decided:
        _erase_citing(tx, row["annotation_id"])
    _mark(tx, touched)
