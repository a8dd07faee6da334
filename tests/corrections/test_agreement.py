"""How far raters agree: what counts, for whom, and where they do not, on both engines."""

from typing import Any

import pytest

from setright.corrections import Agreement, Coefficient, Review
from setright.kernel.actor import Role
from setright.kernel.errors import PermissionDenied
from tests.corrections.tallying import (
    RIGHT_ANSWER,
    RIGHT_CALLS,
    WRONG_ANSWER,
    WRONG_CALLS,
    Tallied,
    items,
)
from tests.support.ledger import Ledger

SAID = {"r": RIGHT_ANSWER, "w": WRONG_ANSWER}
NONE = Coefficient(None, "no-overlap")


@pytest.fixture
def tallied(ledger: Ledger) -> Tallied:
    return Tallied(ledger, ledger.tenant())


def rate(tallied: Tallied, *runs: str, **of: Any) -> list[str]:
    """Runs whose answers callers 0, 1 and on say are right (r) or wrong (w), or do not judge (.)."""
    made: list[str] = []
    for verdicts in runs:
        run_id = tallied.run(**of)
        made.append(run_id)
        for caller, verdict in enumerate(verdicts):
            if verdict in SAID:
                tallied.says(caller, run_id, SAID[verdict])
    return made


def aspect(found: Agreement, name: str) -> tuple[int, int, Coefficient]:
    (one,) = [one for one in found.aspects if one.aspect == name]
    assert one.share == (one.agreeing / one.units if one.units else None)
    return one.units, one.agreeing, one.alpha


def test_two_raters_have_a_share_an_alpha_and_a_kappa(tallied: Tallied) -> None:
    rate(tallied, *["rr"] * 20, *["rw"] * 5, *["wr"] * 10, *["ww"] * 15, "r", "w", ".r")
    found = tallied.agreement()
    units, agreeing, alpha = aspect(found, "answer")
    assert (units, agreeing) == (50, 35)
    assert alpha.value == pytest.approx(1 - 15 / (2 * 55 * 45 / 99) * 2)
    (pair,) = [pair for pair in found.pairs if pair.aspect == "answer"]
    assert (pair.units, pair.agreeing, pair.share, pair.kappa) == (50, 35, 0.7, Coefficient(0.4))
    assert {rater.id for rater in pair.raters} == {tallied.caller(0).id, tallied.caller(1).id}
    assert aspect(found, "decisions") == aspect(found, "items") == (0, 0, NONE)
    assert (len(found.pairs), found.more_pairs) == (1, False)
    assert tallied.faults() == []


def test_of_many_raters_alpha_speaks_and_every_pair_has_its_kappa(tallied: Tallied) -> None:
    rate(tallied, "rrr", "rrw", "r.w", "wwr", ".ww", "ww.", "r")
    found = tallied.agreement()
    units, agreeing, alpha = aspect(found, "answer")
    assert (units, agreeing) == (6, 3)
    assert alpha.value == pytest.approx(1 - (2 + 2 + 2) / (2 * 7 * 8 / 14))
    assert [pair.units for pair in found.pairs] == [4, 4, 4]
    assert aspect(tallied.agreement(agent_id="nobody"), "answer") == (0, 0, NONE)


def test_each_aspect_and_each_item_is_a_unit_of_its_own(tallied: Tallied) -> None:
    run = tallied.run()
    tallied.says(0, run, WRONG_CALLS | RIGHT_ANSWER | items("right", "wrong", "right"))
    tallied.says(1, run, RIGHT_CALLS | items("right", "right"))
    tallied.says(2, run, items("right"))
    found = tallied.agreement()
    assert aspect(found, "decisions")[:2] == (1, 0)
    assert aspect(found, "answer") == (0, 0, NONE)
    assert aspect(found, "items")[:2] == (2, 1)
    assert [(one.aspect, one.item_key, one.rights, one.wrongs) for one in found.data] == [
        ("items", "1", 1, 1),
        ("decisions", None, 1, 1),
    ]


