"""A job, what its batches hand on, and how it went."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work that goes on in batches; times are microseconds.

    `cursor` is where the next batch begins, `done_count` how many things were done; `next_at` is when a worker may
    take it: when it is due, or when the lease of the one that has it ends.
    """

    id: str
    tenant_id: str
    name: str
    key: str
    arguments: Mapping[str, Any]
    state: str
    due_at: int
    next_at: int | None
    attempt: int
    cursor: Any
    done_count: int
    failure: Mapping[str, Any] | None
    asked_by_kind: str
    asked_by_id: str
    created_at: int
    updated_at: int
    finished_at: int | None


@dataclass(frozen=True, slots=True)
class Batch:
    """What one batch came to: how many things it did, and where to go on; no cursor means that all is done."""

    done: int
    cursor: Any = None

    @property
    def is_last(self) -> bool:
        """Whether nothing is left to do."""
        return self.cursor is None


@dataclass(frozen=True, slots=True)
class Backlog:
    """How jobs stand in the whole ledger: how many are in each state, and for how long the oldest due one has waited."""

    by_state: Mapping[str, int]
    oldest_seconds: float
