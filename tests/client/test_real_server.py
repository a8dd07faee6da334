"""The client and the real server together."""

import asyncio
from typing import Any

import pytest

from setright.client import (
    AsyncSetright,
    Conflict,
    Correction,
    InvalidRequest,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    Setright,
    WaitingCorrection,
)
from tests.client.real_server import RealServer, on_each_engine
from tests.client.samples import SUBJECT

real_server = on_each_engine

WRONG: dict[str, Any] = {
    "decisions": "wrong",
    "should_call": [{"tool": "refund", "args": {"order_id": 7}, "match": {"order_id": {"any_of": [7, 8]}}}],
    "items": [{"key": "first", "pointer": "/matches/0", "verdict": "wrong"}],
}


def finished(client: Setright, **more: Any) -> str:
    given = {"output": {"matches": [{"a_b": 1}]}, **more}
    return client.runs.create(project_id="default", subject=SUBJECT, **given).id


def test_a_run_is_started_filled_finished_corrected_and_read_back(real_client: Setright) -> None:
    run = real_client.runs.create(project_id="default", subject=SUBJECT, input={"order_id": 7})
    assert (run.status, run.finished) == ("running", False)
    assert real_client.runs.append_calls(run.id, 0, [{"tool": "look_up", "args": {"a_b": 1}}]).call_count == 1
    assert real_client.runs.finish(run.id, output={"matches": [{"a_b": 1}]}).status == "completed"
    made = real_client.corrections.create(run_id=run.id, **WRONG)
    assert (made.status, made.sorted_to, made.receipt and made.receipt.status) == ("with-owner", "owner", 201)
    found = real_client.corrections.get(made.id)
    assert [call.match for call in found.should_call or ()] == [{"order_id": {"anyOf": [7, 8]}}]
    assert [item.value for item in found.items or ()] == [{"a_b": 1}]
    assert found.copy is not None
    assert [call.args for call in found.copy.calls or ()] == [{"a_b": 1}]
    assert [event.kind for event in real_client.corrections.history(made.id)] == ["correction.recorded"]
    assert [one.id for one in real_client.corrections.list(run_id=run.id)] == [made.id]


def test_a_correction_is_held_for_its_run_found_and_taken_back(real_client: Setright) -> None:
    said: dict[str, Any] = {"answer": "wrong", "should_say": "14 days"}
    held = real_client.corrections.hold(project_id="default", run_id="to-come", **said)
    assert isinstance(held, WaitingCorrection)
    assert (held.waiting_for_run, held.receipt and held.receipt.status) == (True, 202)
    other = real_client.corrections.hold("default", run_id="never", **said)
    listed = list(real_client.corrections.waiting.list(state=["waiting"], limit=1))
    assert {one.id for one in listed} >= {held.id, other.id}
    assert real_client.corrections.waiting.withdraw(other.id).state == "withdrawn"
    assert real_client.corrections.waiting.get(other.id).withdrawn_at is not None
    with pytest.raises(NotFound) as caught:
        real_client.corrections.get(held.id)
    assert caught.value.details["waiting"] is True
    finished(real_client, id="to-come")
    assert real_client.corrections.get(held.id).should_say == "14 days"
    at_once = real_client.corrections.hold("default", run_id="to-come", **said)
    assert isinstance(at_once, Correction)
    assert at_once.receipt is not None
    assert at_once.receipt.etag


def test_why_a_held_correction_was_refused_is_read(real_client: Setright) -> None:
    items = [{"key": "a", "pointer": "/nowhere", "verdict": "wrong"}]
    held = real_client.corrections.hold("default", run_id="refused-later", items=items)
    finished(real_client, id="refused-later")
    refusal = real_client.corrections.waiting.get(held.id).refusal
    assert refusal is not None
    assert (refusal.code, bool(refusal.details)) == ("item-not-found", True)


def test_the_same_key_gives_the_same_answer_and_records_once(real_client: Setright) -> None:
    run_id = finished(real_client)
    first = real_client.corrections.create(run_id=run_id, key=f"k-{run_id}", **WRONG)
    again = real_client.corrections.create(run_id=run_id, key=f"k-{run_id}", **WRONG)
    assert first == again
    assert (first.receipt and first.receipt.replayed, again.receipt and again.receipt.replayed) == (
        False,
        True,
    )
    with pytest.raises(Conflict, match="idempotency-key-body-mismatch"):
        real_client.corrections.create(run_id=run_id, key=f"k-{run_id}", answer="right")


