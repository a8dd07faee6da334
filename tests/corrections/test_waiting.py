"""Corrections that wait for their run, and are recorded when it finishes, on both engines."""

from dataclasses import replace

import pytest

from setright import corrections, identity, runs
from setright.corrections import Correction, NewCorrection
from setright.corrections.errors import RunNotFinished
from setright.corrections.waiting import MOST_FOR_ONE_RUN
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied
from setright.kernel.fields import validate
from setright.kernel.limits import QuotaExceeded
from setright.runs import BatchOutcome, RunNotFound
from tests.corrections.holding import SUBJECT, Holding, a_run, new_id
from tests.support.ledger import Ledger


@pytest.fixture
def room(ledger: Ledger) -> Holding:
    return Holding(ledger, ledger.tenant())


def test_it_waits_for_a_run_that_is_missing_and_is_recorded_when_that_comes(room: Holding) -> None:
    run_id, bob = new_id(), room.person("bob", "write")
    held = room.held(run_id)
    assert (held.state, held.project_id, held.run_id) == ("waiting", "default", run_id)
    assert room.now(held).run_state == "missing"
    room.run(run_id, by=bob)
    made = room.became(held)
    assert (made.id, made.run_id, made.made_by_id) == (held.id, run_id, room.admin.id)
    assert (made.answer, made.said["shouldSay"]) == ("wrong", "14 days")
    assert (made.status, made.sorted_to) == ("open", "improve")
    assert made.created_at > held.held_at
    assert room.waiting() == []


def test_it_waits_for_a_run_that_is_not_finished(room: Holding) -> None:
    run = room.run(None, output=...)
    held = room.held(run.id)
    assert room.now(held).run_state == "running"
    ended = room.finish(run.id)
    assert room.became(held).created_at > (ended.finished_at or 0)


def test_a_run_that_fails_is_finished_too(room: Holding) -> None:
    run = room.run(None, output=...)
    held = room.held(run.id)
    room.finish(run.id, status="failed")
    assert room.became(held).run_id == run.id


def test_a_run_that_begins_without_finishing_is_waited_for_further(room: Holding) -> None:
    run_id = new_id()
    held = room.held(run_id)
    room.run(run_id, output=...)
    assert room.now(held).run_state == "running"
    room.finish(run_id)
    assert room.became(held).id == held.id


def test_one_of_a_finished_run_is_recorded_at_once(room: Holding) -> None:
    assert isinstance(room.hold(room.run(None).id), Correction)
    assert room.waiting(state=("waiting", "refused", "withdrawn")) == []


def test_without_holding_a_run_that_cannot_be_corrected_yet_is_refused(room: Holding) -> None:
    with pytest.raises(RunNotFinished):
        room.hold(room.run(None, output=...).id, project=None)
    with pytest.raises(RunNotFound):
        room.hold(new_id(), project=None)


def test_holding_needs_write_in_the_project_which_exists(room: Holding) -> None:
    for role in (None, Role.READ):
        with pytest.raises(PermissionDenied):
            room.hold(new_id(), by=room.ledger.actor(room.tenant, role))
    with pytest.raises(identity.ProjectNotFound):
        room.hold(new_id(), project="nowhere")


def test_they_are_recorded_in_the_order_in_which_they_were_held(room: Holding) -> None:
    run_id = new_id()
    held = [room.held(run_id, by=room.person(f"maker {number}", "write")) for number in range(5)]
    assert room.waiting() == [one.id for one in held]
    room.run(run_id)
    made = room.recorded(run_id=run_id)
    assert [one.id for one in made] == [one.id for one in held]
    assert [one.made_by_id for one in made] == [one.made_by_id for one in held]
    assert len({one.created_at for one in made}) == len(made)
    copies = [room.ask(corrections.get_correction, one.id).copy for one in made]
    assert copies == [{"input": None, "calls": [], "output": {"hits": ["a"]}}] * 5


def test_of_two_by_one_caller_the_later_supersedes_the_earlier(room: Holding) -> None:
    run_id = new_id()
    first, other, second = (
        room.held(run_id),
        room.held(run_id, participantId="p", answer="right"),
        room.held(run_id),
    )
    room.run(run_id)
    assert room.became(first).superseded_by == second.id
    assert room.became(first).status == "open"
    assert [room.became(one).superseded_by for one in (other, second)] == [None, None]
    kinds = ["correction.held", "correction.recorded", "correction.superseded"]
    assert [kind for kind, _ in room.story(first.id)] == kinds


