"""What real instrumentations export becomes a run with every call, in both forms of the protocol."""

import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.exchange import FORMATS, ReadRun
from setright.exchange.otlp import Log, Received, Rejected, protobuf_form, read_logs, read_spans
from setright.exchange.otlp.runs import TraceRun, run_of

SAMPLES = Path(__file__).parent / "otlp"
TRACE, SPAN, OTHER = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7", "b7ad6b7169203331"
Fields = dict[str, Any]


def recorded(name: str) -> tuple[Fields, Fields]:
    """The requests that an instrumentation sent, in the form of JSON: traces and logs."""
    logs = SAMPLES / f"{name}.logs.pb"
    there = protobuf_form.logs(logs.read_bytes()) if logs.exists() else {}
    return protobuf_form.traces((SAMPLES / f"{name}.traces.pb").read_bytes()), there


def run_in(traces: Fields, logs: Fields | None = None) -> TraceRun:
    """The run of requests in which nothing is broken."""
    spans, records = list(read_spans(traces)), list(read_logs(logs or {}))
    found = run_of(
        [one for one in spans if isinstance(one, Received)], [one for one in records if isinstance(one, Log)]
    )
    assert found is not None
    return found


@pytest.mark.parametrize("name", ["genai-event", "genai-span", "openinference"])
def test_a_chat_with_a_tool_is_a_run_with_its_call(name: str) -> None:
    run = run_in(*recorded(name))
    assert (run.agent, run.version, run.odd) == ("bike-desk", "2.0", [])
    assert run.said["calls"] == [{"tool": "get_bike", "args": {"bike": 7}, "result": "free"}]
    assert (run.said["input"], run.said["output"]) == ("Is bike 7 free?", "It is free.")
    assert [one["role"] for one in run.said["messages"]] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
    ]


def test_an_agent_of_pydantic_ai_is_a_run() -> None:
    run = run_in(*recorded("pydantic-ai"))
    (call,) = run.said["calls"]
    assert (call["tool"], call["args"], call["result"]) == ("get_bike", {"bike": 0}, "0 is free")
    assert call["startedAt"] < call["endedAt"]
    assert (run.agent, run.said["input"], run.said["output"]) == (
        "bike-desk",
        "Is bike 7 free?",
        "It is free.",
    )


def test_the_calls_of_an_agent_within_an_agent_name_it() -> None:
    run = run_in(*recorded("util-genai"))
    assert run.agent == "bike-desk"
    assert [(call["tool"], call["result"], call.get("agent")) for call in run.said["calls"]] == [
        ("ask_store", "it is free", None),
        ("get_bike", "free", "store"),
    ]


@pytest.mark.parametrize("name", ["genai-event", "genai-span", "openinference", "pydantic-ai", "util-genai"])
def test_a_file_of_a_collector_is_the_same_run(name: str) -> None:
    traces, logs = recorded(name)
    raw = b"\n".join(json.dumps(one).encode() for one in (logs, traces) if one)
    (run,) = FORMATS["otlp"].read(io.BytesIO(raw))
    assert isinstance(run, ReadRun)
    assert run.said == run_in(traces, logs).said


def attribute(key: str, value: Any) -> Fields:
    kind = {str: "stringValue", int: "intValue", float: "doubleValue", bool: "boolValue"}[type(value)]
    return {"key": key, "value": {kind: value}}


def span(**more: Any) -> Fields:
    """A span of a model."""
    return {
        "traceId": TRACE,
        "spanId": SPAN,
        "name": "chat",
        "startTimeUnixNano": "1777629600000000000",
        "endTimeUnixNano": 1777629601000000000,
        "attributes": [attribute("gen_ai.operation.name", "chat")],
        **more,
    }


def request(*spans: Fields) -> Fields:
    resource = {"attributes": [attribute("service.name", "desk")]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"spans": list(spans)}]}]}


def received(**more: Any) -> Received:
    (found,) = read_spans(request(span(**more)))
    assert isinstance(found, Received)
    return found


def test_ids_may_be_in_any_case_and_times_numbers_or_texts() -> None:
    found = received(traceId=TRACE.upper(), parentSpanId=OTHER.upper(), unknown={"a": 1})
    assert (found.trace_id, found.parent_id) == (TRACE, OTHER)
    assert (found.started, found.ended) == (1_777_629_600_000_000_000, 1_777_629_601_000_000_000)


