"""Matching decides as two benchmarks do: on ground truths rewritten and broken, and on real runs with a known reward."""

from pathlib import Path

from benches import bfcl, matching, tau


def test_no_ground_truth_fails_rewritten_and_none_passes_broken(shared_data: Path) -> None:
    found = bfcl.measure(shared_data, rounds=2)
    assert (found.cases, found.false_fails, found.false_passes) == (2_351, [], [])
    assert set(found.breaks) == {"argument", "call", "tool", "value"}
    assert min(found.breaks.values()) > 2_351


def test_nearly_every_real_run_gets_the_verdict_that_its_reward_says(shared_data: Path) -> None:
    held = tau.agreement(shared_data)
    assert len(held) == 200
    disagreeing = {(one.trial.task, one.trial.trial): one for one in held if not one.agrees}
    # Two were cut off before the benchmark judged them; one wrote fields that the benchmark's database passes over.
    assert list(disagreeing) == [(2, 1), (5, 1), (46, 3)]
    assert disagreeing[2, 1].trial.judged is disagreeing[46, 3].trial.judged is None
    assert "/flights/0/origin: expected nothing" in disagreeing[5, 1].verdict.explanation


def test_every_made_case_gets_its_verdict(shared_data: Path) -> None:
    cases = matching.made(shared_data, 2_000)
    share, _ = matching.ours(cases, 1)
    assert share == 1
    assert 0.6 < sum(case.is_right for case in cases) / len(cases) < 0.7
