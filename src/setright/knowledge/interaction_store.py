"""The statements about interactions, what they cited and what was said of them; every one filters by tenant."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, and_, bindparam, select

from setright.kernel import json
from setright.kernel.paging import Place
from setright.knowledge.model import About, Citation, Feedback, Interaction, Principal
from setright.knowledge.tables import interaction_citations, interaction_feedback, interactions
from setright.storage import Row, Snapshot, Sql, Tx, insert, insert_many

_I, _C, _F = interactions.c, interaction_citations.c, interaction_feedback.c
_THIS = and_(_I.tenant_id == bindparam("tenant_id"), _I.number == bindparam("number"))
_NEWEST = 2**62
_ADD = insert(interactions)
_ADD_CITATIONS = insert_many(interaction_citations)
_FIND = Sql(select(interactions).where(_THIS))
_HOLD = Sql(select(interactions).where(_THIS).with_for_update(key_share=True))
_CITED = Sql(
    select(_C.n, _C.annotation_id)
    .where(_C.tenant_id == bindparam("tenant_id"), _C.interaction == bindparam("number"))
    .order_by(_C.n)
)
_ADD_FEEDBACK = insert(interaction_feedback)
_FEEDBACK = Sql(
    select(interaction_feedback)
    .where(_F.tenant_id == bindparam("tenant_id"), _F.interaction == bindparam("number"))
    .order_by(_F.number)
)
_SAID = Sql(
    select(interaction_feedback).where(
        _F.tenant_id == bindparam("tenant_id"), _F.said_key == bindparam("said_key")
    )
)
_SHORT = [column for column in _I if column.name != "answer"]


@lru_cache(maxsize=16)
def _page(given: frozenset[str]) -> Sql:
    narrowed = {
        "mine": and_(_I.by_kind == bindparam("my_kind"), _I.by_id == bindparam("my_id")),
        "tool": _I.tool == bindparam("tool"),
        "artifact_id": _I.artifact_id == bindparam("artifact_id"),
    }
    return Sql(
        select(*_SHORT)
        .where(
            _I.tenant_id == bindparam("tenant_id"),
            _I.number < bindparam("before_number", type_=BigInteger()),
            *(condition for name, condition in narrowed.items() if name in given),
        )
        .order_by(_I.number.desc())
        .limit(bindparam("count"))
    )


def add(tx: Tx, made: Interaction) -> None:
    """Store an answered question and what the answer cited."""
    tenant = tx.actor.tenant_id
    tx.run(
        _ADD,
        tenant_id=tenant,
        number=made.number,
        tool=made.tool,
        arguments=json.write_text(made.arguments),
        answer=json.write_text(made.answer),
        artifact_id=None if made.about is None else made.about.artifact_id,
        target=None if made.about is None else made.about.target,
        corpus_version=made.corpus_version,
        run_id=made.run_id,
        by_kind=made.by.kind,
        by_id=made.by.id,
        created_at=made.created_at,
        content_expired_at=made.content_expired_at,
    )
    rows = [
        {"tenant_id": tenant, "interaction": made.number, "n": one.n, "annotation_id": one.annotation_id}
        for one in made.citations
    ]
    if rows:
        tx.run(_ADD_CITATIONS, rows=json.write_text(rows))


def find(at: Snapshot, number: int) -> Interaction | None:
    """An interaction of the caller's tenant, with what it cited and what was said of it."""
    return _whole(at, at.one(_FIND, tenant_id=at.actor.tenant_id, number=number))


def hold(tx: Tx, number: int) -> Interaction | None:
    """An interaction of which nobody else says anything until the end of the transaction."""
    return _whole(tx, tx.one(_HOLD, tenant_id=tx.actor.tenant_id, number=number))


def _whole(at: Snapshot, row: Row | None) -> Interaction | None:
    if row is None:
        return None
    this = {"tenant_id": at.actor.tenant_id, "number": row["number"]}
    cited = [Citation(cited["n"], cited["annotation_id"]) for cited in at.all(_CITED, **this)]
    told = [feedback_in(said) for said in at.all(_FEEDBACK, **this)]
    return interaction_in(row, cited, told)


def page(at: Snapshot, given: dict[str, Any], after: Place | None, limit: int) -> list[Row]:
    """The rows of a page of interactions without their answers, newest first, with one more than the limit.

    `given` narrows by tool and artifact_id, and to the caller's own by my_kind and my_id.
    """
    named = frozenset("mine" if name == "my_kind" else name for name in given if name != "my_id")
    return at.all(
        _page(named),
        tenant_id=at.actor.tenant_id,
        before_number=_NEWEST if after is None else after.moment,
        count=limit + 1,
        **given,
    )


def place_of(row: Row) -> Place:
    """Where an interaction stands in a list, which is in the order of the numbers."""
    return Place(row["number"], "")


def add_feedback(tx: Tx, made: Feedback, said_key: str) -> None:
    """Store what was said of an answer."""
    tx.add(
        _ADD_FEEDBACK,
        tenant_id=tx.actor.tenant_id,
        number=made.number,
        interaction=made.interaction,
        kind=made.kind,
        claim=made.claim,
        correction=made.correction,
        evidence=made.evidence,
        scholar=made.scholar,
        annotation_run=made.annotation_run,
        rating=made.rating,
        message=made.message,
        said_key=said_key,
        by_kind=made.by.kind,
        by_id=made.by.id,
        created_at=made.created_at,
    )


def said_before(at: Snapshot, said_key: str) -> Feedback | None:
    """The feedback that said just the same."""
    row = at.one(_SAID, tenant_id=at.actor.tenant_id, said_key=said_key)
    return None if row is None else feedback_in(row)


def interaction_in(row: Row, cited: Sequence[Citation] = (), told: Sequence[Feedback] = ()) -> Interaction:
    """A row as a record; in a list it comes without its answer."""
    about = None if row["artifact_id"] is None else About(row["artifact_id"], row["target"] or "")
    answer = row.get("answer")
    return Interaction(
        number=row["number"],
        tool=row["tool"],
        arguments=json.read_stored(row["arguments"]),
        answer=None if answer is None else json.read_stored(answer),
        about=about,
        citations=cited,
        corpus_version=row["corpus_version"],
        run_id=row["run_id"],
        by=Principal(row["by_kind"], row["by_id"]),
        created_at=row["created_at"],
        feedback=told,
        content_expired_at=row["content_expired_at"],
    )


def feedback_in(row: Row) -> Feedback:
    """A row as a record."""
    return Feedback(
        number=row["number"],
        interaction=row["interaction"],
        kind=row["kind"],
        claim=row["claim"],
        correction=row["correction"],
        evidence=row["evidence"],
        scholar=row["scholar"],
        annotation_run=row["annotation_run"],
        rating=row["rating"],
        message=row["message"],
        by=Principal(row["by_kind"], row["by_id"]),
        created_at=row["created_at"],
    )