@pytest.mark.parametrize("own", ["a/b", "a%2Fb", "50% ?#&", "\u00e4\u6f22", "...", "a b+c"])
def test_an_identifier_of_the_callers_own_comes_back_and_is_found(real_client: Setright, own: str) -> None:
    assert finished(real_client, id=own) == own
    assert real_client.runs.get(own).id == own


@pytest.mark.parametrize("output", [None, 0, "", [], {"a_b": None}, 1.5, True, "\u2028 \U0001f600 \\u0000"])
def test_an_output_comes_back_as_it_was(real_client: Setright, output: Any) -> None:
    run = real_client.runs.get(finished(real_client, output=output))
    assert (run.output, run.has_output, type(run.output)) == (output, True, type(output))


def test_lists_and_calls_are_walked_without_a_gap(real_client: Setright) -> None:
    flow = {"kind": "flow", "id": "walked", "version": "1"}
    runs = [{"project_id": "default", "subject": flow, "output": number} for number in range(130)]
    made = real_client.runs.create_many(runs)
    assert {result.status for result in made} == {201}
    walked = [run.id for run in real_client.runs.list(flow_id="walked", limit=30)]
    assert sorted(walked) == sorted(result.run.id for result in made if result.run)
    calls = [{"tool": f"t{number}"} for number in range(70)]
    run_id = finished(real_client, calls=calls)
    assert [call.tool for call in real_client.runs.calls(run_id)] == [call["tool"] for call in calls]
    seen = [event.seq for event in real_client.events.list(limit=40)]
    assert len(seen) == len(set(seen)) >= 130


def test_refusals_come_as_their_classes(real_client: Setright) -> None:
    with pytest.raises(NotFound, match="run-not-found"):
        real_client.runs.get("nowhere")
    with pytest.raises(InvalidRequest) as raised:
        real_client.corrections.create(run_id="x", decisions="wrong", should_call=[{"tool": ""}])
    assert "/shouldCall/0/tool" in [fault.pointer for fault in raised.value.faults]
    with pytest.raises(InvalidRequest, match=r"limit: is too large"):
        real_client.runs.page(limit=1000)
    results = real_client.runs.create_many([{"subject": SUBJECT}])
    assert isinstance(results[0].error, InvalidRequest)


def test_tokens_users_projects_and_members(real_client: Setright, real_server: RealServer) -> None:
    project = real_client.projects.create(name="Refunds")
    assert real_client.projects.rename(project.id, "Money back").name == "Money back"
    user = real_client.users.create(name="ann")
    member = real_client.projects.members.put(project.id, user.id, role="read", reviewer_role="senior")
    assert (member.role, member.reviewer_role) == ("read", "senior")
    assert [one.id for one in real_client.projects.members.list(project.id)] == [user.id]
    real_client.projects.members.remove(project.id, user.id)
    assert list(real_client.projects.members.list(project.id)) == []
    assert real_client.users.change(user.id, name="Ann", role="read").name == "Ann"
    assert real_client.users.disable(user.id).disabled_at is not None

    token = real_client.tokens.create(kind="service", name="ci", role="read", project_id=project.id)
    service = Setright(real_server.url, token.secret)
    assert (service.me().kind, service.me().id) == ("service", token.id)
    with pytest.raises(NotAllowed):
        service.runs.create(project_id=project.id, subject={"kind": "agent", "id": "a", "version": "1"})
    real_client.tokens.revoke(token.id)
    with pytest.raises(NotAuthenticated, match="auth-revoked"):
        service.me()


def test_many_calls_at_once_through_one_asynchronous_client(real_server: RealServer) -> None:
    flow = {"kind": "flow", "id": "at-once", "version": "1"}

    async def record() -> tuple[set[str], list[str]]:
        async with AsyncSetright(real_server.url, real_server.token) as client:
            runs = [client.runs.create(project_id="default", subject=flow, output=n) for n in range(60)]
            made = {run.id for run in await asyncio.gather(*runs)}
            return made, [run.id async for run in client.runs.list(flow_id="at-once", limit=25)]

    made, listed = asyncio.run(record())
    assert len(listed) == 60
    assert set(listed) == made
