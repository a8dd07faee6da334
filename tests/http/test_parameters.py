"""Query strings: what is read from them, and every fault named by its parameter."""

from typing import Any

import pytest

from setright.corrections import STATUSES
from setright.faces.http.parameters import Parameters
from setright.faces.http.route import Nothing
from setright.faces.http.routes import corrections, runs
from setright.faces.http.routes.corrections import CorrectionQuery
from setright.kernel.errors import Refusal
from setright.runs import RUN_LIFE
from tests.http.support import Caller, error_of

READ = Parameters(CorrectionQuery).read


def refused(query: str) -> tuple[str, list[dict[str, str]]]:
    with pytest.raises(Refusal) as refusal:
        READ(query.encode())
    return refusal.value.code, refusal.value.details.get("faults", [])


def test_every_kind_of_parameter_is_read() -> None:
    query: Any = READ(
        b"limit=7&status=open&status=fixed&expert=false&since=2026-01-05T01:00:00%2B08:00&madeBy=usr_1&agentId=a%2Fb+c"
    )
    assert (query.limit, query.status, query.expert, query.made_by) == (7, ["open", "fixed"], False, "usr_1")
    assert query.since == 1_767_546_000_000_000
    assert query.agent_id == "a/b c"


def test_without_a_query_the_defaults_count() -> None:
    query: Any = READ(b"")
    assert (query.limit, query.cursor, query.status, query.include_unregistered) == (25, None, [], False)
    assert READ(b"") is query


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=ten", "limit"),
        ("limit=1.0", "limit"),
        ("limit=%201", "limit"),
        ("limit=1_0", "limit"),
        ("limit=" + "9" * 400, "limit"),
        ("limit=", "limit"),
        ("limit=2&limit=3", "limit"),
        ("status=open&status=closed", "status"),
        ("status=", "status"),
        ("expert=1", "expert"),
        ("expert=True", "expert"),
        ("since=2026-01-05T01:00:00", "since"),
        ("since=2026-01-05T24:00:00Z", "since"),
        ("since=2026-02-30T01:00:00Z", "since"),
        ("until=now", "until"),
        ("runId=", "runId"),
        ("runId=a%00b", "runId"),
        ("agentVersion=v1", "agentVersion"),
        ("agentId=a&flowId=b", "flowId"),
        ("participantId=" + "x" * 201, "participantId"),
    ],
)
def test_a_wrong_value_names_its_parameter(query: str, parameter: str) -> None:
    code, faults = refused(query)
    assert code == "invalid-parameter"
    assert [fault["parameter"] for fault in faults] == [parameter]


def test_every_fault_is_told_at_once() -> None:
    code, faults = refused("limit=0&expert=x&since=now&status=closed&unknown=1")
    assert code == "invalid-parameter"
    assert {fault["parameter"] for fault in faults} == {"limit", "expert", "since", "status", "unknown"}


def test_an_unknown_parameter_is_told_apart_when_nothing_else_is_wrong() -> None:
    code, faults = refused("limit=3&sort=up")
    assert (code, [fault["parameter"] for fault in faults]) == ("unknown-parameter", ["sort"])
    with pytest.raises(Refusal, match="this route takes none"):
        Parameters(Nothing).read(b"x=1")


@pytest.mark.parametrize(
    "query", ["runId=%ff", "runId=%ed%a0%80", "&".join(f"status=open{n}" for n in range(300))]
)
def test_queries_that_cannot_be_read(query: str) -> None:
    assert refused(query)[0] == "invalid-parameter"


def test_the_words_of_the_filters_are_those_of_the_rooms() -> None:
    assert set(corrections.StatusWord.__args__) == set(STATUSES)
    assert set(runs.RunStatus.__args__) == set(RUN_LIFE.statuses)


def test_the_envelope_names_the_parameter(lone: Caller) -> None:
    error = error_of(lone.get("/v1/corrections?limit=0"), 400, "invalid-parameter")
    assert error["details"]["faults"] == [
        {"parameter": "limit", "fault": "is too small", "allowed": "1 or more"}
    ]
    error_of(lone.get("/v1/me?x=1"), 400, "unknown-parameter")
    error_of(lone.post("/v1/corrections?x=1", {}), 400, "unknown-parameter")
    error_of(lone.get("/v1/corrections?cursor=abc"), 400, "invalid-cursor")
    error_of(lone.get("/v1/events?after=99999"), 400, "invalid-cursor")
