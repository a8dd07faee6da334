"""The whole life of a job, move by move, its pauses and its end."""

from setright.jobs.lifecycle import JOB_LIFE, LEASE, MOST_ATTEMPTS, STATES, is_last, pause_after
from setright.kernel.clock import SECOND
from tests.support.lives import told

JOB = """\
job: waiting, running, done, failed, cancelled
final: done
ask: nothing
    nothing > waiting
take: nothing
    waiting > running, running
go on: nothing
    running
finish: nothing
    running > done
put off: nothing
    running > waiting
give up: job.failed
    running > failed
cancel: job.cancelled
    waiting > cancelled, running > cancelled
retry: job.retried
    failed > waiting, cancelled > waiting"""


def test_every_move_of_a_job() -> None:
    assert told(JOB_LIFE) == JOB


def test_pauses_double_up_to_ten_minutes() -> None:
    pauses = [pause_after(attempt) for attempt in range(1, 13)]
    assert pauses[:10] == [SECOND * 2**doubled for doubled in range(10)]
    assert pauses[10:] == [600 * SECOND, 600 * SECOND]


def test_the_eighth_attempt_is_the_last() -> None:
    assert MOST_ATTEMPTS == 8
    assert [attempt for attempt in range(1, 11) if is_last(attempt)] == [8, 9, 10]


def test_a_lease_lasts_half_a_minute_and_every_state_has_a_word() -> None:
    assert LEASE == 30 * SECOND
    assert JOB_LIFE.statuses == STATES
