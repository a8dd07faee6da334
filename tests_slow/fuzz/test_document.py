"""Whatever the OpenAPI document allows or forbids: no 5xx, no undocumented status, every answer in its shape."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.concurrency.wire import Wire, a_run
from tests.crash.program import Program
from tests.support.postgres import Postgres

SEED = os.environ.get("SETRIGHT_FUZZ_SEED", "20260105")
"""The seed of every run; another one makes other requests."""
SECONDS = os.environ.get("SETRIGHT_FUZZ_SECONDS", "60")
"""How long each of the four runs goes on."""
COMMAND = Path(sys.executable).with_name("schemathesis")
ENDS_ITS_OWN_TOKEN = ("revokeToken", "rotateToken", "disableUser")
# What the document cannot say (which ids exist, which fields go together) makes valid requests be refused.
CHECKS_LEFT_OUT = "positive_data_acceptance"

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


def fuzz(program: Program, folder: Path, parameters: dict[str, Any], *arguments: str) -> None:
    """One run of schemathesis; its own report is the message when it found something."""
    values = "".join(f'"{name}" = {json.dumps(value)}\n' for name, value in parameters.items())
    (folder / "schemathesis.toml").write_text(f"[parameters]\n{values}")
    command = [
        COMMAND, "--config-file", folder / "schemathesis.toml", "run", f"http://127.0.0.1:{program.port}/openapi.json",
        "--header", f"Authorization: Bearer {program.token}", "--seed", SEED, "--max-time", SECONDS,
        "--checks", "all", "--exclude-checks", CHECKS_LEFT_OUT, "--max-examples", "25", "--workers", "1",
        "--request-timeout", "20", "--continue-on-failure", "--warnings", "off", *arguments,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=800, check=False)
    told = done.stdout + done.stderr
    print(told[told.find("= SUMMARY =") :])
    assert done.returncode == 0, told[-20_000:]


def left_out() -> list[str]:
    """The arguments that leave out what would end the token in use."""
    return [part for name in ENDS_ITS_OWN_TOKEN for part in ("--exclude-operation-id", name)]


def test_every_operation_with_ids_of_all_kinds(program: Program, tmp_path: Path) -> None:
    fuzz(program, tmp_path, {}, *left_out())


def test_every_operation_with_ids_that_exist(program: Program, tmp_path: Path) -> None:
    fuzz(program, tmp_path, known_ids(program.wire()))
