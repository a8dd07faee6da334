"""The statements about scholars and the claims to speak as one; every one filters by tenant."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, and_, bindparam, literal_column, select, update

from setright.identity.scholar_model import Scholar, ScholarClaim
from setright.identity.tables import scholar_claims, scholars
from setright.kernel.paging import Place
from setright.storage import Row, Snapshot, Sql, Tx, insert, insert_or_ignore
from setright.storage.lists import before, page_values

_S, _C = scholars.c, scholar_claims.c
_THIS = and_(_S.tenant_id == bindparam("of_tenant"), _S.number == bindparam("of_number"))
_ITS_CLAIMS = and_(_C.tenant_id == bindparam("tenant_id"), _C.scholar == bindparam("scholar"))
_MINE = and_(_C.principal_kind == bindparam("my_kind"), _C.principal_id == bindparam("my_id"))
_LIVE = _C.status.in_([literal_column("'asked'"), literal_column("'approved'")])
_HIGHEST = 2**62
_ADD = insert(scholars)
_FIND = Sql(select(scholars).where(_THIS))
_HOLD = Sql(select(scholars).where(_THIS).with_for_update(key_share=True))
_WITH_ORCID = Sql(
    select(scholars).where(_S.tenant_id == bindparam("tenant_id"), _S.orcid == bindparam("orcid"))
)
_CHANGE = Sql(
    update(scholars)
    .where(_THIS)
    .values(
        name=bindparam("new_name"),
        orcid=bindparam("new_orcid"),
        institution=bindparam("new_institution"),
        updated_at=bindparam("at"),
    )
)
_PAGE = Sql(
    select(scholars)
    .where(
        _S.tenant_id == bindparam("tenant_id"),
        _S.number < bindparam("before_number", type_=BigInteger()),
    )
    .order_by(_S.number.desc())
    .limit(bindparam("count"))
)
_ADD_CLAIM = insert_or_ignore(scholar_claims)
_CLAIM = select(scholar_claims).where(_ITS_CLAIMS, _C.id == bindparam("claim_id"))
_FIND_CLAIM, _HOLD_CLAIM = Sql(_CLAIM), Sql(_CLAIM.with_for_update())
_LIVE_CLAIM = Sql(select(scholar_claims).where(_ITS_CLAIMS, _MINE, _LIVE))
_MOVE_CLAIM = Sql(
    update(scholar_claims)
    .where(_C.tenant_id == bindparam("of_tenant"), _C.id == bindparam("of_id"))
    .values(
        {
            name: bindparam(f"new_{name}")
            for name in ("status", "reason", "decided_by_kind", "decided_by_id", "decided_at", "updated_at")
        }
    )
)
_SPOKEN_FOR = Sql(
    select(_C.scholar)
    .where(_C.tenant_id == bindparam("tenant_id"), _MINE, _C.status == "approved")
    .order_by(_C.scholar)
)


def _claims(*more: Any) -> Sql:
    return Sql(
        select(scholar_claims)
        .where(_ITS_CLAIMS, before(_C.created_at, _C.id), *more)
        .order_by(_C.created_at.desc(), _C.id.desc())
        .limit(bindparam("count"))
    )


_ALL_CLAIMS, _MY_CLAIMS = _claims(), _claims(_MINE)


@lru_cache(maxsize=16)
def _named(count: int) -> Sql:
    numbers = [bindparam(f"number_{place}", type_=BigInteger()) for place in range(count)]
    return Sql(
        select(_S.number, _S.name).where(_S.tenant_id == bindparam("tenant_id"), _S.number.in_(numbers))
    )


def add(tx: Tx, made: Scholar) -> None:
    """Store a new scholar."""
    tx.add(_ADD, tenant_id=tx.actor.tenant_id, **asdict(made))


def find(at: Snapshot, number: int) -> Scholar | None:
    """A scholar of the caller's tenant."""
    row = at.one(_FIND, of_tenant=at.actor.tenant_id, of_number=number)
    return None if row is None else scholar_in(row)


def hold(tx: Tx, number: int) -> Scholar | None:
    """A scholar whom nobody else changes until the end of the transaction."""
    row = tx.one(_HOLD, of_tenant=tx.actor.tenant_id, of_number=number)
    if row is None:
        return None
    tx.happens_after(row["updated_at"])
    return scholar_in(row)


