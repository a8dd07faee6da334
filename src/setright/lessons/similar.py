"""Which rules in force are nearest to another one, found by their rarest words and by what is left without a negation."""

import hashlib
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    bindparam,
    delete,
    func,
    literal_column,
    select,
    tuple_,
    union_all,
    update,
)

from setright.lessons import spaces
from setright.lessons.likeness import difference, likeness, skeleton, weights, words
from setright.lessons.model import Lesson, Similar
from setright.lessons.tables import lessons, rule_word_counts, rule_words
from setright.storage import Row, Snapshot, Sql, Sums, Tx, insert
from setright.storage.lists import among, any_of, narrows

NEAREST = 5
RARE_WORDS = 12
ENTRIES = 20_000
"""How many entries of its words are gone through for a rule, those of its rarest word first."""
LOOKED_AT, WEIGHED = 256, 64
"""So many that share most are looked at, and so many of them weighed that the same agent reads."""
FINELY = 1_000
"""Weights are added up by the database as whole numbers of so many parts."""
READ_AT_ONCE = 20
OF_ALL = ""
"""The word under which every rule in force is counted once."""
COUNTS = Sums(rule_word_counts)
_L, _W, _C = lessons.c, rule_words.c, rule_word_counts.c
_ADD = insert(rule_words)
_OF_LESSON = (_W.tenant_id == bindparam("of_tenant"), _W.lesson_id == bindparam("of_lesson"))
_DROP = Sql(delete(rule_words).where(*_OF_LESSON))
_KEPT = Sql(select(_W.word).where(*_OF_LESSON))
_IN_FORCE = Sql(
    select(_L.tenant_id, _L.id, _L.rule)
    .where(
        _L.in_force == literal_column("1"),
        tuple_(_L.tenant_id, _L.id) > tuple_(bindparam("after_tenant"), bindparam("after_lesson")),
    )
    .order_by(_L.tenant_id, _L.id)
    .limit(bindparam("count"))
    .with_for_update(key_share=True)
)
_SKELETON = Sql(
    update(lessons)
    .where(_L.tenant_id == bindparam("of_tenant"), _L.id == bindparam("of_lesson"))
    .values(skeleton_key=bindparam("new_key"))
)
_TOLD = select(
    _L.id, _L.project_id, _L.space_key, _L.agent, _L.agent_key, _L.rule, _L.status, _L.until
).where(_L.tenant_id == bindparam("tenant_id"), _L.in_force == literal_column("1"))


class Audience(NamedTuple):
    """For whom a rule is: an agent (empty: every one) in a project (None: the whole account)."""

    agent_key: str
    project_id: str | None


@lru_cache(maxsize=32)
def _counted(count: int) -> Sql:
    return Sql(
        select(_C.word, _C.rules).where(
            _C.tenant_id == bindparam("tenant_id"), any_of(_C.word, "word", count)
        )
    )


@lru_cache(maxsize=32)
def these(count: int) -> Sql:
    """Of so many lessons, those whose rules are in force; by nothing else, or SQLite would go through all of an agent."""
    return Sql(_TOLD.where(any_of(_L.id, "lesson", count)))


@lru_cache(maxsize=256)
def with_skeleton(agent: bool, space: bool, readable: int | None) -> Sql:
    """The rules in force with a skeleton, which somebody of the audience reads too."""
    told = _TOLD.where(*_for(agent=agent, space=space, readable=readable))
    same = _L.skeleton_key == bindparam("skeleton_key")
    return Sql(told.where(narrows(same)), postgresql=told.where(same))


def _for(*, agent: bool, space: bool, readable: int | None) -> list[ColumnElement[bool]]:
    where: list[ColumnElement[bool]] = []
    if agent:
        where.append(_L.agent_key.in_([bindparam("agent_key"), literal_column("''")]))
    if space:
        where.append(_L.space_key.in_([bindparam("space_key"), literal_column("''")]))
    if readable is not None:
        where.append(any_of(_L.space_key, "space", readable))
    return where


