"""How a correction is sorted when it is saved."""

from itertools import product

import pytest

from setright.corrections.lifecycle import LIFECYCLE, STATUSES, Standing, sort_at_save

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
    standing = sort_at_save(decisions=decisions, answer=answer, wrong_item=wrong_item, participant=False)
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
