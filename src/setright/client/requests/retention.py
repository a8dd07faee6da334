"""The requests about how long content is kept."""

from typing import Unpack

from setright.client.inputs import PageFilters
from setright.client.keeping import (
    AccountRetentionFields,
    ProjectRetentionFields,
    Retention,
    RetentionPassing,
)
from setright.client.paging import Page, page_of
from setright.client.request import Request
from setright.client.values import ours, query, segment

_ACCOUNT, _PASSINGS = "/v1/retention", "/v1/retention-passings"


def of_project(project_id: str) -> Request[Retention]:
    """Read how many days content of a project is kept."""
    return Request[Retention].get(_project(project_id), Retention.read)


def change_project(
    project_id: str,
    *,
    if_match: str | None = None,
    key: str | None = None,
    **days: Unpack[ProjectRetentionFields],
) -> Request[Retention]:
    """Say how many days content of a project is kept; None is for ever.

    With `if_match`, the ETag of the state that you read (`.receipt.etag`), what another changed since is refused
    (`ChangedMeanwhile`).
    """
    path, body = _project(project_id), ours(days)
    return Request[Retention].write("PATCH", path, Retention.read, body, key=key, if_match=if_match)


def of_account() -> Request[Retention]:
    """Read how many days content that belongs to no project is kept."""
    return Request[Retention].get(_ACCOUNT, Retention.read)


def change_account(
    *, if_match: str | None = None, key: str | None = None, **days: Unpack[AccountRetentionFields]
) -> Request[Retention]:
    """Say how many days content that belongs to no project is kept; as `change_project`."""
    return Request[Retention].write("PATCH", _ACCOUNT, Retention.read, ours(days), key=key, if_match=if_match)


def due() -> Request[RetentionPassing]:
    """Count what would be cut now, without cutting anything."""
    return Request[RetentionPassing].get(f"{_ACCOUNT}/due", RetentionPassing.read)


def begin(*, key: str | None = None) -> Request[RetentionPassing]:
    """Cut what is due now, and not at the next daily passing."""
    return Request[RetentionPassing].write("POST", _PASSINGS, RetentionPassing.read, key=key)


def page(**filters: Unpack[PageFilters]) -> Request[Page[RetentionPassing]]:
    """Read one page of the account's passings, newest first."""
    return Request[Page[RetentionPassing]].get(_PASSINGS, page_of(RetentionPassing), query(**filters))


def get(passing_id: str) -> Request[RetentionPassing]:
    """Read how far a passing is, and what it cut where."""
    return Request[RetentionPassing].get(
        f"{_PASSINGS}/{segment('passing_id', passing_id)}", RetentionPassing.read
    )


def _project(project_id: str) -> str:
    return f"/v1/projects/{segment('project_id', project_id)}/retention"
