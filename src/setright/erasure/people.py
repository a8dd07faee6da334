"""A pseudonym in place of a user, wherever the ledger names who did something."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Table, bindparam, func, literal_column, select, tuple_, update

from setright import corrections, events
from setright.erasure.model import Erasure, Step
from setright.storage import Sql, Tx, metadata

AT_ONCE = 500
TOLD = (
    ("corrections", "sorted"),
    ("corrections", "fixed_in"),
    ("corrections", "reopened_in"),
    ("corrections", "status_note"),
    ("correction_moves", "standing"),
    ("corrector_groups", "assertable_by"),
)
"""Texts in which ids of users stand beside other things."""
ALONE = (("tokens", "user_id"),)
"""Columns that hold the id of a user and need no kind beside it."""
APART = ("subject_kind",)
"""Columns of a kind that is never a user's, but in the log of events."""


def as_rater(tx: Tx, now: Erasure, _place: Any) -> Step:
    """Corrections that the user made are the pseudonym's, and so are the figures of agreement."""
    moved = corrections.rename_maker(tx, now.target or "", now.pseudonym or "", AT_ONCE // 5)
    return Step(Counter(names=moved), "more" if moved else None)


def as_name(tx: Tx, now: Erasure, place: Any) -> Step:
    """The pseudonym in every column that names the user, one column after another."""
    changes = _changes()
    at = int(place or 0)
    changed = tx.run(
        changes[at],
        in_tenant=tx.actor.tenant_id,
        old=now.target,
        new=now.pseudonym,
        old_hash=events.hash_of_id(now.target or ""),
        likeness=f"%{now.target}%",
        count=AT_ONCE,
    )
    after = at if changed == AT_ONCE else at + 1
    return Step(Counter(names=changed), after if after < len(changes) else None)


@cache
def _changes() -> tuple[Sql, ...]:
    """One statement for each column; each changes up to `count` rows of the tenant."""
    tables = sorted(metadata.tables.values(), key=lambda table: table.name)
    found = [change for table in tables if "tenant_id" in table.c for change in _of_table(table)]
    return tuple(found)


def _of_table(table: Table) -> Iterator[Sql]:
    for column in table.c:
        kind = table.c.get(f"{column.name[:-3]}_kind") if column.name.endswith("_id") else None
        named = kind is not None and (kind.name not in APART or table.name == "events")
        if named and kind is not None and table.name != "corrections":
            yield _change(table, column, (kind == literal_column("'user'")) & (column == bindparam("old")))
        elif (table.name, column.name) in ALONE:
            yield _change(table, column, column == bindparam("old"))
        elif (table.name, column.name) in TOLD:
            replaced = func.replace(column, bindparam("old"), bindparam("new"))
            yield _change(table, column, column.like(bindparam("likeness")), replaced)


def _change(table: Table, column: ColumnElement[Any], where: ColumnElement[bool], value: Any = None) -> Sql:
    keys = list(table.primary_key.columns)
    mine = table.c.tenant_id == bindparam("in_tenant")
    chosen = select(*keys).where(mine, where).limit(bindparam("count"))
    key = keys[0] if len(keys) == 1 else tuple_(*keys)
    changed: dict[str, Any] = {column.name: bindparam("new") if value is None else value}
    if table.name == "events":
        # What was sealed is told by the hash of the id that stood there.
        changed[column.name.replace("_id", "_hash")] = bindparam("old_hash")
    return Sql(update(table).where(mine, key.in_(chosen)).values(changed))
