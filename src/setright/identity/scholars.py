"""Scholars, and who may speak as one: an admin of the tenant decides."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from setright.identity import scholar_store as store
from setright.identity.errors import (
    ClaimMoveRefused,
    ClaimNotFound,
    OrcidTaken,
    ScholarNotFound,
    ScholarNotYours,
)
from setright.identity.lifecycle import CLAIM_LIFE
from setright.identity.numbers import next_number
from setright.identity.queries import find_token, find_user
from setright.identity.rights import has_whole_rights, require_whole_rights
from setright.identity.scholar_model import (
    ClaimDecision,
    NewScholar,
    NewScholarClaim,
    Scholar,
    ScholarChange,
    ScholarClaim,
)
from setright.kernel.actor import Role
from setright.kernel.errors import ChangedMeanwhile, PermissionDenied
from setright.kernel.events import Event
from setright.kernel.ids import with_prefix
from setright.kernel.json import MAX_INTEGER
from setright.kernel.paging import DEFAULT_LIMIT, Page, Place, page_of
from setright.storage import Snapshot, Tx


def create_scholar(tx: Tx, new: NewScholar) -> Scholar:
    """A scholar to whom readings can be attributed; refuses (`orcid-taken`) an ORCID that another one has."""
    _require_free_orcid(tx, new.orcid, None)
    number = next_number(tx, "scholar")
    by = tx.actor
    made = Scholar(number, new.name, new.orcid, new.institution, by.kind, by.id, tx.now, tx.now)
    store.add(tx, made)
    tx.announce(Event("scholar.created", "scholar", str(number)))
    return made


def change_scholar(
    tx: Tx, number: int, change: ScholarChange, known: Collection[int] | None = None
) -> Scholar:
    """A scholar gets another name, ORCID or institution: by who may speak as that one, or an admin of the tenant.

    With `known`, only if its updatedAt is one of these.
    """
    scholar = store.hold(tx, number)
    if scholar is None:
        raise ScholarNotFound(number)
    if tx.actor.tenant_role is not Role.ADMIN and number not in store.spoken_for(tx):
        raise PermissionDenied(
            f"Scholar {number} is changed by who may speak as {scholar.name}, or by an admin of the tenant.",
            {"scholarId": number, "needs": "admin"},
        )
    if known is not None and scholar.updated_at not in known:
        raise ChangedMeanwhile("scholar", scholar)
    changed = replace(scholar, **change.wanted())
    names = tuple(
        name for name in ("name", "orcid", "institution") if getattr(changed, name) != getattr(scholar, name)
    )
    if not names:
        return scholar
    if "orcid" in names:
        _require_free_orcid(tx, changed.orcid, number)
    changed = replace(changed, updated_at=tx.now)
    store.change(tx, changed)
    tx.announce(Event("scholar.changed", "scholar", str(number), changed=names))
    return changed


def ask_to_speak(tx: Tx, number: int, new: NewScholarClaim) -> tuple[ScholarClaim, bool]:
    """The claim to speak as a scholar, and whether it is new: of the caller, or of whom an admin names and approves."""
    scholar = get_scholar(tx, number)
    kind, principal_id, granted = _whose(tx, new)
    there = store.live_claim(tx, scholar.number, kind, principal_id)
    if there is not None:
        return (_move(tx, there, "approve", new.note) if granted else there), False
    by = tx.actor
    made = ScholarClaim(
        id=tx.new_id("scl"),
        scholar=scholar.number,
        principal_kind=kind,
        principal_id=principal_id,
        status="approved" if granted else "asked",
        note=new.note,
        reason=None,
        decided_by_kind=by.kind if granted else None,
        decided_by_id=by.id if granted else None,
        decided_at=tx.now if granted else None,
        created_at=tx.now,
        updated_at=tx.now,
    )
    if not store.add_claim(tx, made):
        return ask_to_speak(tx, number, new)
    told = "scholar-claim.approved" if granted else "scholar-claim.asked"
    tx.announce(Event(told, "scholar-claim", made.id, about=str(scholar.number)))
    return made, True


def approve_claim(tx: Tx, number: int, claim_id: str, decision: ClaimDecision) -> ScholarClaim:
    """Who asked may speak as the scholar from now on; needs the role admin in the tenant."""
    _require_admin(tx)
    return _move(tx, _held(tx, number, claim_id), "approve", decision.reason)


def reject_claim(tx: Tx, number: int, claim_id: str, decision: ClaimDecision) -> ScholarClaim:
    """Who asked may not, or no longer, speak as the scholar; needs the role admin in the tenant."""
    _require_admin(tx)
    return _move(tx, _held(tx, number, claim_id), "reject", decision.reason)


def withdraw_claim(tx: Tx, number: int, claim_id: str) -> ScholarClaim:
    """Whose claim it is does not speak as the scholar any more."""
    claim = _held(tx, number, claim_id)
    if (claim.principal_kind, claim.principal_id) != (tx.actor.kind, tx.actor.id):
        raise PermissionDenied(
            f"Claim {claim.id} is withdrawn by whose it is. An admin of the tenant rejects it instead: "
            f"POST /v1/scholars/{number}/claims/{claim.id}/reject.",
            {"claimId": claim.id},
        )
    return _move(tx, claim, "withdraw", None)


def get_scholar(at: Snapshot, number: int) -> Scholar:
    """A scholar of the tenant; refuses (`scholar-not-found`) any other number."""
    found = store.find(at, number) if 0 < number <= MAX_INTEGER else None
    if found is None:
        raise ScholarNotFound(number)
    return found


def list_scholars(
    at: Snapshot, after: Place | None = None, limit: int = DEFAULT_LIMIT, orcid: str | None = None
) -> Page[Scholar]:
    """The tenant's scholars, newest first, or the one with an ORCID."""
    if orcid is not None:
        found = store.with_orcid(at, orcid)
        return Page([] if found is None else [found])
    rows = store.page(at, after, limit)
    return page_of(rows, limit, lambda row: Place(row["number"], ""), store.scholar_in)


