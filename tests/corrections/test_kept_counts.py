"""Whatever happens to corrections, the kept counts are those that a count of the rows gives, on both engines."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from setright import corrections
from setright.corrections import Correction, CorrectionFilters, NewCorrection, Review
from setright.corrections.tables import correction_counts
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.storage import Sql, Tx
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

SAID = (
    WRONG_ANSWER,
    RIGHT_ANSWER,
    WRONG_CALLS,
    RIGHT_CALLS,
    WRONG_ANSWER | RIGHT_CALLS,
    items("right", "wrong"),
    items("wrong") | RIGHT_ANSWER,
    {**RIGHT_ANSWER, "items": []},
    {**WRONG_CALLS, "shouldCall": [{"tool": "t", "args": {"items": [{"verdict": "wrong"}]}}]},
)
CHANGES = (
    {"status": "being-fixed"},
    {"status": "wont-fix"},
    {"sortedTo": "owner"},
    {"sortedTo": "developer"},
    {"sortedTo": None},
    {"statusNote": "seen"},
)
ACTS = st.one_of(
    st.tuples(
        st.just("say"),
        st.integers(0, 3),
        st.integers(0, 1),
        st.sampled_from(SAID),
        st.sampled_from((None, None, "guest")),
        st.sampled_from((None, None, "experts", "others")),
        st.sampled_from((None, None, None, "queue")),
    ),
    st.tuples(st.just("show"), st.integers(0, 1)),
    st.tuples(st.just("move"), st.integers(0, 9), st.sampled_from(CHANGES)),
    st.tuples(st.just("remove"), st.integers(0, 9)),
)


def play(tallied: Tallied, acts: list[Any]) -> None:
    runs = [tallied.run(version="v1"), tallied.run(version="v2")]
    groups = {
        "experts": tallied.make(name="experts", assertableBy={"principalKinds": ["user"]}).id,
        "others": tallied.make(name="others", weight=2).id,
    }
    made: list[Correction] = []
    for act in acts:
        if act[0] == "say":
            _, caller, run, said, participant, group, queue = act
            more = {"participantId": participant, "correctorGroupId": groups.get(group or "")}
            made.append(tallied.says(caller, runs[run], said, Review(queue), **more))
        elif act[0] == "show":
            tallied.shows(runs[act[1]], "queue")
        elif made:
            one = made[act[1] % len(made)]
            try:
                tallied.moves(one, **act[2]) if act[0] == "move" else tallied.removes(one)
            except Refusal:
                continue


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(acts=st.lists(ACTS, min_size=1, max_size=14))
def test_the_kept_counts_are_what_the_rows_say(ledger: Ledger, acts: list[Any]) -> None:
    tallied = Tallied(ledger, ledger.tenant())
    play(tallied, acts)
    assert tallied.faults() == []
    page = ledger.read(
        lambda at: corrections.list_corrections(at, CorrectionFilters(), None, 100), tallied.tenant.admin
    )
    live = [one for one in page.data if one.status != "removed" and one.blind is None]
    counts = tallied.counts()
    assert counts.get("corrections", 0) == len(live)
    assert counts.get("answer_wrong", 0) == sum(one.answer == "wrong" for one in live)
    assert counts.get("to_owner", 0) == sum(one.sorted_to == "owner" for one in live)


def test_many_at_once_on_the_same_runs_leave_the_counts_right(ledger: Ledger) -> None:
    tallied = Tallied(ledger, ledger.tenant())
    runs = [tallied.run(), tallied.run(), tallied.run(version="v2")]
    callers = [tallied.caller(number) for number in range(5)]

    def act(tx: Tx, number: int) -> None:
        tx.actor = callers[number % 5]
        said = {"runId": runs[number % 3], **SAID[number % len(SAID)]}
        made = corrections.record_correction(tx, validate(NewCorrection, said))
        if number % 7 == 0:
            corrections.unregister_correction(tx, made.id)

    waiting = [ledger.store.write(lambda tx, number=number: act(tx, number)) for number in range(240)]
    for ticket in waiting:
        ticket.result(60)
    assert tallied.faults() == []
    assert tallied.counts()["corrections"] > 5


def test_a_count_that_is_wrong_is_found_and_put_right(ledger: Ledger) -> None:
    tallied = Tallied(ledger, ledger.tenant())
    tallied.says(0, tallied.run(), WRONG_ANSWER)
    tallied.says(0, tallied.run(version="v2"), WRONG_ANSWER)
    _c = correction_counts.c
    mine = _c.tenant_id == tallied.tenant.id
    spoil = Sql(update(correction_counts).where(mine, _c.subject_version == "v1").values(corrections=7))
    stray = Sql(update(correction_counts).where(mine, _c.subject_version == "v2").values(status="fixed"))
    ledger.write(lambda tx: (tx.run(spoil), tx.run(stray)))
    found = {
        (fault.key["subject_version"], fault.key["status"]): (
            fault.kept and fault.kept["corrections"],
            fault.counted and fault.counted["corrections"],
        )
        for fault in tallied.faults()
    }
    assert found == {("v1", "open"): (7, 1), ("v2", "fixed"): (1, None), ("v2", "open"): (None, 1)}
    ledger.write(corrections.recount)
    assert tallied.faults() == []
    assert plain(tallied.summary().total)["corrections"] == 2
