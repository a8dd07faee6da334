"""A worker is killed in the middle of reopening corrections, and another takes its work up: each moved once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from setright.storage.address import parse
from setright.storage.migrate import engine_for
from tests.proof.killing import (
    Workers,
    assert_each_moved_once,
    corrected_and_fixed,
    let_leases_end,
    settling,
    statuses,
    until,
)
from tests.proof.proving import Proving
from tests.support.ledger import Ledger

MANY, WHERE_IT_HANGS, BEFORE = 600, 450, 400


@pytest.fixture
def workers(ledger: Ledger, tmp_path: Path) -> Iterator[Workers]:
    """Processes that do the jobs of the ledger."""
    opened = Workers(tmp_path, ledger.url)
    yield opened
    opened.close()


@contextmanager
def hanging_at(url: str, correction_id: str) -> Iterator[None]:
    """Whoever moves a correction waits for as long as this lasts."""
    with engine_for(parse(url)).connect() as connection:
        if url.startswith("sqlite"):
            endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e12) SELECT count(*) FROM n"
            trigger = f"CREATE TRIGGER hang BEFORE UPDATE ON corrections WHEN NEW.id = '{correction_id}' BEGIN {endless}; END"
            connection.execute(text(trigger))
            connection.commit()
            yield
            connection.execute(text("DROP TRIGGER hang"))
            connection.commit()
            return
        connection.execute(text("SELECT 1 FROM corrections WHERE id = :id FOR UPDATE"), {"id": correction_id})
        yield
        connection.rollback()


def test_what_a_killed_worker_left_another_does_and_each_moves_once(
    proving: Proving, workers: Workers
) -> None:
    made = corrected_and_fixed(proving, MANY)
    assert statuses(proving) == {"fixed": MANY}
    with hanging_at(proving.ledger.url, made[WHERE_IT_HANGS]):
        change = proving.deploy("v3")
        workers.start()
        until(lambda: (job := settling(proving)) is not None and job.done_count == BEFORE)
        workers.kill()
    assert statuses(proving) == {"fixed": MANY - BEFORE, "open": BEFORE}
    let_leases_end(proving)
    workers.start()
    until(lambda: settling(proving) is None)
    assert_each_moved_once(proving, change.id, made)
