"""The requests about scholars, and about who may speak as one."""

from typing import Unpack

from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.scholars import (
    Scholar,
    ScholarChanges,
    ScholarClaim,
    ScholarFields,
    ScholarFilters,
)
from setright.client.values import ours, query, segment


def create(*, key: str | None = None, **scholar: Unpack[ScholarFields]) -> Request[Scholar]:
    """Make a scholar, to whom readings can be attributed."""
    return Request[Scholar].write("POST", "/v1/scholars", Scholar.read, ours(scholar), key=key)


def get(scholar_id: int) -> Request[Scholar]:
    """Read a scholar."""
    return Request[Scholar].get(_scholar(scholar_id), Scholar.read)


def page(**filters: Unpack[ScholarFilters]) -> Request[Page[Scholar]]:
    """Read one page of the scholars, newest first."""
    return Request[Page[Scholar]].get("/v1/scholars", page_of(Scholar), query(**filters))


def change(
    scholar_id: int, *, if_match: str | None = None, key: str | None = None, **changes: Unpack[ScholarChanges]
) -> Request[Scholar]:
    """Give a scholar another name, ORCID or institution; with `if_match` only in the state that you read."""
    path, body = _scholar(scholar_id), ours(changes)
    return Request[Scholar].write("PATCH", path, Scholar.read, body, key=key, if_match=if_match)


def claim(
    scholar_id: int,
    *,
    note: str | None = None,
    user_id: str | None = None,
    service_id: str | None = None,
    key: str | None = None,
) -> Request[ScholarClaim]:
    """Ask to speak as a scholar; an admin who names another user or service approves with it."""
    said = {"note": note, "userId": user_id, "serviceId": service_id}
    body = {name: value for name, value in said.items() if value is not None}
    return Request[ScholarClaim].write("POST", _claims(scholar_id), ScholarClaim.read, body, key=key)


def claims_page(
    scholar_id: int, *, limit: int | None = None, cursor: str | None = None
) -> Request[Page[ScholarClaim]]:
    """Read one page of the claims to speak as a scholar, newest first."""
    asked = query(limit=limit, cursor=cursor)
    return Request[Page[ScholarClaim]].get(_claims(scholar_id), page_of(ScholarClaim), asked)


def approve(
    scholar_id: int, scholar_claim_id: str, *, reason: str | None = None, key: str | None = None
) -> Request[ScholarClaim]:
    """Let who asked speak as the scholar from now on."""
    return _decided(scholar_id, scholar_claim_id, "approve", reason, key)


def reject(
    scholar_id: int, scholar_claim_id: str, *, reason: str | None = None, key: str | None = None
) -> Request[ScholarClaim]:
    """Do not, or no longer, let somebody speak as the scholar."""
    return _decided(scholar_id, scholar_claim_id, "reject", reason, key)


def withdraw(scholar_id: int, scholar_claim_id: str, *, key: str | None = None) -> Request[ScholarClaim]:
    """Give up a claim of your own."""
    path = f"{_claim(scholar_id, scholar_claim_id)}/withdraw"
    return Request[ScholarClaim].write("POST", path, ScholarClaim.read, key=key)


def _decided(
    scholar_id: int, scholar_claim_id: str, verb: str, reason: str | None, key: str | None
) -> Request[ScholarClaim]:
    body = {} if reason is None else {"reason": reason}
    path = f"{_claim(scholar_id, scholar_claim_id)}/{verb}"
    return Request[ScholarClaim].write("POST", path, ScholarClaim.read, body, key=key)


def _scholar(scholar_id: int) -> str:
    return f"/v1/scholars/{segment('scholar_id', str(scholar_id))}"


def _claims(scholar_id: int) -> str:
    return f"{_scholar(scholar_id)}/claims"


def _claim(scholar_id: int, scholar_claim_id: str) -> str:
    return f"{_claims(scholar_id)}/{segment('scholar_claim_id', scholar_claim_id)}"
