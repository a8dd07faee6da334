"""`setright import` as a process of its own, a new SQLite ledger each time: runs a second, calls lost, memory at most.

The files are made for the bench, in the forms of nine tools: a run has about 20 KB and six calls. 1,000 runs of each
format; with --full 50,000 of tau-bench (1 GB) and of OpenAI's chat. The start of the command counts.
"""

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from benches.foreign import CALLS, FORMATS, write_file
from benches.machine import Cpu
from benches.report import Goal, Report, options
from setright.storage import sqlite

RUNS = 1_000
FULL = 50_000
LARGE = ("tau-bench", "openai-chat")
REPETITIONS = 5
GOALS = {f"{name.replace('-', '_')}_lost_calls": Goal(most=0) for name in FORMATS}


def import_file(file: Path, name: str, folder: Path) -> tuple[float, float]:
    """Import a file into a new ledger: seconds, and MB of memory at most."""
    command = [Path(sys.executable).with_name("setright"), "import", name, file]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("SETRIGHT_")}
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
        raise RuntimeError(f"the import of {name} ended with {process.returncode}")
    return time.perf_counter() - begin, usage.ru_maxrss * 1024 / 1e6


def calls_in(folder: Path) -> int:
    """How many calls the ledger holds."""
    with closing(sqlite.connect(folder / "ledger.db", read_only=True)) as connection:
        return connection.execute("SELECT count(*) FROM run_calls").fetchone()[0]


def measure(report: Report, file: Path, name: str, runs: int, folder: Path) -> None:
    """One import, and what it came to."""
    cpu = Cpu([])
    seconds, peak = import_file(file, name, folder)
    foreign, stolen = cpu.foreign()
    report.foreign.append(foreign)
    report.stolen.append(stolen)
    key = name.replace("-", "_")
    report.add(f"{key}_runs_per_s", runs / seconds)
    report.add(f"{key}_lost_calls", runs * CALLS - calls_in(folder))
    report.add(f"{key}_peak_mb", peak)


def main() -> int:
    """Run the bench."""
    chosen = options(__doc__ or "", full="files of 1 GB")
    runs = FULL if chosen.full else RUNS
    report = Report("import", GOALS)
    with TemporaryDirectory(prefix="setright-bench-") as top:
        for name in LARGE if chosen.full else FORMATS:
            file = Path(top) / name
            write_file(file, name, runs)
            print(f"{name}: {runs} runs, {file.stat().st_size / 1e6:.1f} MB")
            for repetition in range(1 if chosen.quick or chosen.full else REPETITIONS):
                measure(report, file, name, runs, Path(top) / f"{name}-{repetition}")
            file.unlink()
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    sys.exit(main())