def test_what_never_differs_has_no_coefficient(tallied: Tallied) -> None:
    rate(tallied, "rr", "rr")
    found = tallied.agreement()
    assert aspect(found, "answer") == (2, 2, Coefficient(None, "no-variation"))
    assert found.pairs[0].kappa == Coefficient(None, "no-variation")
    assert found.data == []


def test_a_new_verdict_takes_the_place_of_the_old_and_a_removed_one_counts_no_more(tallied: Tallied) -> None:
    (run,) = rate(tallied, "rw")
    assert aspect(tallied.agreement(), "answer")[:2] == (1, 0)
    tallied.says(1, run, RIGHT_ANSWER)
    assert aspect(tallied.agreement(), "answer")[:2] == (1, 1)
    tallied.says(1, run, WRONG_CALLS)
    assert aspect(tallied.agreement(), "answer") == (0, 0, NONE)
    again = tallied.says(1, run, WRONG_ANSWER)
    tallied.removes(again)
    found = tallied.agreement()
    assert (aspect(found, "answer"), found.pairs, found.data) == ((0, 0, NONE), [], [])
    assert tallied.faults() == []


def test_participants_are_raters_of_their_own(tallied: Tallied) -> None:
    run = tallied.run()
    for participant, said in (("ann", RIGHT_ANSWER), ("bob", WRONG_ANSWER), (None, WRONG_ANSWER)):
        tallied.says(0, run, said, participantId=participant)
    found = tallied.agreement()
    assert aspect(found, "answer")[:2] == (1, 0)
    own = tallied.caller(0).id
    named = tallied.agreement(raters=(f"{own}/ann", own))
    (pair,) = [pair for pair in named.pairs if pair.aspect == "answer"]
    assert [rater.participant_id for rater in pair.raters] == [None, "ann"]
    assert (pair.units, pair.agreeing) == (1, 0)
    assert [voice.rater.participant_id for voice in found.data[0].voices] == [None, "ann", "bob"]


def test_a_blind_verdict_counts_once_it_is_shown(tallied: Tallied) -> None:
    run = tallied.run()
    tallied.says(0, run, RIGHT_ANSWER)
    tallied.says(1, run, WRONG_ANSWER, Review("queue"))
    tallied.says(2, run, WRONG_ANSWER, Review("queue"))
    assert aspect(tallied.agreement(), "answer") == (0, 0, NONE)
    tallied.shows(run, "queue")
    found = tallied.agreement()
    assert aspect(found, "answer")[:2] == (1, 0)
    assert (found.data[0].rights, found.data[0].wrongs) == (1, 2)
    assert tallied.faults() == []


def test_experts_are_compared_among_themselves_and_so_are_the_others(tallied: Tallied) -> None:
    group = tallied.make(assertableBy={"principalKinds": ["user"]}).id
    run = tallied.run()
    for caller, (verdict, expert) in enumerate([("r", True), ("r", True), ("w", False), ("w", False)]):
        tallied.says(caller, run, SAID[verdict], correctorGroupId=group if expert else None)
    assert aspect(tallied.agreement(), "answer")[:2] == (1, 0)
    for expert in (True, False):
        found = tallied.agreement(expert=expert)
        assert aspect(found, "answer")[:2] == (1, 1)
        assert ([pair.units for pair in found.pairs], found.data) == ([1], [])
    tallied.says(4, run, WRONG_ANSWER, correctorGroupId=group)
    found = tallied.agreement(expert=True)
    assert (found.data[0].rights, found.data[0].wrongs) == (2, 1)
    assert {voice.expert for voice in found.data[0].voices} == {True}
    assert tallied.faults() == []


