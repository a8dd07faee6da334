"""The statements about lessons; every one filters by tenant."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import and_, bindparam, literal_column, select, update

from setright.kernel import json
from setright.kernel.paging import Place
from setright.lessons import similar, tallies
from setright.lessons.model import SEVERITIES, Decision, Lesson, Principal, Wording
from setright.lessons.similar import skeleton_key
from setright.lessons.tables import lesson_firsts, lesson_turns, lesson_wordings, lessons
from setright.lessons.wording import key_of
from setright.storage import Row, Snapshot, Sql, Tx, insert, insert_or_ignore
from setright.storage.lists import among, any_of, narrows

_L, _W, _F, _T = lessons.c, lesson_wordings.c, lesson_firsts.c, lesson_turns.c
_THIS = and_(_L.tenant_id == bindparam("of_tenant"), _L.id == bindparam("of_id"))
_STANDS = _L.deleted_at.is_(None)
_MOVING = (
    "rule",
    "rule_key",
    "skeleton_key",
    "status",
    "in_force",
    "broken_again",
    "duplicate_of",
    "occurrence",
    "supersedes",
    "until",
    "must_not_call",
    "adopted_by_kind",
    "adopted_by_id",
    "adopted_at",
    "verified_by_kind",
    "verified_by_id",
    "verified_at",
    "ended",
    "updated_at",
    "deleted_at",
)
_ADD = insert(lessons)
_FIND = Sql(select(lessons).where(_THIS))
_HOLD = Sql(select(lessons).where(_THIS).with_for_update(key_share=True))
_MOVE = Sql(update(lessons).where(_THIS).values({name: bindparam(f"new_{name}") for name in _MOVING}))
_FOLLOW = Sql(
    update(lessons)
    .where(_L.tenant_id == bindparam("of_tenant"), _L.duplicate_of == bindparam("old_root"))
    .values(duplicate_of=bindparam("new_root"))
)
_SPELLING = Sql(
    select(_L.agent)
    .where(_L.tenant_id == bindparam("tenant_id"), _L.agent_key == bindparam("agent_key"))
    .order_by(_L.created_at, _L.id)
    .limit(literal_column("1"))
)
_ADD_WORDING = insert(lesson_wordings)
_WORDINGS = Sql(
    select(lesson_wordings).where(
        _W.tenant_id == bindparam("tenant_id"),
        _W.lesson_id == bindparam("lesson_id"),
        _W.at.between(bindparam("first"), bindparam("last")),
    )
)
_SAY_FIRST = insert_or_ignore(lesson_firsts)
_SAID = and_(_F.tenant_id == bindparam("of_tenant"), _F.said_key == bindparam("of_key"))
_FIRST = Sql(select(_F.lesson_id, _F.at).where(_SAID).with_for_update())
_SAY_ANEW = Sql(
    update(lesson_firsts).where(_SAID).values(lesson_id=bindparam("new_id"), at=bindparam("new_at"))
)
_FIRST_TURN = insert_or_ignore(lesson_turns)
_MY_TURN = _T.tenant_id == bindparam("of_tenant")
_TURN = Sql(select(_T.at).where(_MY_TURN).with_for_update())
_MY_MOMENT = Sql(update(lesson_turns).where(_MY_TURN).values(at=bindparam("new_at")))


def says_the_same(spaces: int | None) -> Sql:
    """SQLite would otherwise go through the whole tenant in the order of the ids."""
    same = _L.rule_key == bindparam("rule_key")
    where = [
        _L.tenant_id == bindparam("tenant_id"),
        _L.in_force == literal_column("1"),
        _L.agent_key.in_([bindparam("agent_key"), literal_column("''")]),
    ]
    if spaces is not None:
        where.append(any_of(_L.space_key, "space", spaces))
    found = select(lessons).where(*where).order_by(_L.id).with_for_update(key_share=True)
    return Sql(found.where(narrows(same)), postgresql=found.where(same))


_SAYING: dict[int | None, Sql] = {}


def add(tx: Tx, made: Lesson) -> None:
    """Store a new lesson."""
    tx.add(
        _ADD,
        tenant_id=made.tenant_id,
        id=made.id,
        project_id=made.project_id,
        space_key=made.project_id or "",
        agent=made.agent,
        agent_key=made.agent_key,
        kind=made.kind,
        severity=made.severity,
        weight=SEVERITIES.index(made.severity),
        noticed_by=made.noticed_by,
        what_happened=made.what_happened,
        expected=made.expected,
        evidence=_text(made.evidence),
        session=made.session,
        from_correction_id=made.from_correction_id,
        recorded_by_kind=made.recorded_by.kind,
        recorded_by_id=made.recorded_by.id,
        created_at=made.created_at,
        content_erased_at=None,
        **_moving(made),
    )
    tallies.changed(tx, None, made)
    similar.changed(tx, None, made)


def find(at: Snapshot, lesson_id: str) -> Lesson | None:
    """A lesson of the caller's tenant that was not deleted."""
    row = at.one(_FIND, of_tenant=at.actor.tenant_id, of_id=lesson_id)
    return None if row is None or row["deleted_at"] is not None else record(row)


