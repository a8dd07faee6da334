"""Recording runs: what is accepted comes back as it was sent, and the same id never means two contents."""

from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import pytest

from setright import runs
from setright.identity import ProjectNotFound
from setright.kernel.actor import Role
from setright.kernel.errors import InvalidBody, PermissionDenied, Refusal, UnknownField
from setright.kernel.fields import validate
from setright.kernel.ids import looks_like_ours
from setright.runs import Finish, NewRun, RecordedRun, RunExists, RunNotFound, RunTooLarge, model
from setright.storage import Tx
from tests.runs.support import SUBJECT, body, call, finish, happened, read, record
from tests.support.ledger import Ledger

ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"


def test_a_finished_run_comes_back_as_it_was_sent(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    sent: dict[str, Any] = {
        "input": {"question": "1 + 1?", "a.b": {"": None}},
        "messages": [
            {"role": "user", "content": "hi", "name": "x"},
            {"content": None, "role": "assistant", "tool_calls": []},
        ],
        "calls": [
            call("math.sum", result=None, startedAt="2026-01-05T01:00:00+08:00")
            | {"args": {"z": 1, "a": 2.0}},
            call("lookup", error={"code": 7}, endedAt="2026-01-05T01:00:00Z"),
            call("lookup", error=None),
        ],
        "output": {"sum": 2},
        "answer": "two",
    }
    run = record(ledger, admin, **sent, participantId="p1", tags=["a", "b", "a"]).run
    found = read(ledger, admin, run.id)
    assert found.run == run
    assert found.content == runs.RunContent(sent["input"], sent["messages"], sent["output"], True, "two")
    assert found.calls == sent["calls"]
    assert list(found.calls[0]["args"]) == ["z", "a"]
    assert (run.participant_id, run.tags, run.call_count, run.status) == (
        "p1",
        ("a", "b", "a"),
        3,
        "completed",
    )
    assert (run.recorded_by_kind, run.recorded_by_id) == (admin.kind, admin.id)
    assert run.created_at == run.finished_at
    assert looks_like_ours(run.id)


@pytest.mark.parametrize(
    ("given", "status", "output", "answer"),
    [
        ({}, "running", (False, None), None),
        ({"output": None}, "completed", (True, None), None),
        ({"output": "fine"}, "completed", (True, "fine"), "fine"),
        ({"output": "fine", "answer": "Fine."}, "completed", (True, "fine"), "Fine."),
        ({"output": ""}, "completed", (True, ""), ""),
        ({"output": [1], "status": "failed"}, "failed", (True, [1]), None),
        ({"status": "failed"}, "failed", (False, None), None),
        ({"status": "failed", "answer": "no"}, "failed", (False, None), "no"),
        ({"status": None, "answer": None, "id": None, "calls": None}, "running", (False, None), None),
    ],
)
def test_a_status_and_an_answer_that_are_left_out_follow_from_the_output(
    ledger: Ledger, given: dict[str, Any], status: str, output: tuple[bool, Any], answer: str | None
) -> None:
    admin = ledger.tenant().admin
    run = record(ledger, admin, **given).run
    content = read(ledger, admin, run.id).content
    assert content is not None
    assert (run.status, run.finished_at is None) == (status, status == "running")
    assert (content.has_output, content.output) == output
    assert (content.input, content.answer) == (None, answer)


@pytest.mark.parametrize(
    ("wrong", "pointer"),
    [
        ({"status": "completed"}, "/output"),
        ({"status": "running", "output": 1}, "/output"),
        ({"answer": "early"}, "/answer"),
        ({"status": "done"}, "/status"),
        ({"projectId": ...}, "/projectId"),
        ({"subject": ...}, "/subject"),
        ({"subject": {**SUBJECT, "kind": "tool"}}, "/subject/kind"),
        ({"subject": {**SUBJECT, "id": " \u3000"}}, "/subject/id"),
        ({"subject": {**SUBJECT, "version": ""}}, "/subject/version"),
        ({"messages": [{"content": "hi"}]}, "/messages/0/role"),
        ({"messages": [{"role": 1}]}, "/messages/0/role"),
        ({"messages": ["hi"]}, "/messages/0"),
        ({"calls": [{"args": {}}]}, "/calls/0/tool"),
        ({"calls": [call("a"), call("b") | {"args": []}]}, "/calls/1/args"),
        ({"calls": [call("a", startedAt="2026-01-05T01:00:00")]}, "/calls/0/startedAt"),
        ({"calls": [call("a", endedAt="yesterday")]}, "/calls/0/endedAt"),
        ({"calls": {"tool": "a"}}, "/calls"),
        ({"answer": 1, "output": 1}, "/answer"),
        ({"participantId": ""}, "/participantId"),
        ({"tags": [""]}, "/tags/0"),
        ({"tags": ["a"] * 51}, "/tags"),
        ({"id": ""}, "/id"),
        ({"id": "x" * 201}, "/id"),
        ({"id": "."}, "/id"),
        ({"id": ".."}, "/id"),
        ({"id": "a\nb"}, "/id"),
        ({"id": "a\x85b"}, "/id"),
        ({"id": ULID}, "/id"),
        ({"id": f"cor_{ULID.lower()}"}, "/id"),
        ({"id": 7}, "/id"),
    ],
)
def test_a_fault_is_named_by_its_place(wrong: dict[str, Any], pointer: str) -> None:
    with pytest.raises(InvalidBody) as refused:
        validate(NewRun, body(**wrong))
    assert [fault["pointer"] for fault in refused.value.details["faults"]] == [pointer]


def test_of_a_million_faulty_messages_a_hundred_are_told() -> None:
    with pytest.raises(InvalidBody, match=r"^/messages/0/role: is required \(and 100 more\)") as refused:
        validate(NewRun, body(messages=[{}] * 1_000_000))
    assert len(refused.value.details["faults"]) == 100


def test_content_is_hashed_before_the_transaction_in_which_others_wait(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = ledger.tenant().admin
    whole = validate(NewRun, body(id="whole", input="large", output="large", messages=[]))
    started, end = validate(NewRun, body(id="started")), validate(Finish, {"output": "large"})
    hashed: list[Any] = []
    monkeypatch.setattr(model, "digest", lambda value: hashed.append(value) or "0" * 64)
    ledger.write(lambda tx: runs.record_run(tx, whole), admin)
    ledger.write(lambda tx: runs.record_run(tx, started), admin)
    ledger.write(lambda tx: runs.finish_run(tx, "started", end), admin)
    assert hashed
    assert "large" not in str(hashed)


def test_unknown_fields_are_refused_but_a_message_keeps_its_own() -> None:
    with pytest.raises(UnknownField):
        validate(NewRun, body(outputs=1))
    with pytest.raises(UnknownField):
        validate(NewRun, body(calls=[call("a", callId="1")]))
    assert validate(NewRun, body(messages=[{"role": "user", "x": 1}])).messages == [{"role": "user", "x": 1}]


@pytest.mark.parametrize(
    "run_id", ["a", "a/b", "007", "1e5", "…", "run_1", "x" * 200, f"tau_{ULID}", "a b", "%2F"]
)
def test_a_caller_may_choose_the_id(ledger: Ledger, run_id: str) -> None:
    admin = ledger.tenant().admin
    assert record(ledger, admin, id=run_id).run.id == run_id
    assert read(ledger, admin, run_id).run.id == run_id


def test_our_own_ids_may_be_written_without_their_prefix(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    run = record(ledger, admin).run
    bare = run.id.removeprefix("run_")
    assert read(ledger, admin, bare).run == read(ledger, admin, bare.lower()).run == run
    assert record(ledger, admin, id="mine").created
    with pytest.raises(RunNotFound):
        read(ledger, admin, "run_mine")


def test_the_same_content_again_is_the_same_run(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    sent: dict[str, Any] = {"id": "r", "output": "x", "input": {"b": 1, "a": 2.0}, "calls": [{"tool": "t"}]}
    first = record(ledger, admin, **sent)
    again = record(
        ledger,
        admin,
        **sent | {"input": {"a": 2, "b": 1}, "calls": [call("t")], "answer": "x", "status": "completed"},
        subject={**SUBJECT, "id": " BILLING "},
    )
    assert (first.created, again.created) == (True, False)
    assert again.run == first.run
    assert happened(ledger, admin, "r") == ["run.finished"]


def test_the_start_again_after_the_end_is_the_finished_run(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r", input=1)
    ended = finish(ledger, admin, "r", output="x")
    assert record(ledger, admin, id="r", input=1) == RecordedRun(ended, created=False)


@pytest.mark.parametrize(
    ("other", "fields"),
    [
        ({"output": "y", "answer": "x"}, ["output"]),
        ({"output": "y"}, ["answer", "output"]),
        ({"output": True}, ["answer", "output"]),
        ({"input": 1}, ["input"]),
        ({"calls": [call("t", result=1)]}, ["calls"]),
        ({"calls": [call("t", result=None)]}, ["calls"]),
        ({"status": "failed"}, ["status"]),
        ({"participantId": "p"}, ["participantId"]),
        ({"tags": []}, ["tags"]),
        ({"messages": []}, ["messages"]),
        ({"subject": {**SUBJECT, "version": "v2"}}, ["subject"]),
        ({"subject": {**SUBJECT, "kind": "flow"}, "output": None}, ["answer", "output", "subject"]),
    ],
)
def test_other_content_under_the_same_id_is_refused_by_field(
    ledger: Ledger, other: dict[str, Any], fields: list[str]
) -> None:
    admin = ledger.tenant().admin
    sent: dict[str, Any] = {"id": "r", "output": "x", "calls": [call("t")]}
    record(ledger, admin, **sent)
    with pytest.raises(RunExists) as refused:
        record(ledger, admin, **sent | other)
    assert refused.value.details == {"runId": "r", "fields": fields}
    assert read(ledger, admin, "r").calls == [call("t")]


def test_an_id_taken_where_the_caller_may_not_read_says_nothing_about_that_run(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    other = ledger.project(tenant, "other")
    record(ledger, tenant.admin, id="r", projectId=other)
    stranger = ledger.actor(tenant, Role.WRITE)
    with pytest.raises(RunExists) as refused:
        record(ledger, stranger, id="r")
    assert refused.value.details == {}
    with pytest.raises(RunExists) as told:
        record(ledger, replace(stranger, roles={**stranger.roles, other: Role.READ}), id="r")
    assert told.value.details["fields"] == ["projectId"]


def test_each_tenant_has_its_own_ids(ledger: Ledger) -> None:
    ours, theirs = ledger.tenant(), ledger.tenant()
    assert record(ledger, ours.admin, id="r", input=1).created
    assert record(ledger, theirs.admin, id="r", input=2).created
    assert record(ledger, theirs.admin, id="s").created
    with pytest.raises(RunNotFound):
        read(ledger, ours.admin, "s")


def test_recording_needs_write_on_a_project_that_exists(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    other = ledger.project(tenant, "other")
    writer = ledger.actor(tenant, Role.WRITE)
    assert record(ledger, writer).created
    refusals: list[tuple[Any, str, type[Refusal]]] = [
        (tenant.admin, "nowhere", ProjectNotFound),
        (writer, "nowhere", ProjectNotFound),
        (ledger.tenant().admin, other, ProjectNotFound),
        (writer, other, PermissionDenied),
        (ledger.actor(tenant, Role.READ), "default", PermissionDenied),
    ]
    for actor, project_id, refusal in refusals:
        with pytest.raises(refusal):
            record(ledger, actor, projectId=project_id)


def test_two_at_once_with_one_id_make_one_run(ledger: Ledger) -> None:
    tenant = ledger.tenant()

    def write(tx: Tx) -> RecordedRun:
        tx.actor = tenant.admin
        return runs.record_run(tx, validate(NewRun, body(id="r", output=1, calls=[call("t")])))

    waiting: list[Future[RecordedRun]] = [ledger.store.write(write) for _ in range(12)]
    recorded = [future.result(30) for future in waiting]
    assert sum(one.created for one in recorded) == 1
    assert len({one.run.created_at for one in recorded}) == 1
    assert read(ledger, tenant.admin, "r").calls == [call("t")]


def test_what_is_too_large_is_refused_with_the_limit_and_leaves_nothing(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    most = 4 * 1024 * 1024
    room = most - len('{"tool":"t","args":{},"result":""}')
    assert record(ledger, admin, id="fits", calls=[call("t", result="x" * room)]).created
    with pytest.raises(RunTooLarge) as refused:
        record(ledger, admin, id="over", calls=[call("t", result="x" * (room + 1))])
    assert refused.value.details == {"maxBytes": most}
    with pytest.raises(RunTooLarge) as whole:
        record(ledger, admin, id="over", output="ü" * (32 * 1024 * 1024))
    assert whole.value.details == {"maxBytes": 64 * 1024 * 1024}
    with pytest.raises(RunNotFound):
        read(ledger, admin, "over")