def test_a_run_of_a_crowd_counts_in_alpha_and_in_no_pair(tallied: Tallied) -> None:
    run = tallied.run()
    made = [tallied.says(0, run, SAID["rw"[number % 2]], participantId=f"p{number}") for number in range(16)]
    paired = tallied.agreement(raters=(f"{tallied.caller(0).id}/p1", f"{tallied.caller(0).id}/p3"))
    assert [pair.units for pair in paired.pairs] == [0, 1, 0]
    assert tallied.agreement().more_pairs
    last = tallied.says(1, run, RIGHT_ANSWER)
    assert tallied.agreement().pairs == []
    assert aspect(tallied.agreement(), "answer")[:2] == (1, 0)
    tallied.says(1, run, WRONG_ANSWER)
    tallied.says(2, run, WRONG_ANSWER)
    assert tallied.faults() == []
    found = tallied.agreement().data[0]
    assert (found.rights, found.wrongs, len(found.voices)) == (8, 10, 16)
    for one in made[:4]:
        tallied.removes(one)
    assert last.run_id == run
    assert tallied.agreement().more_pairs
    assert tallied.faults() == []


def test_it_is_narrowed_to_subject_project_aspect_and_pair(tallied: Tallied) -> None:
    tallied.ledger.project(tallied.tenant, "other")
    rate(tallied, "rw.", "rr.", version="v1")
    rate(tallied, "rw.", "w.w", version="v2")
    rate(tallied, "rw.", project="other")
    run = tallied.run()
    tallied.says(0, run, RIGHT_CALLS)
    tallied.says(1, run, WRONG_CALLS)

    def units(**filters: Any) -> int:
        return sum(one.units for one in tallied.agreement(**filters).aspects)

    assert units() == 6
    assert units(agent_id="SUPPORT", agent_version="v2") == 2
    assert units(project_id="other") == 1
    assert units(flow_id="support") == 0
    assert len(tallied.agreement().data) == 4
    assert len(tallied.agreement(project_id="default").data) == 3
    assert len(tallied.agreement(agent_id="support", agent_version="v1").data) == 3
    assert [one.aspect for one in tallied.agreement(aspect="decisions").data] == ["decisions"]
    first, third = tallied.caller(0).id, tallied.caller(2).id
    pairs = tallied.agreement(raters=(third, first)).pairs
    assert [(pair.aspect, pair.units) for pair in pairs] == [("decisions", 0), ("answer", 1), ("items", 0)]
    assert pairs[0].kappa == NONE


def test_disagreements_are_newest_first_and_each_is_on_one_page(tallied: Tallied) -> None:
    tallied.ledger.project(tallied.tenant, "other")
    made = rate(tallied, "rw", "rr", "wr", "rw") + rate(tallied, "wr", "rw", project="other")
    disputed = [run_id for number, run_id in enumerate(made) if number != 1]
    for reader in (
        None,
        tallied.ledger.actor(tallied.tenant, roles={"default": Role.READ, "other": Role.READ}),
    ):
        seen, after = [], None
        while True:
            page = tallied.agreement(by=reader, limit=2, after=after)
            seen += [one.run_id for one in page.data]
            after = page.next
            if after is None:
                break
        assert seen == disputed[::-1]
    voices = tallied.agreement(limit=1).data[0].voices
    assert {(voice.rater.id, voice.right) for voice in voices} == {
        (tallied.caller(0).id, True),
        (tallied.caller(1).id, False),
    }


def test_only_projects_that_the_caller_may_read_are_compared(tallied: Tallied) -> None:
    tallied.ledger.project(tallied.tenant, "secret")
    rate(tallied, "rw", project="secret")
    reader = tallied.ledger.actor(tallied.tenant, Role.READ)
    found = tallied.agreement(by=reader)
    assert (aspect(found, "answer"), found.pairs, found.data) == ((0, 0, NONE), [], [])
    with pytest.raises(PermissionDenied):
        tallied.agreement(by=reader, project_id="secret")
    nobody = tallied.ledger.actor(tallied.tenant)
    assert aspect(tallied.agreement(by=nobody), "answer") == (0, 0, NONE)
    stranger = tallied.ledger.tenant().admin
    assert tallied.agreement(by=stranger).data == []
