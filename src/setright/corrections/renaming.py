"""A pseudonym in place of who made corrections, and the words that somebody said of the moves of others' corrections."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from sqlalchemy import bindparam, literal_column, select, update

from setright.corrections import story, tallies
from setright.corrections.evidence import hold_corrections
from setright.corrections.raters import others_of
from setright.corrections.tables import corrections
from setright.kernel import json
from setright.storage import Sql, Tx

_C = corrections.c
_MADE_BY = Sql(
    select(_C.id)
    .where(
        _C.tenant_id == bindparam("tenant_id"),
        _C.made_by_id == bindparam("user_id"),
        _C.made_by_kind == literal_column("'user'"),
    )
    .order_by(_C.created_at, _C.id)
    .limit(bindparam("count"))
)
_RENAME = Sql(
    update(corrections)
    .where(_C.tenant_id == bindparam("of_tenant"), _C.id == bindparam("of_id"))
    .values(made_by_id=bindparam("new_maker"))
)
_STANDINGS = Sql(
    select(_C.id, _C.sorted, _C.status_note)
    .where(_C.tenant_id == bindparam("tenant_id"), _C.id > bindparam("after"))
    .order_by(_C.id)
    .limit(bindparam("count"))
)
_SET_STANDINGS = Sql(
    update(corrections)
    .where(_C.tenant_id == bindparam("of_tenant"), _C.id == bindparam("of_id"))
    .values(sorted=bindparam("new_sorted"), status_note=bindparam("new_note"))
)


def rename_maker(tx: Tx, user_id: str, pseudonym: str, count: int) -> int:
    """Have up to `count` corrections of a user be a pseudonym's, with the figures of agreement; how many."""
    rows = tx.all(_MADE_BY, tenant_id=tx.actor.tenant_id, user_id=user_id, count=count)
    for now in hold_corrections(tx, [row["id"] for row in rows]) if rows else ():
        then = replace(now, made_by_id=pseudonym)
        others = others_of(tx, now)
        tx.run(_RENAME, of_tenant=now.tenant_id, of_id=now.id, new_maker=pseudonym)
        tallies.changed(tx, now, then, others)
    return len(rows)


def erase_notes_by(tx: Tx, user_id: str, after: str, count: int) -> tuple[int, str | None]:
    """Take out the reasons and notes of a user at the next `count` corrections; how many, and after which to go on."""
    rows = tx.all(_STANDINGS, tenant_id=tx.actor.tenant_id, after=after, count=count)
    gone = 0
    for row in rows:
        told = [row["sorted"], row["status_note"]]
        kept = [_without_words(text, user_id) for text in told]
        if kept != told:
            tx.run(
                _SET_STANDINGS,
                of_tenant=tx.actor.tenant_id,
                of_id=row["id"],
                new_sorted=kept[0],
                new_note=kept[1],
            )
            gone += 1
    story.erase_by(tx, [row["id"] for row in rows], user_id)
    return gone, rows[-1]["id"] if len(rows) == count else None


def _without_words(text: str | None, user_id: str) -> str | None:
    """A standing without the words of a user; a note of theirs is nothing without them."""
    if text is None or user_id not in text:
        return text
    told = cast("Mapping[str, Any]", json.read_stored(text))
    if told["by"].get("id") != user_id:
        return text
    if "text" in told:
        return None
    return json.write_text({name: value for name, value in told.items() if name != "reason"})