def test_what_comes_with_the_run_is_newer_than_what_waited_for_it(room: Holding) -> None:
    run_id = new_id()
    held = room.held(run_id)
    run = {"id": run_id, "projectId": "default", "subject": SUBJECT, "output": 1}
    made = room.whole(corrections.record_or_hold, validate(NewCorrection, {"run": run, "answer": "right"}))
    assert room.became(held).superseded_by == made.id
    assert room.became(held).created_at < made.created_at


def test_its_history_is_the_story_from_held_to_recorded_by_its_maker(room: Holding) -> None:
    run_id, maria, agent = new_id(), room.person("maria", "write"), room.person("agent", "write")
    held = room.held(run_id, by=maria)
    run = room.run(run_id, by=agent)
    assert room.story(held.id) == [("correction.held", maria.id), ("correction.recorded", maria.id)]
    assert room.story(run.id) == [("run.finished", agent.id)]


def test_a_batch_records_what_waits_for_each_of_its_runs(room: Holding) -> None:
    first, unfit, last = new_id(), new_id(), new_id()
    held = {
        run_id: [room.held(run_id), room.held(run_id, answer="right", participantId="p")]
        for run_id in (first, unfit, last)
    }
    batch = [a_run(first), a_run(unfit, projectId="nowhere"), a_run(None), a_run(last)]
    told: list[BatchOutcome] = room.whole(runs.record_batch, batch)
    assert [one.refusal is None for one in told] == [True, False, True, True]
    for run_id in (first, last):
        assert [one.id for one in room.recorded(run_id=run_id)] == [one.id for one in held[run_id]]
    assert room.waiting() == [one.id for one in held[unfit]]


def test_the_same_run_sent_again_records_nothing_again(room: Holding) -> None:
    run_id = new_id()
    held = room.held(run_id)
    room.run(run_id)
    room.run(run_id)
    assert [one.id for one in room.recorded(run_id=run_id)] == [held.id]


def test_a_run_of_another_project_or_tenant_never_records_it(room: Holding, ledger: Ledger) -> None:
    second, run_id = room.ledger.project(room.tenant, "second"), new_id()
    held, elsewhere = room.held(run_id, project=second), Holding(ledger, ledger.tenant())
    elsewhere.run(run_id)
    assert room.now(held).run_state == "missing"
    room.run(run_id, output=...)
    room.finish(run_id)
    assert room.now(held).run_state == "elsewhere"
    assert room.waiting() == [held.id]
    assert room.now(room.held(run_id, project=second)).run_state == "elsewhere"
    assert room.recorded() == []


def test_a_hundred_may_wait_for_one_run(room: Holding) -> None:
    run_id, second = new_id(), room.ledger.project(room.tenant, "second")
    held = [room.held(run_id) for _ in range(MOST_FOR_ONE_RUN)]
    with pytest.raises(QuotaExceeded) as caught:
        room.hold(run_id)
    assert caught.value.details["limit"] == MOST_FOR_ONE_RUN
    assert room.held(run_id, project=second).state == "waiting"
    room.do(corrections.withdraw, held[0].id)
    room.held(run_id)
    room.run(run_id)
    assert len(room.recorded(run_id=run_id)) == MOST_FOR_ONE_RUN
    assert isinstance(room.hold(run_id), Correction)


def test_what_was_said_is_kept_and_recorded_as_it_was(room: Holding) -> None:
    run_id = new_id()
    body = {
        "decisions": "wrong",
        "shouldCall": [{"tool": "pay", "args": {"a": None, "b": [1, 2.5, {"c": None}]}}, {"tool": "tell"}],
        "mustNotCall": ["reject"],
        "answer": "wrong",
        "shouldSay": "vierzehn Tage ✓",
        "items": [{"key": "a", "pointer": "/hits/0", "rank": 0, "verdict": "wrong"}],
        "answerMatch": {"how": "contains", "in": "messages", "values": ["14 days"]},
        "evidence": ["https://example.org/rules"],
        "participantId": "p",
        "why": None,
    }
    held = room.held(run_id, **body)
    assert dict(held.request) == {
        "runId": run_id,
        **{name: value for name, value in body.items() if name != "why"},
    }
    room.run(run_id)
    other = room.hold(run_id, **body)
    assert isinstance(other, Correction)
    assert room.became(held).said == other.said
    assert replace(
        room.became(held), id="", created_at=0, updated_at=0, superseded_by=None, unregistered_at=None
    ) == replace(other, id="", created_at=0, updated_at=0, sorted=room.became(held).sorted)
