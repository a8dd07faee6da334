"""The summary of corrections: what counts where, what it weighs, and who sees it, on both engines."""

from dataclasses import replace
from typing import Any

import pytest

from setright.corrections import Review, Summary
from setright.identity import ProjectNotFound
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied
from tests.corrections.tallying import (
    RIGHT_ANSWER,
    RIGHT_CALLS,
    WRONG_ANSWER,
    WRONG_CALLS,
    Tallied,
    items,
    plain,
)
from tests.support.ledger import Ledger


@pytest.fixture
def tallied(ledger: Ledger) -> Tallied:
    return Tallied(ledger, ledger.tenant())


def statuses(found: Summary) -> dict[str, int]:
    return {status: tally["corrections"].corrections for status, tally in found.statuses.items()}


def test_what_corrections_say_is_counted_by_aspect_and_desk(tallied: Tallied) -> None:
    for said in (
        WRONG_CALLS,
        RIGHT_CALLS,
        WRONG_ANSWER | RIGHT_CALLS,
        items("right", "wrong"),
        items("right"),
    ):
        tallied.says(0, tallied.run(), said)
    assert tallied.counts() == {
        "corrections": 5,
        "decisions_wrong": 1,
        "decisions_right": 2,
        "answer_wrong": 1,
        "items_wrong": 1,
        "items_right": 1,
        "to_owner": 1,
        "to_improve": 2,
    }
    assert tallied.faults() == []


def test_a_correction_counts_under_the_status_that_it_has_now(tallied: Tallied) -> None:
    made = tallied.says(0, tallied.run(), WRONG_ANSWER)
    assert statuses(tallied.summary()) == {"open": 1}
    tallied.moves(made, status="being-fixed")
    assert statuses(tallied.summary()) == {"being-fixed": 1}
    tallied.moves(made, statusNote="on it")
    assert tallied.counts() == {"corrections": 1, "answer_wrong": 1, "to_improve": 1}
    tallied.moves(made, sortedTo="owner")
    assert tallied.counts() == {"corrections": 1, "answer_wrong": 1, "to_owner": 1}
    assert tallied.faults() == []


def test_a_removed_one_counts_as_removed_and_in_no_sum(tallied: Tallied) -> None:
    tallied.removes(tallied.says(0, tallied.run(), WRONG_ANSWER))
    found = tallied.summary()
    assert (statuses(found), plain(found.total)) == ({"removed": 1}, {})
    assert plain(found.data[0].total) == {}
    assert plain(found.data[0].statuses["removed"])["answer_wrong"] == 1


def test_a_superseded_one_counts_nowhere(tallied: Tallied) -> None:
    run = tallied.run()
    tallied.says(0, run, WRONG_ANSWER)
    tallied.says(0, run, RIGHT_ANSWER)
    assert tallied.counts() == {"corrections": 1, "answer_right": 1}
    tallied.says(0, run, RIGHT_ANSWER, participantId="guest")
    tallied.says(1, run, WRONG_ANSWER)
    assert tallied.counts() == {"corrections": 3, "answer_right": 2, "answer_wrong": 1, "to_improve": 1}
    assert tallied.faults() == []


def test_a_blind_one_counts_once_it_is_shown(tallied: Tallied) -> None:
    run = tallied.run()
    tallied.says(0, run, WRONG_ANSWER, Review("queue"))
    tallied.says(1, run, WRONG_CALLS, Review("queue"))
    tallied.removes(tallied.says(2, run, WRONG_CALLS, Review("queue")))
    assert (tallied.counts(), tallied.faults()) == ({}, [])
    tallied.shows(run, "queue")
    assert statuses(tallied.summary()) == {"open": 1, "with-owner": 1}
    assert tallied.faults() == []


