"""The statements of a briefing: rules in force in their order, open lessons, and what is counted instead of read."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from heapq import merge
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, bindparam, case, func, literal_column, select, tuple_

from setright.kernel import json
from setright.kernel.clock import LATEST_TIME
from setright.lessons.briefing_model import OpenLesson, RuleInForce
from setright.lessons.tables import lesson_counts, lessons
from setright.storage import Row, Snapshot, Sql
from setright.storage.lists import any_of

AT_FIRST, AT_MOST = 16, 128
FEW_SPACES = 4
MOST_GUARDING = 500
_L, _C = lessons.c, lesson_counts.c
_RULE = (
    _L.id,
    _L.project_id,
    _L.agent,
    _L.agent_key,
    _L.kind,
    _L.severity,
    _L.weight,
    _L.rule,
    _L.status,
    _L.broken_again,
    _L.until,
    _L.must_not_call,
    _L.adopted_by_kind,
    _L.adopted_by_id,
    _L.adopted_at,
    _L.verified_at,
    _L.created_at,
)
_OPEN = (
    _L.id,
    _L.project_id,
    _L.agent,
    _L.kind,
    _L.severity,
    _L.noticed_by,
    _L.what_happened,
    _L.rule,
    _L.created_at,
)
_ORDER = (_L.weight, _L.broken_again, _L.created_at, _L.id)
_FORCED = _L.in_force == literal_column("1")
_NOT_PAST = func.coalesce(_L.until, LATEST_TIME + 1) > bindparam("now", type_=BigInteger())
_OF_AGENT = (_L.tenant_id == bindparam("tenant_id"), _L.agent_key == bindparam("agent_key"))

Spaces = Sequence[str] | None
"""The spaces that are read, of which the empty one is the account; None: every one."""
_First = tuple[int, int, int, str]
_FROM_THE_FIRST: _First = (LATEST_TIME, LATEST_TIME, LATEST_TIME, "")


@lru_cache(maxsize=64)
def rules_behind(spaces: int | None) -> Sql:
    """Rules in force for an agent behind a place, in the order of the briefing."""
    behind = tuple_(*_ORDER) < tuple_(
        *(bindparam(f"behind_{column.name}", type_=column.type) for column in _ORDER)
    )
    return Sql(
        select(*_RULE)
        .where(*_OF_AGENT, *_in(spaces), _FORCED, _NOT_PAST, behind)
        .order_by(*(column.desc() for column in _ORDER))
        .limit(bindparam("count"))
    )


@lru_cache(maxsize=64)
def _open(spaces: int | None) -> Sql:
    is_open = (_L.status == literal_column("'open'"), _L.deleted_at.is_(None))
    return Sql(
        select(*_OPEN)
        .where(*_OF_AGENT, *_in(spaces), *is_open)
        .order_by(_L.created_at.desc(), _L.id.desc())
        .limit(bindparam("count"))
    )


@lru_cache(maxsize=64)
def guarding_rules(spaces: int | None) -> Sql:
    """Rules that forbid calls, in the order of their index: in none, SQLite would go through every rule of the agent."""
    return Sql(
        select(*_RULE)
        .where(*_OF_AGENT, *_in(spaces), _FORCED, _L.must_not_call.is_not(None), _NOT_PAST)
        .order_by(_L.space_key, _L.id)
        .limit(literal_column(str(MOST_GUARDING)))
    )


@lru_cache(maxsize=64)
def _counted(spaces: int | None) -> Sql:
    of_agents = _C.agent_key.in_([bindparam("agent_key"), literal_column("''")])
    where = [_C.tenant_id == bindparam("tenant_id"), of_agents]
    if spaces is not None:
        where.append(any_of(_C.space_key, "space", spaces))
    columns = (_C.agent_key, _C.space_key, _C.rules, _C.changes)
    return Sql(select(*columns).where(*where).order_by(_C.agent_key, _C.space_key))


@lru_cache(maxsize=64)
def ending_rules(spaces: int | None) -> Sql:
    """Of the rules in force that end: how many have ended, and when the next one ends."""
    is_past = _L.until <= bindparam("now", type_=BigInteger())
    return Sql(
        select(
            func.sum(case((is_past, 1), else_=0)).label("past"),
            func.min(case((is_past, None), else_=_L.until)).label("next_end"),
        )
        .select_from(lessons)
        .where(*_OF_AGENT, *_in(spaces), _FORCED, _L.until.is_not(None))
    )


def _in(spaces: int | None) -> list[ColumnElement[bool]]:
    if spaces is None:
        return []
    return [_L.space_key == bindparam("space_0")] if spaces == 1 else [any_of(_L.space_key, "space", spaces)]


def rules(at: Snapshot, agent_key: str, spaces: Spaces) -> Iterator[RuleInForce]:
    """The rules in force for an agent (empty: those for every agent) in the order of the briefing, read as needed."""
    walks = [_walk(at, agent_key, some) for some in _walks(spaces)]
    yield from walks[0] if len(walks) == 1 else merge(*walks, key=lambda rule: rule.place, reverse=True)


def _walk(at: Snapshot, agent_key: str, spaces: Spaces) -> Iterator[RuleInForce]:
    """The rules of some spaces, at first a few at a time: a small budget holds no more."""
    place, at_once = _FROM_THE_FIRST, AT_FIRST
    count, names = _named(spaces)
    while True:
        behind = dict(zip((f"behind_{column.name}" for column in _ORDER), place, strict=True))
        found = at.all(
            rules_behind(count), **_values(at, agent_key), **names, **behind, now=at.now, count=at_once
        )
        made = [_rule(row) for row in found]
        yield from made
        if len(made) < at_once:
            return
        place, at_once = made[-1].place, min(2 * at_once, AT_MOST)


def open_lessons(at: Snapshot, agent_keys: Sequence[str], spaces: Spaces, most: int) -> list[OpenLesson]:
    """The newest open lessons for these agents."""
    found: list[OpenLesson] = []
    for agent_key in agent_keys:
        for some in _walks(spaces):
            count, names = _named(some)
            rows = at.all(_open(count), **_values(at, agent_key), **names, count=most)
            found += [OpenLesson(**row) for row in rows]
    return sorted(found, key=lambda one: (one.created_at, one.id), reverse=True)[:most]


def guarding(at: Snapshot, agent_keys: Sequence[str], spaces: Spaces) -> list[RuleInForce]:
    """The rules in force for these agents that forbid calls, by id."""
    count, names = _named(spaces)
    found = [
        _rule(row)
        for agent_key in agent_keys
        for row in at.all(guarding_rules(count), **_values(at, agent_key), **names, now=at.now)
    ]
    return sorted(found, key=lambda rule: rule.id)


def how_it_stands(at: Snapshot, agent_key: str, spaces: Spaces) -> tuple[int, tuple[object, ...]]:
    """How many rules count for an agent, those past their time included, and a stamp of all that is told of it."""
    count, names = _named(spaces)
    rows = at.all(_counted(count), **_values(at, agent_key), **names)
    stamp = tuple((row["agent_key"], row["space_key"], row["changes"]) for row in rows)
    return sum(row["rules"] for row in rows), stamp


def past_their_time(at: Snapshot, agent_keys: Sequence[str], spaces: Spaces) -> tuple[int, int | None]:
    """How many rules in force are past their time, and when the next one will be."""
    count, names = _named(spaces)
    found = [at.one(ending_rules(count), **_values(at, key), **names, now=at.now) or {} for key in agent_keys]
    ends = [one["next_end"] for one in found if one.get("next_end") is not None]
    return sum(one.get("past") or 0 for one in found), min(ends, default=None)


def _walks(spaces: Spaces) -> list[Spaces]:
    """The walks along an index in which spaces are read: each by itself where they are few."""
    if spaces is None or len(spaces) > FEW_SPACES:
        return [spaces]
    return [[space] for space in spaces]


def _named(spaces: Spaces) -> tuple[int | None, dict[str, str]]:
    if spaces is None:
        return None, {}
    count = 1 << max(len(spaces) - 1, 0).bit_length()
    filled = [*spaces, *[spaces[-1]] * (count - len(spaces))]
    return count, {f"space_{number}": space for number, space in enumerate(filled)}


def _values(at: Snapshot, agent_key: str) -> dict[str, Any]:
    return {"tenant_id": at.actor.tenant_id, "agent_key": agent_key}


def _rule(row: Row) -> RuleInForce:
    calls = row["must_not_call"]
    row["must_not_call"] = () if calls is None else json.read_stored(calls)
    return RuleInForce(**row)