def hold(tx: Tx, lesson_id: str) -> Lesson | None:
    """A lesson of the caller's tenant, deleted ones too, which nobody else moves until the end of this transaction."""
    row = tx.one(_HOLD, of_tenant=tx.actor.tenant_id, of_id=lesson_id)
    if row is None:
        return None
    tx.happens_after(row["updated_at"])
    return record(row)


def move(tx: Tx, before: Lesson, moved: Lesson) -> None:
    """Store where a lesson stands now."""
    values = {f"new_{name}": value for name, value in _moving(moved).items()}
    tx.add(_MOVE, of_tenant=moved.tenant_id, of_id=moved.id, **values)
    tallies.changed(tx, before, moved)
    similar.changed(tx, before, moved)


def follow(tx: Tx, old_root: str, new_root: str) -> None:
    """Have the duplicates of a lesson point where it points itself from now on."""
    tx.run(_FOLLOW, of_tenant=tx.actor.tenant_id, old_root=old_root, new_root=new_root)


def saying_the_same(tx: Tx, rule: str, agent_key: str, spaces: Sequence[str] | None) -> list[Lesson]:
    """The rules in force for an agent, or for every agent, that say the same; held until the end of the transaction.

    Only those of the spaces, of which the empty one is the account; None: of any.
    """
    count, names = (None, {}) if spaces is None else among("space", spaces)
    statement = _SAYING.setdefault(count, says_the_same(count))
    rows = tx.all(
        statement, tenant_id=tx.actor.tenant_id, rule_key=key_of(rule), agent_key=agent_key, **names
    )
    found = [record(row) for row in rows if row["until"] is None or row["until"] > tx.now]
    for one in found:
        tx.happens_after(one.updated_at)
    return found


def spelling(at: Snapshot, agent_key: str) -> str | None:
    """How an agent was first written in a lesson."""
    row = at.one(_SPELLING, tenant_id=at.actor.tenant_id, agent_key=agent_key)
    return None if row is None else row["agent"]


def word(tx: Tx, of: Lesson) -> None:
    """Keep the words in which a lesson puts its rule now."""
    tx.add(
        _ADD_WORDING,
        tenant_id=of.tenant_id,
        lesson_id=of.id,
        at=tx.now,
        rule=of.rule,
        until=of.until,
        must_not_call=_text(of.must_not_call),
        by_kind=tx.actor.kind,
        by_id=tx.actor.id,
    )


def wordings(at: Snapshot, lesson_id: str, first: int, last: int) -> Mapping[int, Wording]:
    """The wordings of a lesson's rule between two moments, by the moment."""
    rows = at.all(_WORDINGS, tenant_id=at.actor.tenant_id, lesson_id=lesson_id, first=first, last=last)
    return {
        row["at"]: Wording(row["rule"], row["until"], _entries(row["must_not_call"]), row["at"])
        for row in rows
    }


