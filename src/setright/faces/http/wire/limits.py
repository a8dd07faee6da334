"""What limits a caller and its tenant, on the wire: every number that can refuse a request, in one place."""

from typing import Any, Literal

from pydantic import Field

from setright import corrections, runs
from setright.app.keys import MOST_KEY
from setright.app.limits import Held, LimitsNow
from setright.faces.http.parameters import MOST_PARAMETERS
from setright.faces.http.protocol import HEAD_BYTES
from setright.faces.http.samples import Sample
from setright.faces.http.schemas import Shape, Time, absent
from setright.faces.http.shapes import Wire, present, time
from setright.kernel import fields
from setright.kernel.json import MAX_DEPTH, MAX_INTEGER
from setright.kernel.paging import DEFAULT_LIMIT, MAX_LIMIT

QuotaWord = Literal["runs-per-day", "run-bytes-per-day", "corrections-per-day"]
CapWord = Literal["tokens", "users", "projects", "corrector-groups"]


class RequestLimits(Shape):
    """What one request may hold, and how often one token may send one."""

    max_body_bytes: int = Field(description="Beyond it: 413 request-too-large.")
    max_header_bytes: int = Field(description="Of the request line and headers; beyond it: 431.")
    max_parameters: int = Field(description="In one query string.")
    max_key_characters: int = Field(description="Of an Idempotency-Key.")
    max_json_depth: int = Field(description="How deep arrays and objects may stand in each other.")
    max_integer: int = Field(description="The largest whole number in a body.")
    per_second: int = absent("Requests a second for one token in the long run; absent: no limit.")
    burst: int = absent("Requests that one token may send at once; absent: no limit.")


class ListLimits(Shape):
    """How much a page of a list holds."""

    max_limit: int
    default_limit: int


class FieldLimits(Shape):
    """What fields may hold; the API's document says it of each field by itself."""

    name_characters: int = Field(description="Of a name, an id, a version, a tag.")
    words_characters: int = Field(description="Of shouldSay, why and other texts of a person.")
    pointer_characters: int = Field(description="Of a JSON Pointer.")
    should_call: int = Field(description="Entries of shouldCall.")
    must_not_call: int = Field(description="Entries of mustNotCall.")
    argument_fields: int = Field(
        description="Fields in the args of an expected call, and places in its match."
    )
    argument_characters: int = Field(description="Characters of such args as canonical JSON.")
    items: int = Field(description="Items of one correction.")
    evidence: int = Field(description="Links or citations of one correction.")
    evidence_characters: int = Field(description="Of each of them.")
    answer_values: int = Field(description="Values of an answerMatch.")
    tags: int = Field(description="Of one run.")


class RunLimits(Shape):
    """How large runs may be, and how many come at once."""

    max_bytes: int = Field(description="Of a whole run.")
    max_call_bytes: int = Field(description="Of one call.")
    max_calls_at_once: int = Field(description="In one request.")
    max_batch: int = Field(description="Runs in one request to /v1/runs/batch.")
    max_waiting: int = Field(description="Corrections that wait for one run; one more: 429 quota-exceeded.")


class Quota(Shape):
    """How much the tenant may add in one day (UTC); beyond it: 429 quota-exceeded."""

    quota: QuotaWord
    limit: int = absent("Absent: no limit.")
    used: int
    resets_at: Time


class Cap(Shape):
    """How many of a thing the tenant may have at once; one more: 429 quota-exceeded."""

    quota: CapWord
    limit: int = absent("Absent: no limit.")
    used: int = Field(description="Without revoked and expired tokens, disabled users and retired groups.")


class Limits(Shape):
    """Every number that can refuse a request of this caller, and how much is used of those that are used up."""

    requests: RequestLimits
    lists: ListLimits
    fields: FieldLimits
    runs: RunLimits
    quotas: list[Quota]
    caps: list[Cap]


FIXED: Wire = {
    "lists": {"maxLimit": MAX_LIMIT, "defaultLimit": DEFAULT_LIMIT},
    "fields": {
        "nameCharacters": fields.NAME,
        "wordsCharacters": fields.WORDS,
        "pointerCharacters": fields.POINTER,
        "shouldCall": fields.ENTRIES,
        "mustNotCall": fields.ENTRIES,
        "argumentFields": fields.ARGUMENT_FIELDS,
        "argumentCharacters": fields.WORDS,
        "items": fields.ITEMS,
        "evidence": fields.EVIDENCE,
        "evidenceCharacters": fields.LINK,
        "answerValues": fields.ANSWER_VALUES,
        "tags": fields.ENTRIES,
    },
    "runs": {
        "maxBytes": runs.MOST_RUN_BYTES,
        "maxCallBytes": runs.MOST_CALL_BYTES,
        "maxCallsAtOnce": runs.MOST_CALLS,
        "maxBatch": runs.MOST_RUNS,
        "maxWaiting": corrections.MOST_FOR_ONE_RUN,
    },
}


def limits(now: LimitsNow) -> Wire:
    """What limits the caller's tenant; an absent limit is none."""
    per_second = now.limits.requests_per_second
    requests = present(
        {
            "maxBodyBytes": now.limits.body_bytes,
            "maxHeaderBytes": HEAD_BYTES,
            "maxParameters": MOST_PARAMETERS,
            "maxKeyCharacters": MOST_KEY,
            "maxJsonDepth": MAX_DEPTH,
            "maxInteger": MAX_INTEGER,
            "perSecond": per_second or None,
            "burst": now.limits.requests_at_once if per_second else None,
        }
    )
    quotas, caps = [held(one) for one in now.quotas], [held(one) for one in now.caps]
    return {"requests": requests, **FIXED, "quotas": quotas, "caps": caps}


def held(one: Held) -> dict[str, Any]:
    """A quota or a cap."""
    told = {"quota": one.word, "limit": one.limit or None, "used": one.used, "resetsAt": time(one.resets_at)}
    return present(told)


LIMITS: Sample = {
    "requests": {
        "maxBodyBytes": 4194304,
        "maxHeaderBytes": HEAD_BYTES,
        "maxParameters": MOST_PARAMETERS,
        "maxKeyCharacters": MOST_KEY,
        "maxJsonDepth": MAX_DEPTH,
        "maxInteger": MAX_INTEGER,
        "perSecond": 1000,
        "burst": 2000,
    },
    **FIXED,
    "quotas": [
        {"quota": "runs-per-day", "limit": 50000, "used": 1204, "resetsAt": "2026-01-06T00:00:00.000000Z"},
        {"quota": "run-bytes-per-day", "used": 7340032, "resetsAt": "2026-01-06T00:00:00.000000Z"},
        {"quota": "corrections-per-day", "used": 17, "resetsAt": "2026-01-06T00:00:00.000000Z"},
    ],
    "caps": [
        {"quota": "tokens", "limit": 100, "used": 7},
        {"quota": "users", "used": 4},
        {"quota": "projects", "used": 2},
        {"quota": "corrector-groups", "used": 1},
    ],
}
