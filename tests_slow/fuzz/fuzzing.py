"""One run of schemathesis against a running server."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.crash.program import Program

SEED = os.environ.get("SETRIGHT_FUZZ_SEED", "20260105")
"""The seed of every run; another one makes other requests."""
SECONDS = os.environ.get("SETRIGHT_FUZZ_SECONDS", "60")
"""How long each of the four runs goes on."""
COMMAND = Path(sys.executable).with_name("schemathesis")
ENDS_ITS_OWN_TOKEN = ("revokeToken", "rotateToken", "disableUser")
# What the document cannot say (which ids exist, which fields go together) makes valid requests be refused.
# A token that is deleted is revoked, and stays to be read with the time at which that happened.
CHECKS_LEFT_OUT = "positive_data_acceptance,use_after_free"
TOLD: list[str] = []
"""What each run says in the end."""


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
    counts = [line.strip() for line in told.splitlines() if " generated, " in line]
    TOLD.append(f"{folder.name}: seed {SEED}, {', '.join(counts)}")
    assert done.returncode == 0, told[-20_000:]


def left_out() -> list[str]:
    """The arguments that leave out what would end the token in use."""
    return [part for name in ENDS_ITS_OWN_TOKEN for part in ("--exclude-operation-id", name)]