def nearest(at: Snapshot, rule: str | None, of: Audience, but: Sequence[str] = ()) -> list[Similar]:
    """The rules in force that are nearest, those that differ only in a negation or a number before all others.

    Of these all, and five others; only such as somebody of the audience reads too, and the caller may read. `but` are
    lessons to leave out.
    """
    if rule is None:
        return []
    mine = words(rule)
    alike = [row for row in _alike(at, rule, of) if row["id"] not in but]
    others = _sharing_most(at, mine, of, {*but, *(row["id"] for row in alike)})
    weight = weights(*_counts(at, mine.union(*(words(row["rule"]) for row in (*alike, *others)))))

    def how_near(row: Row) -> tuple[float, str]:
        return -likeness(mine, words(row["rule"]), weight), row["id"]

    chosen = [*alike, *sorted(others, key=how_near)[:NEAREST]]
    made = [_similar(row, rule, -how_near(row)[0]) for row in chosen]
    near = (one for one in made if one.likeness > 0 or one.difference.only)
    return sorted(near, key=lambda one: (one.difference.only is None, -one.likeness, one.id))


@lru_cache(maxsize=RARE_WORDS)
def sharing(count: int) -> Sql:
    """The lessons that share most of so many words by their weights, of each word no more than the newest."""
    parts = [
        select(_W.lesson_id, bindparam(f"weight_{number}", type_=BigInteger()).label("weight"))
        .where(_W.tenant_id == bindparam("tenant_id"), _W.word == bindparam(f"word_{number}"))
        .order_by(_W.lesson_id.desc())
        .limit(bindparam(f"most_{number}"))
        .subquery(f"of_{number}")
        for number in range(count)
    ]
    whole = union_all(*(select(part.c.lesson_id, part.c.weight) for part in parts)).subquery("entries")
    share = func.sum(whole.c.weight)
    return Sql(
        select(whole.c.lesson_id)
        .group_by(whole.c.lesson_id)
        .order_by(share.desc(), whole.c.lesson_id.desc())
        .limit(literal_column(str(LOOKED_AT)))
    )


