"""`setright import` as a process of its own, a new SQLite ledger each time: runs a second, calls lost, memory at most.

The file is made for the bench, in the shape of tau-bench's: a run has a system prompt of 6 KB, about 26 messages and
six calls, 20 KB in all. 2,000 runs, with --full 50,000 (1 GB). The start of the command counts.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benches.machine import Cpu
from benches.report import Goal, Report, options
from setright.storage import sqlite

RUNS = 2_000
FULL = 50_000
REPETITIONS = 5
CALLS = 6
POLICY = "A bike is lent for a day, a week or a month, and comes back where it was taken. " * 75
WORDS = "The bike stands at the lake, its lock opens with the code that we sent this morning. " * 6
GOALS = {"tau_bench_lost_calls": Goal(most=0)}


def turns(number: int) -> Iterator[dict[str, Any]]:
    """The messages of a run: asked, looked up, answered, again and again."""
    yield {"role": "system", "content": POLICY}
    while True:
        yield {"role": "user", "content": f"{number}: {WORDS[:200]}"}
        call = {"id": "call_1", "type": "function"}
        arguments = json.dumps({"bike": number, "days": [1, 2, 3]})
        function = {"name": "find_bike", "arguments": arguments}
        yield {"role": "assistant", "content": None, "tool_calls": [call | {"function": function}]}
        found = json.dumps({"bike": number, "about": WORDS, "places": ["lake", "station"] * 10})
        yield {"role": "tool", "tool_call_id": "call_1", "name": "find_bike", "content": found}
        yield {"role": "assistant", "content": WORDS}


def write_file(file: Path, runs: int) -> None:
    """Write a file of so many runs, one at a time."""
    with file.open("w", encoding="utf-8") as opened:
        for number in range(runs):
            traj = list(islice(turns(number), 1 + 4 * CALLS))
            entry = {"task_id": number // 4, "trial": number % 4, "reward": 1.0, "info": {}, "traj": traj}
            opened.write(f"{',' if number else '['}\n{json.dumps(entry)}")
        opened.write("\n]\n")


def import_file(file: Path, folder: Path) -> tuple[float, float]:
    """Import a file into a new ledger: seconds, and MB of memory at most."""
    command = [Path(sys.executable).with_name("setright"), "import", "tau-bench", file]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SETRIGHT_")}
    kept["SETRIGHT_DATA_FOLDER"] = str(folder)
    begin = time.perf_counter()
    with subprocess.Popen(
        [*command, "--project", "default", "--agent", "bikes", "--json"],
        env=kept,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the import ended with {process.returncode}")
    return time.perf_counter() - begin, usage.ru_maxrss * 1024 / 1e6


def calls_in(folder: Path) -> int:
    """How many calls the ledger holds."""
    with closing(sqlite.connect(folder / "ledger.db", read_only=True)) as connection:
        return connection.execute("SELECT count(*) FROM run_calls").fetchone()[0]


def main() -> int:
    """Run the bench."""
    chosen = options(__doc__ or "", full="a file of 1 GB")
    runs = FULL if chosen.full else RUNS
    report = Report("import", GOALS)
    with TemporaryDirectory(prefix="setright-bench-") as top:
        file = Path(top) / "runs.json"
        write_file(file, runs)
        print(f"{runs} runs, {file.stat().st_size / 1e6:.1f} MB")
        for repetition in range(1 if chosen.quick or chosen.full else REPETITIONS):
            folder = Path(top) / str(repetition)
            cpu = Cpu([])
            seconds, peak = import_file(file, folder)
            foreign, stolen = cpu.foreign()
            report.foreign.append(foreign)
            report.stolen.append(stolen)
            report.add("tau_bench_runs_per_s", runs / seconds)
            report.add("tau_bench_lost_calls", runs * CALLS - calls_in(folder))
            report.add("tau_bench_peak_mb", peak)
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
