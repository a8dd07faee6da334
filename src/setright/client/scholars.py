"""Scholars and the claims to speak as one, as typed records, and the fields of what is sent."""

from dataclasses import dataclass
from datetime import datetime
from typing import Required, TypedDict

from setright.client.answers import Actor
from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class Scholar(Record):
    """Somebody to whom readings are attributed."""

    id: int
    name: str
    orcid: str | None = None
    institution: str | None = None
    created_by: Actor | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ScholarClaim(Record):
    """That a user or a service may speak as a scholar: asked for, and what was decided."""

    id: str
    scholar_id: int
    principal: Actor
    status: str
    note: str | None = None
    reason: str | None = None
    decided_by: Actor | None = None
    decided_at: datetime | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


class ScholarFields(TypedDict, total=False):
    """A scholar to make."""

    name: Required[str]
    orcid: str | None
    institution: str | None


class ScholarChanges(TypedDict, total=False):
    """What becomes different about a scholar; None lifts the ORCID and the institution."""

    name: str
    orcid: str | None
    institution: str | None


class ScholarFilters(TypedDict, total=False):
    """Which scholars to list."""

    orcid: str | None
    limit: int | None
    cursor: str | None
