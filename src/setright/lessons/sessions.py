"""Which session was told which rules, so that retiring one says how many sessions still have it."""

import hashlib
from collections.abc import Sequence

from sqlalchemy import and_, bindparam, delete, exists, func, select

from setright.kernel import json
from setright.kernel.clock import SECOND
from setright.lessons.briefing_model import RuleInForce
from setright.lessons.tables import lesson_served, lesson_sessions
from setright.storage import Row, Snapshot, Sql, Tx, insert_or_ignore, upsert

KEPT_FOR = 90 * 24 * 3600 * SECOND
AT_ONCE = 200
_S, _R = lesson_sessions.c, lesson_served.c
_THIS = and_(
    _S.tenant_id == bindparam("of_tenant"),
    _S.agent_key == bindparam("of_agent"),
    _S.session == bindparam("of_session"),
)
_HASH = Sql(select(_S.hash).where(_THIS).with_for_update())
_TELL = upsert(lesson_sessions, ("tenant_id", "agent_key", "session"))
_SERVE = insert_or_ignore(lesson_served)
_STILL_HAVE = Sql(
    select(func.count().label("sessions"))
    .select_from(lesson_served.join(lesson_sessions, and_(_S.tenant_id == _R.tenant_id, _S.hash == _R.hash)))
    .where(_R.tenant_id == bindparam("tenant_id"), _R.lesson_id == bindparam("lesson_id"))
)
_FORGET = Sql(
    delete(lesson_served).where(
        _R.tenant_id == bindparam("of_tenant"),
        _R.hash == bindparam("of_hash"),
        ~exists().where(_S.tenant_id == bindparam("of_tenant"), _S.hash == bindparam("of_hash")),
    )
)
_OLD = Sql(
    select(_S.tenant_id, _S.agent_key, _S.session, _S.hash)
    .where(_S.at < bindparam("before_moment"))
    .order_by(_S.at)
    .limit(bindparam("count"))
)
_OLD_OF = Sql(
    select(_S.tenant_id, _S.agent_key, _S.session, _S.hash)
    .where(_S.tenant_id == bindparam("tenant_id"), _S.at < bindparam("before_moment"))
    .order_by(_S.at)
    .limit(bindparam("count"))
)
_COUNT_OLD = Sql(
    select(func.count().label("sessions"))
    .select_from(lesson_sessions)
    .where(_S.tenant_id == bindparam("tenant_id"), _S.at < bindparam("before_moment"))
)
_DROP = Sql(delete(lesson_sessions).where(_THIS))


def told(tx: Tx, agent_key: str, session: str, rules: Sequence[RuleInForce]) -> None:
    """Remember which rules a session of an agent was told last."""
    hashed = hashlib.sha256(json.write([[rule.id, rule.rule] for rule in rules])).hexdigest()
    this = {"of_tenant": tx.actor.tenant_id, "of_agent": agent_key, "of_session": session}
    before = tx.one(_HASH, **this)
    if before is None or before["hash"] != hashed:
        for rule in rules:
            tx.add(_SERVE, tenant_id=tx.actor.tenant_id, lesson_id=rule.id, hash=hashed)
    tx.run(_TELL, tenant_id=tx.actor.tenant_id, agent_key=agent_key, session=session, hash=hashed, at=tx.now)
    if before is not None and before["hash"] != hashed:
        tx.run(_FORGET, of_tenant=tx.actor.tenant_id, of_hash=before["hash"])


def that_still_have(at: Snapshot, lesson_id: str) -> int:
    """How many sessions of the last 90 days were told a rule in the last briefing that they read."""
    row = at.one(_STILL_HAVE, tenant_id=at.actor.tenant_id, lesson_id=lesson_id)
    return 0 if row is None else row["sessions"]


def drop_old(tx: Tx) -> int:
    """Forget up to 200 sessions, of any tenant, that read no briefing for 90 days; how many went."""
    return _forget(tx, tx.all(_OLD, before_moment=tx.now - KEPT_FOR, count=AT_ONCE))


def drop_sessions_before(tx: Tx, before: int, count: int) -> int:
    """Forget up to `count` sessions of the tenant that read no briefing since a moment; how many went."""
    return _forget(tx, tx.all(_OLD_OF, tenant_id=tx.actor.tenant_id, before_moment=before, count=count))


def count_sessions_before(at: Snapshot, before: int) -> int:
    """How many sessions of the tenant read no briefing since a moment."""
    row = at.one(_COUNT_OLD, tenant_id=at.actor.tenant_id, before_moment=before)
    return 0 if row is None else row["sessions"]


def _forget(tx: Tx, old: Sequence[Row]) -> int:
    for row in old:
        this = {"of_tenant": row["tenant_id"], "of_agent": row["agent_key"], "of_session": row["session"]}
        tx.run(_DROP, **this)
        tx.run(_FORGET, of_tenant=row["tenant_id"], of_hash=row["hash"])
    return len(old)
