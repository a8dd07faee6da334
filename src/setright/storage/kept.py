"""Answers kept for 24 hours under their Idempotency-Key, and the small marks that belong to the whole ledger."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Table, bindparam, func, literal_column, null, select, update
from sqlalchemy import delete as core_delete

from setright.kernel import json
from setright.kernel.answer import Answer
from setright.kernel.clock import SECOND, to_wire
from setright.storage.errors import KeyBodyMismatch, KeyInFlight, ReplayWithheld
from setright.storage.sql import Sql, insert, insert_or_ignore, upsert
from setright.storage.tx import Row, Snapshot, Tx
from setright.storage.types import counter, json_text, metadata, moment, number, raw_bytes, text

KEPT_FOR = 24 * 3600 * SECOND

kept_answers = Table(
    "kept_answers",
    metadata,
    counter("id"),
    raw_bytes("fingerprint", unique=True),
    text("tenant_id"),
    raw_bytes("body_hash"),
    number("status"),
    json_text("headers"),
    raw_bytes("body", null=True),
    json_text("about"),
    moment("at"),
    sqlite_autoincrement=True,
)

marks = Table("marks", metadata, text("name", primary_key=True), text("value"))

IDENTITY = "identity"
WORKER_SEEN = "worker-seen"
CURSOR_SECRET = "cursor-secret"  # noqa: S105 - the name of the mark, not the secret


@dataclass(frozen=True, slots=True)
class Key:
    """An Idempotency-Key as it is stored: the hash of tenant, caller, method, path, query and key, and of the body."""

    fingerprint: bytes
    body_hash: bytes

    @property
    def lock(self) -> int:
        """The signed 64-bit number under which PostgreSQL locks the key."""
        return int.from_bytes(self.fingerprint[:8], signed=True)


_KEPT = kept_answers.c
_JOINED = marks.outerjoin(kept_answers, _KEPT.fingerprint == bindparam("fingerprint"))
_COLUMNS = (
    marks.c.value.label("version"),
    _KEPT.body_hash,
    _KEPT.status,
    _KEPT.headers,
    _KEPT.body,
    _KEPT.at,
)
_IDENTITY_NAME = marks.c.name == IDENTITY
VERSION = Sql(select(marks.c.value.label("version")).where(_IDENTITY_NAME))
FIND = Sql(select(*_COLUMNS).select_from(_JOINED).where(_IDENTITY_NAME))
LOCK = Sql(
    select(func.pg_try_advisory_xact_lock(bindparam("lock")).label("mine"), *_COLUMNS)
    .select_from(_JOINED)
    .where(_IDENTITY_NAME)
)
KEEP = insert(kept_answers, leave_out=("id",))
FORGET = Sql(core_delete(kept_answers).where(_KEPT.fingerprint == bindparam("key")))
RAISE_VERSION = Sql(update(marks).where(_IDENTITY_NAME).values(value=bindparam("new_value")))
READ_MARK = Sql(select(marks.c.value).where(marks.c.name == bindparam("name")))
ADD_MARK = insert_or_ignore(marks)
SET_MARK = upsert(marks, ("name",))
_OLDEST = select(_KEPT.id).order_by(_KEPT.id).limit(bindparam("batch")).scalar_subquery()
DROP_OLD = Sql(core_delete(kept_answers).where(_KEPT.id.in_(_OLDEST), _KEPT.at < bindparam("before")))
ANSWERS = Sql(
    select(_KEPT.id, _KEPT.about, _KEPT.body)
    .where(_KEPT.tenant_id == bindparam("tenant_id"), _KEPT.id > bindparam("after"))
    .order_by(_KEPT.id)
    .limit(bindparam("count"))
)
WITHHOLD = Sql(
    update(kept_answers)
    .where(_KEPT.id == bindparam("id_of"))
    .values(body=null(), headers=literal_column("'[]'"))
)


def identity_version(at: Snapshot) -> str:
    """The mark that changes with every change of tenants, users, tokens and members."""
    row = at.one(VERSION)
    return row["version"] if row else ""


def raise_identity_version(tx: Tx) -> None:
    """Make every remembered caller be read again, in this and in every other process."""
    tx.run(RAISE_VERSION, new_value=tx.new_id("req"))


def mark(tx: Tx, name: str, value: str) -> str:
    """The mark called `name`, which becomes `value` if it does not exist yet."""
    tx.run(ADD_MARK, name=name, value=value)
    found = read_mark(tx, name)
    return value if found is None else found


def set_mark(tx: Tx, name: str, value: str) -> None:
    """Make `value` the mark called `name`, whatever it was."""
    tx.run(SET_MARK, name=name, value=value)


def read_mark(at: Snapshot, name: str) -> str | None:
    """The mark called `name`, None when there is none."""
    row = at.one(READ_MARK, name=name)
    return row["value"] if row else None


@dataclass(frozen=True, slots=True)
class Claim:
    """A claimed key: the identity version at that moment, and what to answer instead of running the request.

    The two are apart so that a caller can be confirmed by the version before it is told anything about the key.
    """

    version: str
    _row: Row | None = None
    _key: Key | None = None
    _now: int = 0

    def answer(self) -> Answer | None:
        """The answer to give again, None when the request is to run; refuses a key that is in use or had another body."""
        row, key = self._row, self._key
        if row is None or key is None:
            return None
        if not row.get("mine", True):
            raise KeyInFlight
        if row["at"] is None or _is_old(row, self._now):
            return None
        if bytes(row["body_hash"]) != key.body_hash:
            raise KeyBodyMismatch
        if row["body"] is None:
            raise ReplayWithheld(row["status"], to_wire(row["at"]))
        headers = tuple((name, value) for name, value in json.read_stored(row["headers"]))
        return Answer(row["status"], bytes(row["body"]), (*headers, ("Idempotent-Replay", "true")))


def claim(tx: Tx, key: Key | None) -> Claim:
    """Claim a key for the request that runs in this transaction; without a key, only the identity version is read.

    On PostgreSQL the key is locked until the end of the transaction; on SQLite the one writer is the lock. Where the
    first request commits between our reading and our locking, `keep` meets its row and the transaction is run again.
    """
    if key is None:
        return Claim(identity_version(tx))
    if tx.engine == "postgresql":
        row = tx.one(LOCK, fingerprint=key.fingerprint, lock=key.lock)
    else:
        row = tx.one(FIND, fingerprint=key.fingerprint)
    if row is not None and row.get("mine", True) and row["at"] is not None and _is_old(row, tx.now):
        tx.add(FORGET, key=key.fingerprint)
    return _claim_in(row, key, tx.now)


def look_up(at: Snapshot, key: Key | None) -> Claim:
    """`claim` without the lock: what a request with this key would be answered before it runs."""
    if key is None:
        return Claim(identity_version(at))
    return _claim_in(at.one(FIND, fingerprint=key.fingerprint), key, at.now)


def _claim_in(row: Row | None, key: Key, now: int) -> Claim:
    return Claim("" if row is None else row["version"], row, key, now)


def _is_old(row: Row, now: int) -> bool:
    return row["at"] <= now - KEPT_FOR


def keep(tx: Tx, key: Key, answer: Answer) -> None:
    """Keep an answer under its key, in the transaction of the effect; a secret one keeps only that it succeeded."""
    tx.add(
        KEEP,
        fingerprint=key.fingerprint,
        tenant_id=tx.actor.tenant_id,
        body_hash=key.body_hash,
        status=answer.status,
        headers=json.write_text(answer.headers),
        body=None if answer.secret else answer.body,
        about=json.write_text(answer.about),
        at=tx.now,
    )


def drop_old(tx: Tx, batch: int = 500) -> int:
    """Delete up to `batch` answers that are older than 24 hours; how many went."""
    return tx.run(DROP_OLD, batch=batch, before=tx.now - KEPT_FOR)


def withhold(
    tx: Tx, erased: Callable[[Sequence[str]], set[str]], named: bytes | None, after: int, count: int
) -> tuple[int, int | None]:
    """Take out those of the next `count` kept answers that speak of what is `erased`, or in which `named` stands.

    `erased` is asked once, for all ids that these answers speak of. How many went, and after which to go on, None at
    the end. Who sends such a request again is told that its answer is withheld.
    """
    rows = tx.all(ANSWERS, tenant_id=tx.actor.tenant_id, after=after, count=count)
    kept = {row["id"]: set(json.read_stored(row["about"])) for row in rows if row["body"] is not None}
    gone_ids = erased(sorted(set[str]().union(*kept.values())))
    gone = 0
    for row in rows:
        about = kept.get(row["id"])
        if about is not None and (about & gone_ids or (named is not None and named in bytes(row["body"]))):
            gone += tx.run(WITHHOLD, id_of=row["id"])
    return gone, rows[-1]["id"] if len(rows) == count else None
