"""What entries of the search mean: the texts that a model reads, its vectors of them, and which of these are there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, delete, exists, func, literal_column, select

from setright.jobs import Batch
from setright.knowledge.searching import WHOLE, Found
from setright.knowledge.tables import (
    annotations,
    artifact_lines,
    artifact_tokens,
    search_entries,
    search_vectors,
)
from setright.storage import Snapshot, Sql, Tx, insert

EMBED = "embed-lines"
EMBEDDED_AT_ONCE = 100
LOOKED_AT = 5_000
LONGEST_MEANT = 2_000
READ_AT_ONCE = 10_000
OF_A_LINE = ("translation", "sense", "note")
OF_ALL = ("title", "genre", "period", "language", "note")

Embed = Callable[[Sequence[str]], Sequence[bytes]]
"""A model: the vector of each text, empty bytes where there is nothing that it knows."""

_E, _V, _N, _L, _T = search_entries.c, search_vectors.c, annotations.c, artifact_lines.c, artifact_tokens.c
_STRETCH = (
    select(_E.number)
    .where(_E.number > bindparam("after"))
    .order_by(_E.number)
    .limit(bindparam("looked"))
    .subquery()
)
_LAST = Sql(select(func.max(_STRETCH.c.number).label("last")))
_KNOWN = exists().where(
    _V.tenant_id == _E.tenant_id,
    _V.artifact_id == _E.artifact_id,
    _V.line == _E.line,
    _V.model == bindparam("model"),
)
_DUE = Sql(
    select(_E.number, _E.tenant_id, _E.artifact_id, _E.line)
    .where(_E.number > bindparam("after"), _E.number <= bindparam("last"), ~_KNOWN)
    .order_by(_E.number)
    .limit(bindparam("count"))
)
"""Entries of every tenant that the model has not read as they are: this is a job of the ledger."""
_OF = (_N.tenant_id == bindparam("tenant_id"), _N.artifact_id == bindparam("artifact_id"))
_SAID_OF_ALL = Sql(
    select(_N.field, _N.value).where(*_OF, _N.target == literal_column("''")).order_by(_N.created_at, _N.id)
)
_LINE_TARGET = select(_L.target).where(
    _L.tenant_id == bindparam("tenant_id"),
    _L.artifact_id == bindparam("artifact_id"),
    _L.line == bindparam("line"),
)
_WORD_TARGETS = select(_T.target).where(
    _T.tenant_id == bindparam("tenant_id"),
    _T.artifact_id == bindparam("artifact_id"),
    _T.line == bindparam("line"),
)
_SAID_OF_LINE = Sql(
    select(_N.field, _N.value)
    .where(*_OF, _N.target.in_(_LINE_TARGET.union_all(_WORD_TARGETS)))
    .order_by(_N.created_at, _N.id)
)
_LINE = Sql(
    select(_L.text).where(
        _L.tenant_id == bindparam("tenant_id"),
        _L.artifact_id == bindparam("artifact_id"),
        _L.line == bindparam("line"),
    )
)
_DROP = Sql(
    delete(search_vectors).where(
        _V.tenant_id == bindparam("of_tenant"),
        _V.artifact_id == bindparam("of_artifact"),
        _V.line == bindparam("of_line"),
    )
)
_ADD = insert(search_vectors, ("number",))
_SINCE = Sql(
    select(_V.number, _V.artifact_id, _V.line, _V.vector)
    .where(
        _V.tenant_id == bindparam("tenant_id"), _V.model == bindparam("model"), _V.number > bindparam("after")
    )
    .order_by(_V.number)
    .limit(bindparam("count"))
)
_HOW_MANY = Sql(
    select(
        select(func.count()).where(_E.tenant_id == bindparam("tenant_id")).scalar_subquery().label("entries"),
        select(func.count())
        .where(_V.tenant_id == bindparam("tenant_id"), _V.model == bindparam("model"))
        .scalar_subquery()
        .label("vectors"),
    )
)


@dataclass(frozen=True, slots=True)
class Near:
    """The entries that are nearest in meaning to what is asked, the nearest first; `complete` if a model has read all."""

    found: tuple[Found, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class Vector:
    """What an entry means: its number grows with each that is made."""

    number: int
    artifact_id: str
    line: int
    vector: bytes


def embed_some(tx: Tx, model: str, embed: Embed, after: int | None) -> Batch:
    """Keep the vectors of the next entries that have none of this model, of every tenant."""
    after = after or 0
    row = tx.one(_LAST, after=after, looked=LOOKED_AT)
    last = None if row is None else row["last"]
    if last is None:
        return Batch(0)
    due = tx.all(_DUE, after=after, last=last, model=model, count=EMBEDDED_AT_ONCE)
    texts = [meant(tx, one["tenant_id"], one["artifact_id"], one["line"]) for one in due]
    for one, vector in zip(due, embed(texts) if texts else (), strict=True):
        of = {"of_tenant": one["tenant_id"], "of_artifact": one["artifact_id"], "of_line": one["line"]}
        tx.run(_DROP, **of)
        tx.run(
            _ADD,
            tenant_id=one["tenant_id"],
            artifact_id=one["artifact_id"],
            line=one["line"],
            model=model,
            vector=vector,
        )
    return Batch(len(due), due[-1]["number"] if len(due) == EMBEDDED_AT_ONCE else last)


def meant(at: Snapshot, tenant_id: str, artifact_id: str, line: int) -> str:
    """The words by which an entry is understood: what is said of it, and what is written where nobody translated it."""
    of: Mapping[str, Any] = {"tenant_id": tenant_id, "artifact_id": artifact_id}
    if line == WHOLE:
        told = [row["value"] for row in at.all(_SAID_OF_ALL, **of) if row["field"] in OF_ALL]
    else:
        said = at.all(_SAID_OF_LINE, **of, line=line)
        told = [row["value"] for name in OF_A_LINE for row in said if row["field"] == name]
        if not any(row["field"] == "translation" for row in said):
            told = [*(row["text"] for row in at.all(_LINE, **of, line=line)), *told]
    return " ".join(dict.fromkeys(told))[:LONGEST_MEANT]


def vectors_since(at: Snapshot, model: str, after: int) -> list[Vector]:
    """The tenant's vectors of a model with higher numbers, at most so many at once."""
    rows = at.all(_SINCE, tenant_id=at.actor.tenant_id, model=model, after=after, count=READ_AT_ONCE)
    return [Vector(row["number"], row["artifact_id"], row["line"], bytes(row["vector"])) for row in rows]


def all_read(at: Snapshot, model: str) -> bool:
    """Whether a model has read every entry of the tenant."""
    row = at.one(_HOW_MANY, tenant_id=at.actor.tenant_id, model=model)
    return row is not None and row["entries"] == row["vectors"]
