"""A legal hold keeps what it covers from retention, for as long as it stands."""

from typing import Any

import pytest

from setright import erasure
from tests.erasure.said import ANN, SENTENCE
from tests.retention.keeping import Keeping


@pytest.mark.parametrize("kind", ["participant", "run", "project"])
def test_what_a_hold_covers_is_cut_when_that_is_released(keeping: Keeping, kind: str) -> None:
    run_id = keeping.run()
    hold = keeping.kept(**{f"{kind}Id": {"participant": ANN, "run": run_id, "project": "default"}[kind]})
    keeping.grows_old(10)
    keeping.keep(runs=5)
    before = keeping.places(SENTENCE)
    assert keeping.due() == {"runs": 0}
    held = keeping.passed()
    assert (held.counts, [(one.cut, one.held) for one in held.cuts or ()]) == ({}, [(0, 1)])
    assert keeping.places(SENTENCE) == before
    keeping.proving.do(lambda tx: erasure.release_legal_hold(tx, hold))
    assert (keeping.due(), keeping.passed().counts) == ({"runs": 1}, {"runs": 1})
    assert keeping.places(SENTENCE) == []


def test_others_are_cut_beside_what_is_held(keeping: Keeping) -> None:
    quiet: dict[str, Any] = {
        "input": 1,
        "messages": None,
        "calls": [],
        "output": 2,
        "answer": "x",
        "tags": None,
    }
    for _ in range(3):
        keeping.run("participant-bob", **quiet)
    keeping.run()
    keeping.kept(participantId=ANN)
    keeping.grows_old(10)
    keeping.keep(runs=5)
    cut = keeping.cut()
    assert (cut.cut, cut.held) == (3, 1)


def test_a_run_that_stands_in_the_case_of_a_held_one_is_held_with_it(keeping: Keeping) -> None:
    correction = keeping.corrected(keeping.run())
    test_run = keeping.proving.begun("v2", filter={"ids": [correction.id]})
    claimed, stands = keeping.proving.claimed(test_run), keeping.run(None, version="v2")
    done = {"caseId": claimed.cases[0].case.id, "lease": claimed.lease, "runId": stands}
    assert keeping.proving.submit(test_run, done).outcomes[0].refusal is None
    keeping.kept(runId=correction.run_id)
    keeping.grows_old(10)
    keeping.keep(runs=5)
    cut = keeping.cut()
    assert (cut.cut, cut.held) == (0, 2)