def say_first(tx: Tx, said_key: str, lesson_id: str, since: int) -> str | None:
    """Say something for the first time since a moment, as a lesson, or learn which lesson said it before."""
    tenant = tx.actor.tenant_id
    if tx.run(_SAY_FIRST, tenant_id=tenant, said_key=said_key, lesson_id=lesson_id, at=tx.now):
        return None
    found = tx.one(_FIRST, of_tenant=tenant, of_key=said_key)
    if found is not None and found["at"] > since:
        return found["lesson_id"]
    say_anew(tx, said_key, lesson_id)
    return None


def say_anew(tx: Tx, said_key: str, lesson_id: str) -> None:
    """Say as another lesson what was said before."""
    tx.run(_SAY_ANEW, of_tenant=tx.actor.tenant_id, of_key=said_key, new_id=lesson_id, new_at=tx.now)


def take_turn(tx: Tx) -> None:
    """Wait until nobody else of the tenant is putting a rule in force."""
    tenant = tx.actor.tenant_id
    tx.run(_FIRST_TURN, tenant_id=tenant, at=0)
    turn = tx.one(_TURN, of_tenant=tenant)
    if turn is not None:
        tx.happens_after(turn["at"])
    tx.run(_MY_MOMENT, of_tenant=tenant, new_at=tx.now)


def record(row: Row) -> Lesson:
    """A row as a record."""
    return Lesson(
        id=row["id"],
        tenant_id=row["tenant_id"],
        project_id=row["project_id"],
        agent=row["agent"],
        agent_key=row["agent_key"],
        kind=row["kind"],
        severity=row["severity"],
        noticed_by=row["noticed_by"],
        what_happened=row["what_happened"],
        expected=row["expected"],
        rule=row["rule"],
        status=row["status"],
        evidence=_entries(row["evidence"]),
        session=row["session"],
        broken_again=row["broken_again"],
        duplicate_of=row["duplicate_of"],
        occurrence=bool(row["occurrence"]),
        supersedes=_entries(row["supersedes"]),
        until=row["until"],
        must_not_call=_entries(row["must_not_call"]),
        from_correction_id=row["from_correction_id"],
        recorded_by=Principal(row["recorded_by_kind"], row["recorded_by_id"]),
        adopted=_decision(row, "adopted"),
        verified=_decision(row, "verified"),
        ended=bool(row["ended"]),
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        deleted_at=row["deleted_at"],
        content_erased_at=row["content_erased_at"],
    )


def place_of(row: Row) -> Place:
    """Where a lesson stands in a list."""
    return Place(row["created_at"], row["id"])


def _moving(made: Lesson) -> dict[str, Any]:
    return {
        "rule": made.rule,
        "rule_key": None if made.rule is None else key_of(made.rule),
        "skeleton_key": None if made.rule is None else skeleton_key(made.rule),
        "status": made.status,
        "in_force": 1 if made.is_in_force else None,
        "broken_again": made.broken_again,
        "duplicate_of": made.duplicate_of,
        "occurrence": 1 if made.occurrence else None,
        "supersedes": _text(made.supersedes),
        "until": made.until,
        "must_not_call": _text(made.must_not_call),
        **_decided(made.adopted, "adopted"),
        **_decided(made.verified, "verified"),
        "ended": 1 if made.ended else None,
        "updated_at": made.updated_at,
        "deleted_at": made.deleted_at,
    }


def _decided(by: Decision | None, stem: str) -> dict[str, Any]:
    kind, identifier, at = (None, None, None) if by is None else by
    return {f"{stem}_by_kind": kind, f"{stem}_by_id": identifier, f"{stem}_at": at}


def _decision(row: Row, stem: str) -> Decision | None:
    at = row[f"{stem}_at"]
    return None if at is None else Decision(row[f"{stem}_by_kind"], row[f"{stem}_by_id"], at)


def _text(entries: Sequence[Any]) -> str | None:
    return json.write_text(entries) if entries else None


def _entries(text: str | None) -> tuple[Any, ...]:
    return () if text is None else tuple(json.read_stored(text))
