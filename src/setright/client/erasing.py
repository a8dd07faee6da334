"""Erasures and legal holds: the fields of what is sent, the answers as typed records, and what can be done."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Required, TypedDict

from setright.client.answers import Actor
from setright.client.records import Record


class ErasureFields(TypedDict, total=False):
    """What is to be erased: exactly one of the three ids; `words` only with `user_id`, `dry_run` only counts."""

    participant_id: str | None
    run_id: str | None
    user_id: str | None
    words: Literal["keep", "erase"] | None
    reason: Required[str]
    dry_run: bool | None


class LegalHoldFields(TypedDict, total=False):
    """What must not be erased: exactly one of the four ids."""

    participant_id: str | None
    run_id: str | None
    user_id: str | None
    project_id: str | None
    reason: Required[str]


@dataclass(frozen=True, kw_only=True)
class Erasure(Record):
    """How somebody's words leave every room; `counts` says how much went, by kind. A dry run has no `id`."""

    kind: str
    state: str
    words: str
    reason: str
    id: str | None = None
    target: str | None = None
    counts: Mapping[str, int] | None = None
    pseudonym: str | None = None
    held_by: str | None = None
    asked_by: Actor | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class LegalHold(Record):
    """What must not be erased, as long as it is not released."""

    id: str
    kind: str
    target: str
    reason: str
    placed_by: Actor | None = None
    created_at: datetime | None = None
    released_by: Actor | None = None
    released_at: datetime | None = None