def list_claims(
    at: Snapshot, number: int, after: Place | None = None, limit: int = DEFAULT_LIMIT
) -> Page[ScholarClaim]:
    """The claims to speak as a scholar: all of them for an admin of the tenant, their own for others."""
    scholar = get_scholar(at, number)
    every = at.actor.tenant_role is Role.ADMIN and has_whole_rights(at.actor)
    rows = store.page_of_claims(at, scholar.number, after, limit, every=every)
    return page_of(rows, limit, lambda row: Place(row["created_at"], row["id"]), store.claim_in)


def scholar_names(at: Snapshot, numbers: Iterable[int]) -> Mapping[int, str]:
    """The names of scholars, by number."""
    return store.names(at, numbers)


def require_speaker(at: Snapshot, number: int) -> Scholar:
    """The scholar as whom the caller may speak; refuses (`scholar-not-yours`) without an approved claim."""
    scholar = get_scholar(at, number)
    if scholar.number not in store.spoken_for(at):
        raise ScholarNotYours(scholar.number, scholar.name)
    return scholar


def scholars_of_caller(at: Snapshot) -> list[int]:
    """The numbers of the scholars as whom the caller may speak."""
    return list(store.spoken_for(at))


def _require_admin(tx: Tx) -> None:
    tx.actor.require_in_tenant(Role.ADMIN)
    require_whole_rights(tx.actor)


def _whose(tx: Tx, new: NewScholarClaim) -> tuple[str, str, bool]:
    """Who is to speak as the scholar, and whether that is approved with the asking."""
    if new.user_id is None and new.service_id is None:
        return tx.actor.kind, tx.actor.id, False
    _require_admin(tx)
    if new.user_id is not None:
        return "user", find_user(tx, new.user_id).id, True
    return "service", find_token(tx, new.service_id or "").id, True


def _held(tx: Tx, number: int, claim_id: str) -> ScholarClaim:
    scholar = get_scholar(tx, number)
    claim = store.hold_claim(tx, scholar.number, with_prefix("scl", claim_id))
    own = claim is not None and (claim.principal_kind, claim.principal_id) == (tx.actor.kind, tx.actor.id)
    if claim is None or not (own or tx.actor.tenant_role is Role.ADMIN):
        raise ClaimNotFound(number, claim_id)
    return claim


def _move(tx: Tx, claim: ScholarClaim, verb: str, reason: str | None) -> ScholarClaim:
    """The claim after a move of its life; one that stands there already stays as it is."""
    move = CLAIM_LIFE.find(verb, claim.status)
    if move is None:
        if claim.status in [other.end for other in CLAIM_LIFE.moves if other.verb == verb]:
            return claim
        moves = [other.verb for other in CLAIM_LIFE.open_from(claim.status)]
        raise ClaimMoveRefused(claim.id, claim.status, verb, moves)
    by = tx.actor
    moved = replace(
        claim,
        status=move.end,
        reason=reason,
        decided_by_kind=by.kind,
        decided_by_id=by.id,
        decided_at=tx.now,
        updated_at=tx.now,
    )
    store.move_claim(tx, moved)
    tx.announce(Event(move.event, "scholar-claim", claim.id, changed=("status",), about=str(claim.scholar)))
    return moved


def _require_free_orcid(tx: Tx, orcid: str | None, own: int | None) -> None:
    taken = None if orcid is None else store.with_orcid(tx, orcid)
    if taken is not None and taken.number != own:
        raise OrcidTaken(taken.orcid or "", taken.number)
