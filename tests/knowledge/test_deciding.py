"""A scholar accepts or rejects a contested reading; every decision is kept, and the newest counts."""

from itertools import product

import pytest

from setright import events
from setright.kernel.errors import Refusal
from setright.knowledge import ANNOTATION_LIFE
from tests.knowledge.reading import Reading, a_text

CLAIM = "It is no king."


@pytest.fixture(autouse=True)
def _contested(reading: Reading) -> None:
    reading.brought(a_text())
    reading.corrected(reading.answered(), CLAIM, "owner")


def the_id(reading: Reading, value: str) -> str:
    return reading.one("T1", "o.1.1", value).annotation.id


def test_a_scholar_accepts_one_reading_and_rejects_another(reading: Reading) -> None:
    speaker, (scholar,) = reading.speaker("A. Judge")
    accepted = reading.decided("accept", the_id(reading, "owner"), speaker, reason="The genre says so.")
    reading.decided("reject", the_id(reading, "king"), speaker)
    assert [reading.standing("T1", "o.1.1", value) for value in ("owner", "king")] == ["accepted", "rejected"]
    (decision,) = accepted.decisions
    assert (decision.verdict, decision.reason, decision.scholar) == (
        "accepted",
        "The genre says so.",
        scholar,
    )
    assert accepted.scholars == {scholar: "A. Judge"}
    assert reading.values("T1", "o.1.1", "sense") == ["owner", "king"]


def test_a_decision_is_contested_again_by_a_later_correction(reading: Reading) -> None:
    speaker, _ = reading.speaker()
    reading.decided("accept", the_id(reading, "owner"), speaker)
    reading.corrected(reading.answered(), "It is no owner.", "great man")
    assert reading.standing("T1", "o.1.1", "owner") == "contested"
    assert len(reading.one("T1", "o.1.1", "owner").decisions) == 1


def test_another_decision_counts_from_then_on_and_both_are_kept(reading: Reading) -> None:
    speaker, _ = reading.speaker()
    king = the_id(reading, "king")
    reading.decided("reject", king, speaker)
    layered = reading.decided("accept", king, speaker)
    assert [one.verdict for one in layered.decisions] == ["rejected", "accepted"]
    assert reading.standing("T1", "o.1.1", "king") == "accepted"


def test_the_same_again_changes_nothing(reading: Reading) -> None:
    speaker, _ = reading.speaker()
    first = reading.decided("accept", the_id(reading, "owner"), speaker, reason="Yes.")
    version = reading.artifact("T1").version
    assert reading.decided("accept", the_id(reading, "owner"), speaker, reason="Yes.") == first
    assert reading.artifact("T1").version == version


def test_what_nobody_contests_needs_no_decision(reading: Reading) -> None:
    speaker, _ = reading.speaker()
    with pytest.raises(Refusal) as refused:
        reading.decided("accept", the_id(reading, "N"), speaker)
    assert (refused.value.code, refused.value.details["open"]) == ("annotation-move-refused", ["contest"])


def test_an_assistant_does_not_decide(reading: Reading) -> None:
    with pytest.raises(Refusal) as refused:
        reading.decided("accept", the_id(reading, "king"), reading.assistant)
    assert refused.value.code == "person-needed"


def test_only_who_speaks_as_a_scholar_decides(reading: Reading) -> None:
    with pytest.raises(Refusal) as refused:
        reading.decided("accept", the_id(reading, "king"), reading.person)
    assert refused.value.code == "scholar-needed"
    both, (first, second) = reading.speaker("A. One", "B. Two")
    with pytest.raises(Refusal) as refused:
        reading.decided("accept", the_id(reading, "king"), both)
    assert refused.value.details == {"scholars": [first, second]}
    layered = reading.decided("accept", the_id(reading, "king"), both, scholarId=second)
    assert layered.decisions[0].scholar == second


def test_a_genre_is_corrected_like_a_reading(reading: Reading) -> None:
    reading.corrected(reading.answered(target=""), "It is not administrative.", "legal")
    assert reading.artifact("T1").genre == "legal"
    speaker, _ = reading.speaker()
    reading.decided("reject", reading.one("T1", "", "legal").annotation.id, speaker)
    assert reading.artifact("T1").genre == "administrative"


def test_a_decision_is_told_in_the_events(reading: Reading) -> None:
    speaker, _ = reading.speaker()
    owner = the_id(reading, "owner")
    reading.decided("accept", owner, speaker)
    told = reading.ask(lambda at: events.history(at, owner, 0, 10)).data
    assert [one.kind for one in told] == ["annotation.accepted"]


def test_nobody_decides_on_what_is_not_there(reading: Reading) -> None:
    speaker, _ = reading.speaker()
    with pytest.raises(Refusal) as refused:
        reading.decided("accept", "ann_nothing", speaker)
    assert refused.value.code == "annotation-not-found"


def _standing(reading: Reading, standing: str) -> tuple[str, str]:
    """The id and the value of a reading that stands so."""
    speaker, _ = reading.speaker()
    value = {"plain": "N", "contested": "king", "rejected": "king"}.get(standing, "owner")
    if standing in ("accepted", "rejected"):
        reading.decided(standing.removesuffix("ed"), the_id(reading, value), speaker)
    return the_id(reading, value), value


@pytest.mark.parametrize(
    ("start", "verb"), [*product(ANNOTATION_LIFE.statuses, ("contest", "accept", "reject"))]
)
def test_every_pair_of_a_standing_and_a_verb(reading: Reading, start: str, verb: str) -> None:
    annotation_id, value = _standing(reading, start)
    assert reading.standing("T1", "o.1.1", value) == start
    move = ANNOTATION_LIFE.find(verb, start)
    if verb == "contest":
        reading.corrected(reading.answered(), f"It is not {value}.", "something else")
    elif move is None:
        with pytest.raises(Refusal) as refused:
            reading.decided(verb, annotation_id, reading.speaker("B. Judge")[0])
        assert refused.value.code == "annotation-move-refused"
        return
    else:
        reading.decided(verb, annotation_id, reading.speaker("B. Judge")[0])
    assert move is not None
    assert reading.standing("T1", "o.1.1", value) == move.end
