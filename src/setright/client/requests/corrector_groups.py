"""The requests about corrector groups."""

from typing import Unpack

from setright.client.answers import CorrectorGroup
from setright.client.inputs import CorrectorGroupChanges, CorrectorGroupFields, CorrectorGroupFilters
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import ours, query, segment

_FIELDS = {"scope": ours, "assertableBy": ours}


def create(*, key: str | None = None, **group: Unpack[CorrectorGroupFields]) -> Request[CorrectorGroup]:
    """Make a corrector group: a name to correct under, and how much that counts."""
    body = ours(group, _FIELDS)
    return Request[CorrectorGroup].write("POST", "/v1/corrector-groups", CorrectorGroup.read, body, key=key)


def get(corrector_group_id: str) -> Request[CorrectorGroup]:
    """Read a corrector group."""
    return Request[CorrectorGroup].get(_group(corrector_group_id), CorrectorGroup.read)


def change(
    corrector_group_id: str,
    *,
    if_match: str | None = None,
    key: str | None = None,
    **changes: Unpack[CorrectorGroupChanges],
) -> Request[CorrectorGroup]:
    """Give a corrector group another name, weight or restriction.

    With `if_match`, the ETag of the state that you read (`.receipt.etag`), a group that another changed since is
    refused (`ChangedMeanwhile`).
    """
    path, body = _group(corrector_group_id), ours(changes, _FIELDS)
    return Request[CorrectorGroup].write("PATCH", path, CorrectorGroup.read, body, key=key, if_match=if_match)


def retire(corrector_group_id: str, *, key: str | None = None) -> Request[CorrectorGroup]:
    """End a corrector group: nobody corrects under it any more, and what was recorded under it still counts."""
    path = f"{_group(corrector_group_id)}/retire"
    return Request[CorrectorGroup].write("POST", path, CorrectorGroup.read, key=key)


def page(**filters: Unpack[CorrectorGroupFilters]) -> Request[Page[CorrectorGroup]]:
    """Read one page of the corrector groups, newest first; retired ones only with `include_retired`."""
    return Request[Page[CorrectorGroup]].get(
        "/v1/corrector-groups", page_of(CorrectorGroup), query(**filters)
    )


def _group(corrector_group_id: str) -> str:
    return f"/v1/corrector-groups/{segment('corrector_group_id', corrector_group_id)}"
