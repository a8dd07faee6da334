"""The requests about erasures and legal holds."""

from typing import Unpack

from setright.client.erasing import Erasure, ErasureFields, LegalHold, LegalHoldFields
from setright.client.inputs import PageFilters
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import ours, query, segment


def create(*, key: str | None = None, **what: Unpack[ErasureFields]) -> Request[Erasure]:
    """Have somebody's words leave every room, or only count what that would be."""
    return Request[Erasure].write("POST", "/v1/erasures", Erasure.read, ours(what), key=key)


def page(**filters: Unpack[PageFilters]) -> Request[Page[Erasure]]:
    """Read one page of the account's erasures, newest first."""
    return Request[Page[Erasure]].get("/v1/erasures", page_of(Erasure), query(**filters))


def get(erasure_id: str) -> Request[Erasure]:
    """Read how far an erasure is."""
    return Request[Erasure].get(f"/v1/erasures/{segment('erasure_id', erasure_id)}", Erasure.read)


def place_hold(*, key: str | None = None, **what: Unpack[LegalHoldFields]) -> Request[LegalHold]:
    """Keep something from being erased."""
    return Request[LegalHold].write("POST", "/v1/legal-holds", LegalHold.read, ours(what), key=key)


def holds_page(**filters: Unpack[PageFilters]) -> Request[Page[LegalHold]]:
    """Read one page of the account's legal holds, newest first."""
    return Request[Page[LegalHold]].get("/v1/legal-holds", page_of(LegalHold), query(**filters))


def release_hold(legal_hold_id: str, *, key: str | None = None) -> Request[LegalHold]:
    """Let what a hold kept be erased again."""
    path = f"/v1/legal-holds/{segment('legal_hold_id', legal_hold_id)}/release"
    return Request[LegalHold].write("POST", path, LegalHold.read, key=key)
