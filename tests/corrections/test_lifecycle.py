"""How a correction is sorted when it is saved, and how a version that runs moves it."""

from itertools import product

import pytest

from setright.corrections.lifecycle import (
    LIFECYCLE,
    STATUSES,
    UNFIXED,
    Standing,
    by_evidence,
    disagree,
    set_status,
    sort_at_save,
    sort_to,
)
from tests.support.lives import fresh

VERDICTS = (None, "right", "wrong")


@pytest.mark.parametrize(
    ("decisions", "answer", "wrong_item"), list(product(VERDICTS, VERDICTS, (True, False)))
)
def test_an_end_users_correction_stays_open_and_unsorted(
    decisions: str | None, answer: str | None, wrong_item: bool
) -> None:
    standing = sort_at_save(decisions=decisions, answer=answer, wrong_item=wrong_item, participant=True)
    assert standing == Standing("open", None)


@pytest.mark.parametrize(
    ("decisions", "answer", "wrong_item"), list(product(VERDICTS, VERDICTS, (True, False)))
)
def test_the_first_rule_that_matches_sorts(
    decisions: str | None, answer: str | None, wrong_item: bool
) -> None:
    standing = sort_at_save(
        decisions=fresh(decisions), answer=fresh(answer), wrong_item=wrong_item, participant=False
    )
    if decisions == "wrong":
        assert standing == Standing("with-owner", "owner")
    elif answer == "wrong" or wrong_item:
        assert standing == Standing("open", "improve")
    else:
        assert standing == Standing("fixed", None)


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_but_removed_can_be_superseded_and_keeps_itself(status: str) -> None:
    move = LIFECYCLE.find("supersede", status)
    assert (move is None) == (status == "removed")
    assert move is None or move.end == status


@pytest.mark.parametrize("status", STATUSES)
def test_nothing_is_recorded_twice(status: str) -> None:
    assert LIFECYCLE.find("record", status) is None


DESKS = (None, "improve", "developer", "owner")


@pytest.mark.parametrize(("status", "desk", "participant"), list(product(STATUSES, DESKS, (True, False))))
def test_right_fixes_what_is_open_and_keeps_its_desk(
    status: str, desk: str | None, participant: bool
) -> None:
    now = Standing(str(fresh(status)), fresh(desk))
    found = by_evidence(now, str(fresh("right")), None, participant=participant)
    if status not in UNFIXED:
        assert found is None
        return
    assert found is not None
    move, then = found
    assert (move.verb, move.event, move.clears) == ("fix", "correction.fixed", ("reopenedIn",))
    assert then == Standing("fixed", desk)


@pytest.mark.parametrize(("status", "desk"), list(product(STATUSES, DESKS)))
@pytest.mark.parametrize(
    ("aspect", "sorts_to"), [("decisions", "owner"), ("answer", "improve"), ("items", "improve")]
)
def test_wrong_reopens_what_is_fixed_at_the_desk_that_decides(
    status: str, desk: str | None, aspect: str, sorts_to: str
) -> None:
    now = Standing(str(fresh(status)), fresh(desk))
    found = by_evidence(now, str(fresh("wrong")), fresh(aspect), participant=False)
    if status != "fixed":
        assert found is None
        return
    assert found is not None
    move, then = found
    assert (move.event, move.clears) == ("correction.reopened", ())
    sorted_to = desk or sorts_to
    assert then == Standing("with-owner" if sorted_to == "owner" else "open", sorted_to)


def test_what_an_end_user_said_reopens_unsorted() -> None:
    found = by_evidence(Standing("fixed"), "wrong", "decisions", participant=True)
    assert found is not None
    assert found[1] == Standing("open")


@pytest.mark.parametrize("word", ["not-evaluated", "a", "s", "z"])
@pytest.mark.parametrize("status", STATUSES)
def test_what_was_not_evaluated_moves_nothing(status: str, word: str) -> None:
    assert by_evidence(Standing(status, "owner"), word, "decisions", participant=False) is None


@pytest.mark.parametrize(("status", "desk"), list(product(STATUSES, DESKS)))
def test_with_the_owner_is_what_the_owner_has_and_what_leaves_its_desk_is_unsorted(
    status: str, desk: str | None
) -> None:
    now = Standing(status, desk)
    assert set_status(now, str(fresh(status))) is now
    if status != "with-owner":
        assert set_status(now, str(fresh("with-owner"))) == Standing("with-owner", "owner")
    for end in {"open", "being-fixed"} - {status}:
        assert set_status(now, end) == Standing(end, None if desk == "owner" else desk)
    if status != "wont-fix":
        assert set_status(now, "wont-fix") == Standing("wont-fix", desk)


def test_leaving_the_owner_is_known_by_the_word() -> None:
    assert set_status(Standing("fixed", fresh("owner")), "open") == Standing("open")


SORTED_TO_OWNER = {"open": "with-owner", "being-fixed": "with-owner"}
SORTED_ELSEWHERE = {"with-owner": "open"}


@pytest.mark.parametrize(("status", "desk"), list(product(STATUSES, DESKS)))
def test_what_is_fixed_or_wont_be_stays_so_wherever_it_is_sorted(status: str, desk: str | None) -> None:
    ends = SORTED_TO_OWNER if desk == "owner" else SORTED_ELSEWHERE
    assert sort_to(Standing(status), fresh(desk)) == Standing(ends.get(status, status), desk)


@pytest.mark.parametrize(("status", "desk"), list(product(STATUSES, DESKS)))
def test_only_the_owner_has_what_is_with_the_owner(status: str, desk: str | None) -> None:
    agree = (status == "with-owner") == (desk == "owner") or status == "wont-fix"
    assert disagree(str(fresh(status)), fresh(desk)) is not agree


def test_a_standing_is_never_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        Standing("open").status = "fixed"  # pyright: ignore[reportAttributeAccessIssue]
    assert not hasattr(Standing("open"), "__dict__")
