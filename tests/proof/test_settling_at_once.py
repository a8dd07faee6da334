"""Several workers settle the same corrections at once: the newest word counts, whoever comes last."""

import threading

import pytest

from setright import jobs
from setright.app.worker import Worker
from setright.proof import settling
from tests.proof.proving import Proving

MANY, WORKERS = 20, 4


@pytest.mark.parametrize("last", [True, False])
def test_the_newest_word_counts_whoever_comes_last(
    proving: Proving, monkeypatch: pytest.MonkeyPatch, last: bool
) -> None:
    monkeypatch.setattr(settling, "AT_ONCE", 3)
    made = [proving.corrected() for _ in range(MANY)]
    for is_right in (not last, last, not last, last):
        proving.tested("v2", *((one, is_right) for one in made))
    proving.deploy("v2")
    work_at_once(proving)
    assert {proving.stands(one).status for one in made} == {"fixed" if last else "open"}
    for one in made:
        moves = [kind for kind in proving.story(one.id) if kind != "correction.recorded"]
        there_and_back = ["correction.fixed", "correction.reopened"] * len(moves)
        assert moves == there_and_back[: len(moves)]
        assert len(moves) % 2 == last
    assert not proving.ask(lambda at: jobs.list_jobs(at, "failed", None, None, 10)).data


def work_at_once(proving: Proving) -> None:
    """Have several workers do every job that is due."""

    def work() -> None:
        worker = Worker(proving.ledger.store)
        while worker.turn():
            pass

    threads = [threading.Thread(target=work) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    proving.work()
    assert not proving.ask(lambda at: jobs.list_jobs(at, "waiting", None, None, 10)).data
