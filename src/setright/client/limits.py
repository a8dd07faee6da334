"""The answer about limits as typed records."""

from dataclasses import dataclass
from datetime import datetime

from setright.client.records import Record


@dataclass(frozen=True, kw_only=True)
class RequestLimits(Record):
    """What one request may hold; without `per_second` there is no limit of the rate."""

    max_body_bytes: int
    max_header_bytes: int | None = None
    max_parameters: int | None = None
    max_key_characters: int | None = None
    max_json_depth: int | None = None
    max_integer: int | None = None
    per_second: int | None = None
    burst: int | None = None


@dataclass(frozen=True, kw_only=True)
class ListLimits(Record):
    """How much a page of a list holds."""

    max_limit: int
    default_limit: int | None = None


@dataclass(frozen=True, kw_only=True)
class FieldLimits(Record):
    """How many entries or characters fields may have."""

    name_characters: int | None = None
    words_characters: int | None = None
    pointer_characters: int | None = None
    should_call: int | None = None
    must_not_call: int | None = None
    argument_fields: int | None = None
    argument_characters: int | None = None
    items: int | None = None
    evidence: int | None = None
    evidence_characters: int | None = None
    answer_values: int | None = None
    tags: int | None = None


@dataclass(frozen=True, kw_only=True)
class RunLimits(Record):
    """How large runs may be, and how many come at once."""

    max_bytes: int | None = None
    max_call_bytes: int | None = None
    max_calls_at_once: int | None = None
    max_batch: int | None = None
    max_waiting: int | None = None


@dataclass(frozen=True, kw_only=True)
class Quota(Record):
    """A quota of the day, or a cap on what there is, which has no `resets_at`; `limit` is None where there is none."""

    quota: str
    used: int
    limit: int | None = None
    resets_at: datetime | None = None

    @property
    def left(self) -> int | None:
        """How much is left; None where there is no limit."""
        return None if self.limit is None else max(0, self.limit - self.used)


@dataclass(frozen=True, kw_only=True)
class Limits(Record):
    """Every number that can refuse a request, and how much is used of those that are used up."""

    requests: RequestLimits
    lists: ListLimits
    fields: FieldLimits
    runs: RunLimits
    quotas: tuple[Quota, ...]
    caps: tuple[Quota, ...]
