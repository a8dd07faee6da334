"""What a coding agent waits for when a session starts and before each call: our programs, from their start to their end."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benches.machine import resident_mb
from benches.report import Goal, Report, options
from benches.servers import Databases, new_ledger, setright
from setright.hooks import rules_kept
from setright.hooks.place import Asked, Machine

GOALS: Mapping[str, Goal] = {
    "brief_process_ms": Goal(most=300),
    "brief_dead_server_ms": Goal(most=2300),
    "guard_process_ms": Goal(most=100),
    "mcp_initialize_ms": Goal(most=2000),
}
RULE = {
    "id": "les_1",
    "rule": "Never force-push.",
    "mustNotCall": [{"tool": "Bash", "args": {"command": "x"}}],
}
CALL = {"tool_name": "Bash", "tool_input": {"command": "git push --force"}}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}
PROGRAMS = Path(sys.executable).parent


def figures(folder: Path, url: str, token: str, agent: str) -> Mapping[str, float]:
    """Each figure once: `brief` with a server that answers and with one that never does, `guard`, `mcp`."""
    server = {"SETRIGHT_URL": url, "SETRIGHT_TOKEN": token}
    asking = ["setright-brief", "--agent", agent]
    with _silent() as silent:
        found = {
            "brief_process_ms": _took(asking, _environment(folder, server)),
            "brief_dead_server_ms": _took(asking, _environment(folder, {"SETRIGHT_URL": silent})),
        }
    environment = _environment(folder, {})
    machine = Machine(environment)
    rules_kept.keep(machine, Asked(machine.server, agent, ""), [RULE])
    found["guard_process_ms"] = _took(["setright-guard", "--agent", agent], environment, json.dumps(CALL))
    found["mcp_initialize_ms"], found["mcp_idle_rss_mb"] = _mcp(environment)
    return found


def _environment(folder: Path, more: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SETRIGHT_")}
    return {**kept, "SETRIGHT_DATA_FOLDER": str(folder / "agent"), **more}


def _took(command: list[str], environment: Mapping[str, str], given: str = "") -> float:
    began = time.perf_counter()
    whole = [PROGRAMS / command[0], *command[1:]]
    done = subprocess.run(whole, input=given, text=True, env=environment, capture_output=True, check=False)
    took = (time.perf_counter() - began) * 1000
    if done.returncode or (done.stderr and "in time" not in done.stderr):
        raise RuntimeError(f"{command[0]}: {done.returncode} {done.stderr}")
    return took


def _mcp(environment: Mapping[str, str]) -> tuple[float, float]:
    """The milliseconds until `setright mcp` on a ledger of its own answers its first request, and its memory then."""
    began = time.perf_counter()
    with subprocess.Popen(
        [PROGRAMS / "setright", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        took = (time.perf_counter() - began) * 1000
        if "result" not in answer:
            raise RuntimeError(f"setright mcp answered {answer[:300]!r}")
        memory = resident_mb(process.pid)
        process.stdin.close()
        process.wait(30)
    return took, memory


@contextmanager
def _silent() -> Iterator[str]:
    """The address of a server that takes a connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def main() -> int:
    """Measure by turns beside a server that has nothing else to do; the first round only warms up."""
    chosen = options(__doc__ or "")
    report = Report("session", GOALS)
    databases = Databases()
    with ExitStack() as stack:
        stack.callback(databases.close)
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="setright-bench-")))
        url = databases.new("sqlite", "session")
        callers = new_ledger(url, 1)
        server = stack.enter_context(setright(url, folder))
        server.wait_until("/healthz")
        for repetition in range(2 if chosen.quick else 6):
            seen = figures(folder, f"http://127.0.0.1:{server.port}", callers.services[0], "bench")
            for key, value in seen.items() if repetition else ():
                report.add(key, value)
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
