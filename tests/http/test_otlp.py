"""Exporters of OpenTelemetry send traces and logs in both forms, and are told what became of them."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse

from setright.app.worker import Worker
from setright.faces.http import otlp_door
from tests.http.support import Api, Caller, open_api

SAMPLES = Path(__file__).parents[1] / "exchange" / "otlp"
PROTOBUF = "application/x-protobuf"
TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture(scope="module")
def quiet(database_url: str, api: Api) -> Iterator[Api]:
    """The application where a trace becomes a run at once."""
    assert api.app.settings.otlp_quiet_seconds > 0
    opened = open_api(database_url, otlp_quiet_seconds=0)
    yield opened
    opened.close()


def span(**more: Any) -> dict[str, Any]:
    kind = {"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}
    return {"traceId": TRACE, "spanId": "00f067aa0ba902b7", "name": "chat", "attributes": [kind], **more}


def body(*spans: dict[str, Any]) -> bytes:
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}).encode()


def export(
    caller: Caller, raw: bytes, media: str = "application/json", signal: str = "traces", **headers: str
) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {"content-type": media, "x-setright-project": "default", **named}
    return caller.send("POST", f"/v1/{signal}", headers=sent, content=raw)


def assembled(api: Api) -> None:
    worker = Worker(api.app.store)
    while worker.turn():
        pass


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", ["genai-event", "genai-span", "openinference"])
def test_what_an_instrumentation_really_sends_becomes_a_run(quiet: Api, name: str, packed: bool) -> None:
    caller = quiet.tenant()
    headers = {"content_encoding": "gzip"} if packed else {}
    for signal, accepted in (("logs", ExportLogsServiceResponse), ("traces", ExportTraceServiceResponse)):
        path = SAMPLES / f"{name}.{signal}.pb"
        if not path.exists():
            continue
        raw = gzip.compress(path.read_bytes()) if packed else path.read_bytes()
        told = export(caller, raw, PROTOBUF, signal, **headers)
        assert (told.status_code, told.headers["content-type"]) == (200, PROTOBUF)
        assert accepted.FromString(told.content) == accepted()
    assembled(quiet)
    (found,) = caller.get("/v1/traces").json()["data"]
    assert found["state"] == "finished"
    run = caller.get(f"/v1/runs/{found['runId']}").json()
    assert run["subject"] == {"kind": "agent", "id": "bike-desk", "version": "2.0"}
    assert run["calls"] == [{"tool": "get_bike", "args": {"bike": 7}, "result": "free"}]
    assert run["answer"] == "It is free."


def test_json_is_answered_in_json_and_what_is_rejected_is_counted(api: Api) -> None:
    caller = api.tenant()
    assert export(caller, body(span())).json() == {}
    told = export(caller, body(span(), span(spanId="0" * 16)))
    assert told.status_code == 200
    assert told.json()["partialSuccess"]["rejectedSpans"] == "1"
    assert "not all zero" in told.json()["partialSuccess"]["errorMessage"]


def test_protobuf_is_told_what_is_rejected(api: Api) -> None:
    caller = api.tenant()
    raw = (SAMPLES / "genai-span.traces.pb").read_bytes()
    told = export(caller, raw.replace(b"chat small-2", b"chat\0small-2"), PROTOBUF)
    assert ExportTraceServiceResponse.FromString(told.content).partial_success.rejected_spans == 2


def test_a_token_that_is_bound_to_one_project_needs_no_header(api: Api) -> None:
    admin = api.tenant()
    admin.post("/v1/projects", {"name": "Second", "id": "two"})
    bound = admin.service("write", projectId="two")
    told = bound.send(
        "POST", "/v1/traces", headers={"content-type": "application/json"}, content=body(span())
    )
    assert told.status_code == 200
    assert admin.get("/v1/traces").json()["data"][0]["projectId"] == "two"


def test_any_other_token_must_say_which_project(api: Api) -> None:
    told = api.tenant().send(
        "POST", "/v1/traces", headers={"content-type": "application/json"}, content=body(span())
    )
    assert (told.status_code, told.json()["error"]["code"]) == (400, "invalid-parameter")
    assert "x-setright-project" in told.text


def test_another_tenants_project_is_none(api: Api) -> None:
    api.tenant().post("/v1/projects", {"name": "Theirs", "id": "theirs"})
    told = export(api.tenant(), body(span()), x_setright_project="theirs")
    assert (told.status_code, told.json()["error"]["code"]) == (404, "project-not-found")


@pytest.mark.parametrize(
    ("raw", "media", "headers", "status", "code"),
    [
        (b"", "application/json", {}, 400, "invalid-body"),
        (b"{", "application/json", {}, 400, "invalid-body"),
        (b"[]", "application/json", {}, 400, "invalid-body"),
        (b'{"resourceSpans": 7}', "application/json", {}, 400, "invalid-body"),
        (b"\xff\xff", PROTOBUF, {}, 400, "invalid-body"),
        (b"{}", "text/plain", {}, 415, "unsupported-media-type"),
        (b"{}", "application/json", {"content_encoding": "br"}, 415, "unsupported-media-type"),
        (b"{}", "application/json", {"content_encoding": "gzip"}, 400, "invalid-body"),
        (
            gzip.compress(b"{}" * 100, mtime=0)[:-9],
            "application/json",
            {"content_encoding": "gzip"},
            400,
            "invalid-body",
        ),
        (b"{}", "application/json", {"host": "evil.example"}, 421, "misdirected-host"),
    ],
)
def test_what_is_no_request_is_told(
    api: Api, raw: bytes, media: str, headers: dict[str, str], status: int, code: str
) -> None:
    told = export(api.tenant(), raw, media, **headers)
    assert (told.status_code, told.json()["error"]["code"]) == (status, code)


def test_a_body_of_several_gzip_members_is_read_whole_and_a_bomb_of_them_is_not(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, caller = body(span()), api.tenant()
    packed = b"".join(gzip.compress(part, mtime=0) for part in (b"", raw[:20], raw[20:]))
    assert export(caller, packed, content_encoding="gzip").json() == {}
    assert len(caller.get("/v1/traces").json()["data"]) == 1
    many = export(caller, gzip.compress(b" ", mtime=0) * 101, content_encoding="gzip")
    assert (many.status_code, many.json()["error"]["code"]) == (400, "invalid-body")
    monkeypatch.setattr(otlp_door, "MOST_UNPACKED", 1_000)
    large = export(caller, gzip.compress(b" " * 600, mtime=0) * 2, content_encoding="gzip")
    assert (large.status_code, large.json()["error"]["code"]) == (413, "request-too-large")


def test_a_bomb_is_never_unpacked_whole(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(otlp_door, "MOST_UNPACKED", 1_000_000)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = b"".join([*(packer.compress(b" " * 1_000_000) for _ in range(50)), packer.flush()])
    told = export(api.tenant(), bomb, content_encoding="gzip")
    assert (told.status_code, told.json()["error"]["code"]) == (413, "request-too-large")
    assert told.json()["error"]["details"]["maxBytes"] == 1_000_000


def test_without_a_token_or_the_right_to_write_nothing_is_taken(api: Api) -> None:
    admin = api.tenant()
    assert export(admin.with_token(""), body(span())).status_code == 401
    reader = admin.user("rea", "read")
    told = export(reader, body(span()))
    assert (told.status_code, told.json()["error"]["code"]) in (
        (403, "permission-denied"),
        (403, "scope-missing"),
    )
    assert admin.get("/v1/traces").json()["data"] == []


def test_a_trace_is_read_with_what_came_late(quiet: Api) -> None:
    caller = quiet.tenant()
    export(caller, body(span()))
    assembled(quiet)
    export(caller, body(span(spanId="b7ad6b7169203331", name="late")))
    told = caller.get(f"/v1/traces/{TRACE}").json()
    assert (told["state"], told["lateCount"], told["lateSpans"][0]["name"]) == ("finished", 1, "late")
    assert caller.get("/v1/traces/" + "f" * 32).json()["error"]["code"] == "trace-not-found"
    assert caller.get("/v1/traces?state=gathering").json()["data"] == []
