"""What recording costs an agent: its own time for each call and at the end of a run, with and without, in turns."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benches.report import Goal, Report, options
from setright.client import Recorder
from tests.crash.program import Program

CALLS = 20
RUNS = 200
GOALS = {
    f"{where}_{figure}": Goal(most=2.0)
    for where in ("server_up", "server_down")
    for figure in ("added_ms_mean", "added_ms_p50", "added_ms_p99")
}
ROWS = [{"id": number, "name": f"booking {number}", "paid": number * 1.5} for number in range(20)]


def look_up(order_id: int, *, deep: bool = False) -> dict[str, Any]:
    """A tool that waits a millisecond for something, as tools do, with a result of about one kilobyte."""
    time.sleep(0.001)
    return {"order_id": order_id, "deep": deep, "rows": ROWS}


def timed(calls: Callable[[int], object]) -> list[float]:
    """The milliseconds of each call."""
    took: list[float] = []
    for number in range(CALLS):
        began = time.perf_counter()
        calls(number)
        took.append((time.perf_counter() - began) * 1000)
    return took


def measured(report: Report, where: str, recorder: Recorder) -> None:
    """Runs with and without the recorder in turns; the end of a run is shared among its calls."""
    tool = recorder.tool(look_up)
    plain: list[float] = []
    recorded: list[float] = []
    ends: list[float] = []
    for _ in range(RUNS):
        plain += timed(look_up)
        run = recorder.run(input={"order": 7})
        with run:
            took = timed(tool)
            run.answer("done")
            began = time.perf_counter()
        ends.append((time.perf_counter() - began) * 1000)
        recorded += [one + ends[-1] / CALLS for one in took]
    for name, values in (("plain", plain), ("recorded", recorded), ("end_of_run", ends)):
        report.add(f"{where}_{name}_ms_mean", statistics.fmean(values))
        report.add(f"{where}_{name}_ms_p50", statistics.median(values))
        report.add(f"{where}_{name}_ms_p99", statistics.quantiles(values, n=100)[98])
    for part in ("mean", "p50", "p99"):
        values = report.values
        report.add(
            f"{where}_added_ms_{part}",
            values[f"{where}_recorded_ms_{part}"][-1] - values[f"{where}_plain_ms_{part}"][-1],
        )
    report.add(f"{where}_dropped", recorder.dropped)


def repetition(report: Report, place: Path) -> None:
    """With a server in a process of its own, and with none."""
    program = Program(place, f"sqlite:///{place / 'ledger.db'}")
    program.start()
    common: dict[str, Any] = {"agent": "bench", "version": "1"}
    try:
        url = f"http://127.0.0.1:{program.port}"
        with Recorder(url, program.token, folder=place / "up", **common) as up:
            measured(report, "server_up", up)
            if up.flush(60):
                report.errors.append("not every run has arrived after a minute")
    finally:
        program.stop()
    with Recorder("http://127.0.0.1:1", "none", folder=place / "down", **common) as down:
        measured(report, "server_down", down)


def main() -> int:
    """Five repetitions, with a server that answers and with none."""
    chosen = options(str(__doc__))
    report = Report("recorder", GOALS)
    for _ in range(1 if chosen.quick else 5):
        with tempfile.TemporaryDirectory() as place:
            repetition(report, Path(place))
    return report.show(as_json=chosen.json)


if __name__ == "__main__":
    raise SystemExit(main())
