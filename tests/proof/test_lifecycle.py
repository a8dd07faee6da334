"""The whole life of a test run, move by move, and how long a lease lasts."""

from setright.kernel.clock import SECOND
from setright.proof.lifecycle import LEASE_SECONDS, MOST_LEASE_SECONDS, TEST_RUN_LIFE, until
from tests.support.lives import told

TEST_RUN = """\
test run: running, finished, failed, cancelled
final: finished, failed, cancelled
create: test-run.created
    nothing > running
finish: test-run.finished
    running > finished
fail: test-run.failed
    running > failed
cancel: test-run.cancelled
    running > cancelled"""


def test_every_move_of_a_test_run() -> None:
    assert told(TEST_RUN_LIFE) == TEST_RUN


def test_a_lease_lasts_a_minute_if_nothing_is_said_and_an_hour_at_most() -> None:
    assert (LEASE_SECONDS, MOST_LEASE_SECONDS) == (60, 3600)
    assert until(3 * SECOND, 3) == 6 * SECOND
    assert until(7, 3) == 7 + 3 * SECOND
