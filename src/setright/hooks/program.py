"""The program that clients are told to start, and whether it starts."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setright.hooks.ask import Unheard, within
from setright.hooks.place import Machine, object_in
from setright.hooks.server import elsewhere

SECONDS = 15.0
_HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "setright-install", "version": "1"},
    },
}


def program() -> str:
    """`setright` where every shell finds it; the whole path when it is in a virtual environment."""
    found = shutil.which("setright")
    if sys.prefix == sys.base_prefix and found:
        return "setright"
    beside = Path(sys.executable).parent / ("setright.exe" if os.name == "nt" else "setright")
    return str(beside.absolute()) if beside.exists() else found or "setright"


def cannot_start(command: str, machine: Machine) -> str | None:
    """Why `setright mcp` does not answer on this machine; None when it does.

    It is tried in an empty data folder, so that asking makes no ledger.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = {**elsewhere(machine), "SETRIGHT_DATA_FOLDER": folder}
        for name in ("SETRIGHT_DATABASE", "SETRIGHT_CONFIG"):
            environment.pop(name, None)
        try:
            return _tried([command, "mcp"], folder, environment)
        except OSError as error:
            return f"{command} cannot be started: {error.strerror}"


def _tried(command: list[str], folder: str, environment: dict[str, str]) -> str | None:
    with subprocess.Popen(  # noqa: S603 - our own program
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
    ) as process:
        try:
            answer = within(SECONDS, lambda: _asked(process))
        except Unheard:
            return f"setright mcp did not answer within {SECONDS:.0f} seconds"
        except OSError:
            answer = b""
        finally:
            process.kill()
        said = process.stderr.read() if process.stderr else b""
    if "result" in (object_in(answer) or {}):
        return None
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return f"setright mcp does not start: {lines[0] if lines else 'it ended without an answer'}"


def _asked(process: subprocess.Popen[bytes]) -> bytes:
    if process.stdin is None or process.stdout is None:
        return b""
    process.stdin.write(json.dumps(_HELLO).encode() + b"\n")
    process.stdin.flush()
    return process.stdout.readline()