def with_orcid(at: Snapshot, orcid: str) -> Scholar | None:
    """The scholar who has an ORCID."""
    row = at.one(_WITH_ORCID, tenant_id=at.actor.tenant_id, orcid=orcid)
    return None if row is None else scholar_in(row)


def change(tx: Tx, changed: Scholar) -> None:
    """Store what a scholar is now."""
    tx.run(
        _CHANGE,
        of_tenant=tx.actor.tenant_id,
        of_number=changed.number,
        new_name=changed.name,
        new_orcid=changed.orcid,
        new_institution=changed.institution,
        at=changed.updated_at,
    )


def page(at: Snapshot, after: Place | None, limit: int) -> list[Row]:
    """The rows of a page of scholars, newest first, with one more than the limit."""
    number = _HIGHEST if after is None else after.moment
    return at.all(_PAGE, tenant_id=at.actor.tenant_id, before_number=number, count=limit + 1)


def names(at: Snapshot, numbers: Iterable[int]) -> dict[int, str]:
    """The names of scholars, by number."""
    wanted = sorted(set(numbers))
    if not wanted:
        return {}
    count = 1 << (len(wanted) - 1).bit_length()
    filled = [*wanted, *[wanted[-1]] * (count - len(wanted))]
    values = {f"number_{place}": number for place, number in enumerate(filled)}
    return {
        row["number"]: row["name"] for row in at.all(_named(count), tenant_id=at.actor.tenant_id, **values)
    }


def add_claim(tx: Tx, made: ScholarClaim) -> bool:
    """Store a new claim; False where somebody else was quicker to make one that is alive."""
    return bool(tx.run(_ADD_CLAIM, tenant_id=tx.actor.tenant_id, **asdict(made)))


def hold_claim(tx: Tx, scholar: int, claim_id: str) -> ScholarClaim | None:
    """A claim that nobody else moves until the end of the transaction."""
    row = tx.one(_HOLD_CLAIM, tenant_id=tx.actor.tenant_id, scholar=scholar, claim_id=claim_id)
    if row is None:
        return None
    tx.happens_after(row["updated_at"])
    return claim_in(row)


def live_claim(at: Snapshot, scholar: int, kind: str, principal_id: str) -> ScholarClaim | None:
    """The claim on a scholar that a user or service asked for or was granted."""
    row = at.one(_LIVE_CLAIM, tenant_id=at.actor.tenant_id, scholar=scholar, my_kind=kind, my_id=principal_id)
    return None if row is None else claim_in(row)


def move_claim(tx: Tx, moved: ScholarClaim) -> None:
    """Store where a claim stands now."""
    tx.run(
        _MOVE_CLAIM,
        of_tenant=tx.actor.tenant_id,
        of_id=moved.id,
        new_status=moved.status,
        new_reason=moved.reason,
        new_decided_by_kind=moved.decided_by_kind,
        new_decided_by_id=moved.decided_by_id,
        new_decided_at=moved.decided_at,
        new_updated_at=moved.updated_at,
    )


def page_of_claims(at: Snapshot, scholar: int, after: Place | None, limit: int, *, every: bool) -> list[Row]:
    """The rows of a page of claims on a scholar, newest first, only the caller's own unless every one is asked for."""
    whole = {"tenant_id": at.actor.tenant_id, "scholar": scholar, **page_values(after, limit)}
    if every:
        return at.all(_ALL_CLAIMS, **whole)
    return at.all(_MY_CLAIMS, my_kind=at.actor.kind, my_id=at.actor.id, **whole)


def spoken_for(at: Snapshot) -> Sequence[int]:
    """The numbers of the scholars as whom the caller may speak."""
    rows = at.all(_SPOKEN_FOR, tenant_id=at.actor.tenant_id, my_kind=at.actor.kind, my_id=at.actor.id)
    return [row["scholar"] for row in rows]


def scholar_in(row: Row) -> Scholar:
    """A row as a record."""
    return Scholar(**{name: value for name, value in row.items() if name != "tenant_id"})


def claim_in(row: Row) -> ScholarClaim:
    """A row as a record."""
    return ScholarClaim(**{name: value for name, value in row.items() if name != "tenant_id"})