@pytest.mark.parametrize(
    "broken",
    [
        {"traceId": "0" * 32},
        {"traceId": TRACE[:-1]},
        {"traceId": TRACE[:-1] + "x"},
        {"traceId": None},
        {"spanId": "0" * 16},
        {"spanId": 7},
    ],
)
def test_a_span_without_an_id_is_rejected_and_stops_no_other(broken: Fields) -> None:
    first, second = read_spans(request(span(**broken), span(spanId=OTHER)))
    assert isinstance(first, Rejected)
    assert isinstance(second, Received)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ({"intValue": "9007199254740993"}, "9007199254740993"),
        ({"intValue": "-5"}, -5),
        ({"intValue": 5}, 5),
        ({"doubleValue": "NaN"}, "NaN"),
        ({"doubleValue": 0.5}, 0.5),
        ({"boolValue": False}, False),
        ({"bytesValue": "AAE="}, "AAE="),
        ({"bytesValue": "*"}, None),
        ({"arrayValue": {"values": [{"stringValue": "a"}, {}]}}, ["a", None]),
        ({"kvlistValue": {"values": [{"key": "k", "value": {"intValue": 1}}]}}, {"k": 1}),
        ({}, None),
    ],
)
def test_every_kind_of_value_is_read(value: Fields, read: Any) -> None:
    assert received(attributes=[{"key": "a", "value": value}]).attributes == {"a": read}


def test_a_failed_agent_is_a_failed_run() -> None:
    agent = [attribute("gen_ai.operation.name", "invoke_agent"), attribute("gen_ai.agent.name", "desk")]
    run = run_in(request(span(attributes=agent, status={"code": 2, "message": "out of tokens"})))
    assert (run.said["status"], run.said["output"]) == ("failed", {"error": "out of tokens"})


def test_the_outermost_agent_names_the_run_and_its_version() -> None:
    agent = [
        attribute("gen_ai.operation.name", "invoke_agent"),
        attribute("gen_ai.agent.name", "lender"),
        attribute("gen_ai.agent.version", "9"),
        attribute("user.id", "kim"),
    ]
    run = run_in(request(span(spanId=OTHER), span(attributes=agent, parentSpanId=OTHER)))
    assert (run.agent, run.version, run.said["participantId"]) == ("lender", "9", "kim")


def test_the_names_of_before_are_read() -> None:
    old = [
        attribute("gen_ai.prompt.0.role", "user"),
        attribute("gen_ai.prompt.0.content", "Is bike 7 free?"),
        attribute("gen_ai.completion.0.role", "assistant"),
        attribute("gen_ai.completion.0.tool_calls.0.name", "get_bike"),
        attribute("gen_ai.completion.0.tool_calls.0.arguments", '{"bike": 7}'),
    ]
    run = run_in(request(span(attributes=[attribute("gen_ai.request.model", "m"), *old])))
    assert run.said["calls"] == [{"tool": "get_bike", "args": {"bike": 7}}]
    assert run.said["input"] == "Is bike 7 free?"


def test_messages_that_were_sent_as_events_are_read() -> None:
    message = {
        "content": None,
        "tool_calls": [{"id": "c1", "function": {"name": "get_bike", "arguments": "{}"}}],
    }
    choice = {"key": "message", "value": {"stringValue": json.dumps(message)}}
    events = [
        {"name": "gen_ai.user.message", "attributes": [attribute("content", "Is bike 7 free?")]},
        {"name": "gen_ai.choice", "attributes": [attribute("index", 0), choice]},
    ]
    run = run_in(request(span(events=events)))
    assert run.said["calls"] == [{"tool": "get_bike", "args": {}}]
    assert run.said["input"] == "Is bike 7 free?"


def test_a_trace_in_which_nothing_is_of_an_agent_is_no_run() -> None:
    spans = [
        one
        for one in read_spans(request(span(attributes=[attribute("http.method", "GET")])))
        if isinstance(one, Received)
    ]
    assert run_of(spans, []) is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from([TRACE, SPAN]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "resourceSpans",
                        "scopeSpans",
                        "spans",
                        "traceId",
                        "spanId",
                        "attributes",
                        "key",
                        "value",
                        "resourceLogs",
                        "scopeLogs",
                        "logRecords",
                        "stringValue",
                        "kvlistValue",
                        "arrayValue",
                        "values",
                        "intValue",
                        "events",
                    ]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_is_read_as_far_as_it_goes(body: Any) -> None:
    assert all(isinstance(one, Received | Rejected) for one in read_spans(body))
    assert all(isinstance(one, Log | Rejected) for one in read_logs(body))


@given(st.binary(max_size=60))
def test_any_bytes_are_protobuf_or_told(raw: bytes) -> None:
    for form in (protobuf_form.traces, protobuf_form.logs):
        with suppress(ValueError):
            assert isinstance(form(raw), dict)
