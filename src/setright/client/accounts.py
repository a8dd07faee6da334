"""The answers about projects, members, users, tokens, agents and flows as typed records."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from setright.client.answers import Actor
from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class Project(Record):
    """A project: where runs and corrections live."""

    id: str
    name: str
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Member(Record):
    """What a user or service token may do in a project."""

    kind: str
    id: str
    role: str
    name: str | None = None
    reviewer_role: str | None = None
    added_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class User(Record):
    """A person of the account; `disabled_at` is there when the user can no longer come in."""

    id: str
    name: str
    email: str | None = None
    role: str | None = None
    created_at: datetime | None = None
    disabled_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Token(Record):
    """A token; `token` is what authenticates, told once, when the token is made or rotated."""

    id: str
    kind: str
    name: str | None = None
    user_id: str | None = None
    project_id: str | None = None
    role: str | None = None
    scopes: tuple[str, ...] | None = None
    token: str | None = field(default=None, repr=False)
    created_by: Actor | None = None
    created_at: datetime | None = None
    rotated_at: datetime | None = None
    expires_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class Me(Record):
    """Who the token speaks for and what it may do."""

    kind: str
    id: str
    tenant_id: str
    name: str | None = None
    role: str | None = None
    scopes: tuple[str, ...] | None = None
    projects: tuple[Mapping[str, Any], ...] | None = None


@dataclass(frozen=True, kw_only=True)
class KnownSubject(Record):
    """An agent or a flow with the versions that were seen or deployed."""

    id: str
    kind: str | None = None
    name: str | None = None
    description: str | None = None
    owner_id: str | None = None
    latest_version: str | None = None
    versions: tuple[Any, ...] | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