def test_weights_count_as_they_are_now_and_add_up_without_rounding(tallied: Tallied) -> None:
    seniors = tallied.make(name="Seniors", weight=0.1)
    for _ in range(3):
        tallied.correct(seniors.id)
    tallied.says(0, tallied.run(), WRONG_ANSWER)
    total = tallied.summary().total
    assert (total["answer_wrong"].corrections, total["answer_wrong"].weighted) == (4, 1.3)
    tallied.change(seniors, weight=0)
    assert tallied.summary().total["answer_wrong"].weighted == 1
    tallied.retire(seniors)
    tallied.change(seniors, weight=2.5)
    assert tallied.summary().total["corrections"].weighted == 8.5
    assert tallied.summary().data[0].total["corrections"].weighted == 8.5


def test_experts_and_the_others_can_be_counted_apart(tallied: Tallied) -> None:
    experts = tallied.make(assertableBy={"principalKinds": ["user"]})
    tallied.correct(experts.id)
    tallied.says(0, tallied.run(), RIGHT_ANSWER)
    assert tallied.counts(expert=True) == {"corrections": 1, "answer_wrong": 1, "to_improve": 1}
    assert tallied.counts(expert=False) == {"corrections": 1, "answer_right": 1}
    assert tallied.counts()["corrections"] == 2


def test_it_is_narrowed_to_an_agent_a_version_a_flow_or_a_project(tallied: Tallied) -> None:
    tallied.ledger.project(tallied.tenant, "other")
    for project, subject in (
        ("default", {"id": "Support", "version": "v1"}),
        ("default", {"id": "support ", "version": "v2"}),
        ("other", {"id": "SUPPORT", "version": "v2"}),
        ("other", {"id": "support", "kind": "flow"}),
    ):
        tallied.says(0, tallied.run(project, **subject), WRONG_ANSWER)

    def count(**filters: Any) -> int:
        return tallied.summary(**filters).total["corrections"].corrections

    assert count() == 4
    assert count(agent_id="sUPPORT") == 3
    assert count(agent_id="support", agent_version="v2") == 2
    assert count(agent_id="support", agent_version="v2", project_id="other") == 1
    assert count(flow_id="support") == 1
    assert count(flow_id="nobody") == 0
    shown = [
        (tally.subject.kind, tally.subject.id, tally.subject.version) for tally in tallied.summary().data
    ]
    assert shown == [("agent", "Support", "v1"), ("agent", "Support", "v2"), ("flow", "support", "v1")]


def test_its_pages_hold_every_subject_and_version_once(tallied: Tallied) -> None:
    for agent in ("b", "a", "C"):
        for version in ("v2", "v10"):
            tallied.says(0, tallied.run(id=agent, version=version), WRONG_ANSWER)
    whole = tallied.summary()
    pages, after = [tallied.summary(limit=4)], None
    after = pages[0].next
    assert after is not None
    pages.append(tallied.summary(limit=4, after=after))
    assert pages[1].next is None
    assert [*pages[0].data, *pages[1].data] == list(whole.data)
    assert [tally.subject.id for tally in whole.data] == ["a", "a", "b", "b", "C", "C"]
    assert {page.total["corrections"].corrections for page in pages} == {6}


def test_only_projects_that_the_caller_may_read_are_counted(tallied: Tallied) -> None:
    tallied.ledger.project(tallied.tenant, "secret")
    tallied.says(0, tallied.run(), WRONG_ANSWER)
    tallied.says(0, tallied.run("secret"), WRONG_ANSWER)
    reader = tallied.ledger.actor(tallied.tenant, Role.READ)
    assert plain(tallied.summary(reader).total)["corrections"] == 1
    with pytest.raises(PermissionDenied):
        tallied.summary(reader, project_id="secret")
    with pytest.raises(ProjectNotFound):
        tallied.summary(reader, project_id="nowhere")
    nobody = replace(reader, roles={})
    assert plain(tallied.summary(nobody).total) == {}
    stranger = tallied.ledger.tenant().admin
    assert tallied.summary(stranger).data == []
