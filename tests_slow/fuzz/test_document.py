"""Whatever the OpenAPI document allows or forbids: no 5xx, no undocumented status, every answer in its shape."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.concurrency.wire import Wire, a_run
from tests.crash.program import Program
from tests.support.postgres import Postgres
from tests_slow.fuzz.fuzzing import fuzz, left_out

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(params=["sqlite", "postgresql"])
def program(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Program]:
    """The real server on each engine, with the project of the document's examples."""
    if request.param == "sqlite":
        database = f"sqlite:///{tmp_path / 'ledger.db'}"
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        database = postgres.new_database()
    started = Program(tmp_path, database)
    started.start()
    started.wire().post("/v1/projects", {"id": "support", "name": "Support"})
    yield started
    assert started.stop() == 0
    assert '"level":"error"' not in started.log.read_text()


def known_ids(wire: Wire) -> dict[str, Any]:
    """Ids of things that exist, by the name of the path's parameter."""
    run_id = wire.post("/v1/runs", a_run(id="known"))["id"]
    wire.post("/v1/runs", a_run(subject={"kind": "flow", "id": "refunds", "version": "v1"}))
    return {
        "path.projectId": "support",
        "path.runId": run_id,
        "path.correctionId": wire.post("/v1/corrections", {"runId": run_id, "answer": "right"})["id"],
        "path.agentId": "refunds",
        "path.flowId": "refunds",
        "path.userId": wire.post("/v1/users", {"name": "known"})["id"],
        "path.principalId": wire.post("/v1/users", {"name": "member"})["id"],
        "path.tokenId": wire.post("/v1/tokens", {"kind": "service", "name": "known", "role": "read"})["id"],
    }


def test_every_operation_with_ids_of_all_kinds(program: Program, tmp_path: Path) -> None:
    fuzz(program, tmp_path, {}, *left_out())


def test_operations_one_after_the_other_with_what_the_last_one_answered(
    program: Program, tmp_path: Path
) -> None:
    fuzz(program, tmp_path, {}, "--phases", "stateful", *left_out())


def test_every_operation_with_ids_that_exist(program: Program, tmp_path: Path) -> None:
    fuzz(program, tmp_path, known_ids(program.wire()))
