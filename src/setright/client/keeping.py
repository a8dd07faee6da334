"""How long content is kept, and who read it: the fields of what is sent, the answers as typed records, and what can be done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict

from setright.client.answers import Actor
from setright.client.inputs import PageFilters
from setright.client.records import Record


class ProjectRetentionFields(TypedDict, total=False):
    """How many days content of a project is kept; what is left out stays as it is, None is for ever."""

    runs: int | None
    reads: int | None


class AccountRetentionFields(TypedDict, total=False):
    """How many days content that belongs to no project is kept; as above, and None is for as long as can be."""

    outputs: int | None
    interactions: int | None
    briefings: int | None


class RunReadFilters(PageFilters, total=False):
    """Which logged reads of a project: all of what is given."""

    run_id: str | None
    user_id: str | None
    since: datetime | str | None
    until: datetime | str | None


@dataclass(frozen=True, kw_only=True)
class Retention(Record):
    """How many days content of a project or, without a `project_id`, of the account is kept; None is without an end.

    `notice` says, after a change to a longer time, what that does not do.
    """

    project_id: str | None = None
    runs: int | None = None
    reads: int | None = None
    outputs: int | None = None
    interactions: int | None = None
    briefings: int | None = None
    notice: str | None = None
    set_by: Actor | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class RetentionCut(Record):
    """What was cut of one kind, in a project or in the account: what is from before a moment."""

    kind: str
    days: int
    before: datetime
    cut: int
    held: int
    project_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class RetentionPassing(Record):
    """A passing that keeps to retention; what is only counted has no `id`."""

    state: str
    id: str | None = None
    counts: Mapping[str, int] | None = None
    cuts: Sequence[RetentionCut] | None = None
    asked_by: Actor | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class ReadLog(Record):
    """Whether every read of a project's runs by a person is logged."""

    project_id: str
    kept: bool
    set_by: Actor | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class RunRead(Record):
    """That a person was shown what a run said; `via` is the route or the tool."""

    id: str
    project_id: str
    run_id: str
    via: str
    by: Actor
    at: datetime
