"""Much is cut little by little, by as many as come at once, and what somebody holds on to meanwhile is whole or gone."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from setright import corrections, reviews, runs
from setright.corrections import NewVerdict
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.retention import kinds
from setright.reviews import NewReviewQueue
from setright.runs import RunContentExpired
from tests.erasure.said import SENTENCE
from tests.retention.keeping import Keeping


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs at once."""
    monkeypatch.setattr(kinds, "RUNS_AT_ONCE", 2)


@pytest.mark.usefixtures("few")
def test_batches_go_on_past_what_is_held(keeping: Keeping) -> None:
    made = [keeping.run(None) for _ in range(9)]
    for run_id in (made[0], made[1], made[5], made[8]):
        keeping.kept(runId=run_id)
    keeping.grows_old(10)
    keeping.keep(runs=5)
    cut = keeping.cut()
    assert (cut.cut, cut.held) == (5, 4)
    assert keeping.cut().held == 4


def test_large_runs_are_cut_a_few_megabytes_at_once(
    keeping: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kinds, "BYTES_AT_ONCE", 700)
    for _ in range(5):
        keeping.run(input="x" * 600)
    keeping.grows_old(10)
    keeping.keep(runs=5)
    one = keeping.proving.ledger.write(lambda tx: kinds.cut_runs(tx, "default", tx.now, None), keeping.admin)
    assert (one.cut, one.place is None) == (1, False)
    assert keeping.passed().counts == {"runs": 4}


@pytest.mark.usefixtures("few")
def test_what_is_corrected_while_it_is_due_is_whole_or_gone(keeping: Keeping) -> None:
    made = [keeping.run(None) for _ in range(40)]
    keeping.grows_old(10)
    keeping.keep(runs=5)

    def correct(run_id: str) -> str | None:
        try:
            return keeping.proving.corrected(run_id).id
        except RunContentExpired:
            return None

    with ThreadPoolExecutor(4) as threads:
        told = threads.map(correct, reversed(made))
        done = keeping.passed()
        recorded = [one for one in told if one is not None]
    keeping.passed()
    assert done.state == "done"
    for correction_id in recorded:
        copy = keeping.proving.ask(lambda at, one=correction_id: corrections.get_correction(at, one)).copy
        assert copy["output"] == {"list": [SENTENCE]}
        assert len(copy["calls"]) == 1


def test_a_run_that_is_reviewed_when_it_goes_is_judged_no_more_and_handed_out_no_more(
    keeping: Keeping,
) -> None:
    do, run_id = keeping.proving.do, keeping.run()
    queue = do(
        lambda tx: reviews.create_queue(tx, validate(NewReviewQueue, {"projectId": "default", "name": "R"}))
    )
    claimed = do(lambda tx: reviews.claim_run(tx, queue.id))
    assert isinstance(claimed, reviews.ClaimedRun)
    assert claimed.run.run.id == run_id
    keeping.grows_old(10)
    keeping.keep(runs=5)
    keeping.passed()
    verdict = validate(NewVerdict, {"answer": "right"})
    with pytest.raises(Refusal) as refused:
        do(lambda tx: reviews.answer_claim(tx, queue.id, claimed.claim.id, verdict))
    assert refused.value.code == "run-content-expired"
    do(lambda tx: reviews.release_claim(tx, queue.id, claimed.claim.id))
    other = keeping.user()
    assert not isinstance(do(lambda tx: reviews.claim_run(tx, queue.id), other), reviews.ClaimedRun)
    assert keeping.proving.ask(lambda at: runs.get_run(at, run_id)).content is None
