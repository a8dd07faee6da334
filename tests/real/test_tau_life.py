"""The life of a correction for each task of the real airline agent, through the API."""

from pathlib import Path

from benches import tau
from benches.real import trials


def test_what_is_fixed_and_reopened_is_what_our_verdicts_say(shared_data: Path) -> None:
    steps = tau.lives(trials(shared_data))
    assert [step.is_as_judged for step in steps] == [True] * 3
    assert [[len(some) for some in step.by_rewards] for step in steps] == [[10, 9], [5, 7], [8, 7]]
    assert all(step.fixed and step.reopened for step in steps)
