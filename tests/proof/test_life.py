"""The life of a test run: every status with every verb."""

import pytest

from setright.proof import STATUSES, TEST_RUN_LIFE
from setright.proof.lifecycle import ending_verb


@pytest.mark.parametrize("status", STATUSES)
def test_what_has_ended_stays_as_it_is(status: str) -> None:
    verbs = {move.verb for move in TEST_RUN_LIFE.open_from(status)}
    assert verbs == ({"finish", "fail", "cancel"} if status == "running" else set())


@pytest.mark.parametrize(
    ("right", "wrong", "verb"), [(0, 0, "fail"), (1, 0, "finish"), (0, 1, "finish"), (1, 1, "finish")]
)
def test_it_fails_only_where_nothing_was_evaluated(right: int, wrong: int, verb: str) -> None:
    assert ending_verb(right, wrong) == verb
