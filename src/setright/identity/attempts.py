"""What slows guessing of passwords: how often somebody tried, from where, and how long the next try waits."""

import hashlib
from collections.abc import Mapping

from sqlalchemy import bindparam, delete, select, update

from setright.identity.errors import SignInSlowed
from setright.identity.tables import sign_in_attempts, sign_in_places
from setright.kernel.clock import SECOND
from setright.storage import Sql, Tx, insert_or_ignore, upsert

# Three counts, of tries since the last right one: of one account from one address, of one account from all addresses
# where it was never signed in before, and of one such address whatever the account. Nobody is shut out for good: the
# longest wait is minutes, and an address where the account was signed in before is slowed by its own tries only.
FREE: Mapping[str, int] = {"pair": 5, "account": 10, "address": 30}
"""How many tries are never slowed."""
LONGEST: Mapping[str, int] = {"pair": 300, "account": 60, "address": 300}
"""The longest wait before a next try, in seconds."""
FORGOTTEN = 24 * 3600 * SECOND
PLACES_FOR = 90 * 24 * 3600 * SECOND

_A, _P = sign_in_attempts.c, sign_in_places.c
_THIS = (_A.kind == bindparam("of_kind")) & (_A.key_hash == bindparam("of_key"))
_ADD = insert_or_ignore(sign_in_attempts)
_HOLD = Sql(select(_A.count, _A.last_at).where(_THIS).with_for_update())
_COUNT = Sql(update(sign_in_attempts).where(_THIS).values(count=bindparam("tries"), last_at=bindparam("at")))
_FORGIVE = Sql(delete(sign_in_attempts).where(_THIS))
_KNOWN = Sql(
    select(_P.last_at).where(
        _P.tenant_id == bindparam("tenant_id"),
        _P.user_id == bindparam("user_id"),
        _P.address_hash == bindparam("address_hash"),
        _P.last_at > bindparam("after"),
    )
)
_REMEMBER = upsert(sign_in_places, ("tenant_id", "user_id", "address_hash"))
_FORGET_PLACES = Sql(
    delete(sign_in_places).where(_P.tenant_id == bindparam("in_tenant"), _P.user_id == bindparam("of_user"))
)
_OLD_ATTEMPTS = Sql(delete(sign_in_attempts).where(_A.last_at < bindparam("before")))
_OLD_PLACES = Sql(delete(sign_in_places).where(_P.last_at < bindparam("before")))


def seconds_to_wait(kind: str, tries: int) -> int:
    """How long the next try waits after so many: nothing at first, then twice as long each time, up to the longest."""
    beyond = tries - FREE[kind]
    return 0 if beyond < 0 else min(LONGEST[kind], 2 ** min(beyond, 20))


def keys_of(account: str, address: str) -> dict[str, str]:
    """Under what the tries at an account from an address are counted, by kind; the order is that of the locks."""
    return {
        "account": _hash("account", account),
        "address": _hash("address", address),
        "pair": _hash("pair", account, address),
    }


def count_try(tx: Tx, keys: Mapping[str, str], tenant_id: str, user_id: str | None) -> bool:
    """Count a try before it is known whether it is right, so that many at once are as many; whether the next ones wait now.

    Refuses (`sign-in-slowed`) one that comes too early, which counts as none.
    """
    known = user_id is not None and tx.one(
        _KNOWN,
        tenant_id=tenant_id,
        user_id=user_id,
        address_hash=keys["address"],
        after=tx.now - PLACES_FOR,
    )
    begins = False
    for kind in ("pair",) if known else tuple(keys):
        begins = _count(tx, kind, keys[kind]) == FREE[kind] or begins
    return begins


def _count(tx: Tx, kind: str, key: str) -> int:
    tx.run(_ADD, kind=kind, key_hash=key, count=0, last_at=0)
    row = tx.one(_HOLD, of_kind=kind, of_key=key)
    tries, last = (
        (0, 0) if row is None or row["last_at"] < tx.now - FORGOTTEN else (row["count"], row["last_at"])
    )
    left = last + seconds_to_wait(kind, tries) * SECOND - tx.now
    if tries and left > 0:
        raise SignInSlowed(-(-left // SECOND))
    tx.run(_COUNT, of_kind=kind, of_key=key, tries=tries + 1, at=tx.now)
    return tries + 1


def forgive(tx: Tx, keys: Mapping[str, str], tenant_id: str, user_id: str) -> None:
    """A right password: the account's tries are forgotten, and its address is known from now on.

    The address's own count stays: else somebody with an account would begin anew with each sign-in of theirs.
    """
    for kind in ("account", "pair"):
        tx.run(_FORGIVE, of_kind=kind, of_key=keys[kind])
    tx.run(_REMEMBER, tenant_id=tenant_id, user_id=user_id, address_hash=keys["address"], last_at=tx.now)


def forget_places(tx: Tx, tenant_id: str, user_id: str) -> None:
    """Drop from where a user came in."""
    tx.run(_FORGET_PLACES, in_tenant=tenant_id, of_user=user_id)


def drop_old_attempts(tx: Tx) -> int:
    """Drop tries of more than a day ago, and places of more than ninety days ago; how many went."""
    return tx.run(_OLD_ATTEMPTS, before=tx.now - FORGOTTEN) + tx.run(_OLD_PLACES, before=tx.now - PLACES_FOR)


def _hash(*parts: str) -> str:
    whole = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
    return hashlib.sha256(whole).hexdigest()