def _sharing_most(at: Snapshot, mine: frozenset[str], of: Audience, but: Collection[str]) -> list[Row]:
    """The rules that share most with these words: of all that have the rarest, and of the others as many as may be."""
    counts, all_rules = _counts(at, mine)
    weight = weights(counts, all_rules)
    values: dict[str, Any] = {}
    left = ENTRIES
    rarest = sorted((word for word in mine if word in counts), key=lambda word: (counts[word], word))
    for number, word in enumerate(rarest[:RARE_WORDS]):
        values |= {f"word_{number}": word, f"weight_{number}": round(weight(word) * FINELY)}
        values[f"most_{number}"] = min(counts[word], left)
        left -= min(counts[word], left)
    if not values:
        return []
    tenant_id = at.actor.tenant_id
    shares = at.all(sharing(len(values) // 3), tenant_id=tenant_id, **values)
    best = [row["lesson_id"] for row in shares if row["lesson_id"] not in but]
    count, names = among("lesson", best)
    readable = spaces.with_account(at.actor.readable_projects())
    told = {row["id"]: row for row in at.all(these(count), tenant_id=tenant_id, **names)}
    read = (told[one] for one in best if one in told and _is_read(told[one], of, readable))
    return [*islice((row for row in read if _counts_still(at, row)), WEIGHED)]


def _alike(at: Snapshot, rule: str, of: Audience) -> list[Row]:
    """The rules that differ from one only in negations and numbers."""
    there = spaces.with_account(at.actor.readable_projects())
    readable, values = (None, {}) if there is None else among("space", there)
    if of.agent_key:
        values["agent_key"] = of.agent_key
    if of.project_id is not None:
        values["space_key"] = of.project_id
    statement = with_skeleton(bool(of.agent_key), of.project_id is not None, readable)
    rows = at.all(statement, tenant_id=at.actor.tenant_id, skeleton_key=skeleton_key(rule), **values)
    return [row for row in rows if _counts_still(at, row)]


def _counts_still(at: Snapshot, row: Row) -> bool:
    return row["until"] is None or row["until"] > at.now


def _is_read(row: Row, of: Audience, readable: Sequence[str] | None) -> bool:
    """Whether somebody of the audience reads a rule, and the caller may."""
    agent = not of.agent_key or row["agent_key"] in (of.agent_key, "")
    space = of.project_id is None or row["space_key"] in (of.project_id, spaces.ACCOUNT)
    return agent and space and (readable is None or row["space_key"] in readable)


def _counts(at: Snapshot, some: frozenset[str]) -> tuple[dict[str, int], int]:
    """How many rules in force have each of these words, and how many there are at all."""
    count, names = among("word", [*sorted(some), OF_ALL])
    rows = at.all(_counted(count), tenant_id=at.actor.tenant_id, **names)
    counts = {row["word"]: row["rules"] for row in rows}
    return counts, counts.get(OF_ALL, 0)


def _similar(row: Row, rule: str, how_near: float) -> Similar:
    return Similar(
        row["id"],
        row["project_id"],
        row["agent"],
        row["rule"],
        row["status"],
        difference(rule, row["rule"]),
        how_near,
    )


def skeleton_key(rule: str) -> str:
    """What rules have in common that differ only in negations and numbers."""
    return hashlib.sha256(skeleton(rule).encode()).hexdigest()


def changed(tx: Tx, before: Lesson | None, after: Lesson) -> None:
    """Have the rule of a lesson found by its words while it is in force."""
    was_rule = before.rule if before is not None and before.is_in_force else None
    is_rule = after.rule if after.is_in_force else None
    if was_rule == is_rule:
        return
    was = frozenset[str]() if was_rule is None else _words_kept(tx, after.tenant_id, after.id)
    _keep(tx, after.tenant_id, after.id, was, _words_of(is_rule))


def read_again(tx: Tx, tenant_id: str, lesson_id: str) -> tuple[int, Sequence[str] | None]:
    """Read the next rules in force, of any tenant, behind a lesson; how many were read, and the last one if there may be more.

    What they are found by is what they would be found by if they came into force now.
    """
    rows = tx.all(_IN_FORCE, after_tenant=tenant_id, after_lesson=lesson_id, count=READ_AT_ONCE)
    for row in rows:
        of = {"of_tenant": row["tenant_id"], "of_lesson": row["id"]}
        tx.run(_SKELETON, **of, new_key=skeleton_key(row["rule"]))
        was = _words_kept(tx, row["tenant_id"], row["id"])
        _keep(tx, row["tenant_id"], row["id"], was, _words_of(row["rule"]))
    last = rows[-1] if len(rows) == READ_AT_ONCE else None
    return len(rows), None if last is None else (last["tenant_id"], last["id"])


def _keep(tx: Tx, tenant_id: str, lesson_id: str, was: frozenset[str], now: frozenset[str]) -> None:
    if was == now:
        return
    if was:
        tx.run(_DROP, of_tenant=tenant_id, of_lesson=lesson_id)
    for word in sorted(now - {OF_ALL}):
        tx.add(_ADD, tenant_id=tenant_id, word=word, lesson_id=lesson_id)
    for word in now - was:
        tx.count(COUNTS, (tenant_id, word), [1])
    for word in was - now:
        tx.count(COUNTS, (tenant_id, word), [-1])


def _words_kept(tx: Tx, tenant_id: str, lesson_id: str) -> frozenset[str]:
    """By which words a rule is found now: another version may have read it in another way, or not at all."""
    rows = tx.all(_KEPT, of_tenant=tenant_id, of_lesson=lesson_id)
    return frozenset([*(row["word"] for row in rows), *([OF_ALL] if rows else [])])


def _words_of(rule: str | None) -> frozenset[str]:
    found = frozenset[str]() if rule is None else words(rule)
    return found | {OF_ALL} if found else found
