"""Very many corrections and results in a SQLite file, held against each other in a stream, each verdict written back.

`fill FILE COUNT DATA` makes the file, `hold FILE` works through it with two processes and tells seconds and peak memory.
"""

import json
import resource
import sqlite3
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benches.cases import made, verdict_of
from benches.report import Goal

FEWER, MANY = 100_000, 1_000_000
AT_ONCE = 1_000
WORKERS = 2
AHEAD = 2 * WORKERS
SECONDS = Goal(most=180)
MORE_MB = Goal(most=20)
Numbered = tuple[int, bytes]


def fill(file: Path, count: int, data: Path) -> None:
    """So many cases of known truth, one row each; 10,000 of them again and again, each time under another number."""
    cases = made(data)
    raws = [(case.raw(), "right" if case.is_right else "wrong") for case in cases]
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "CREATE TABLE held (number INTEGER PRIMARY KEY, said TEXT NOT NULL, truth TEXT NOT NULL)"
        )
        connection.execute("CREATE TABLE verdicts (number INTEGER PRIMARY KEY, verdict TEXT NOT NULL)")
        rows = ((number, *raws[number % len(raws)]) for number in range(count))
        connection.executemany("INSERT INTO held VALUES (?, CAST(? AS TEXT), ?)", rows)


def verdicts(rows: Sequence[Numbered]) -> list[tuple[int, str]]:
    """The verdict of each of some rows, as JSON."""
    return [(number, verdict_of(raw).decode()) for number, raw in rows]


def chunks(connection: sqlite3.Connection) -> Iterator[list[Numbered]]:
    """The rows in their order, some at a time."""
    rows = connection.execute("SELECT number, CAST(said AS BLOB) FROM held ORDER BY number")
    while chunk := list(islice(rows, AT_ONCE)):
        yield chunk


def held(file: Path) -> dict[str, float]:
    """Hold every row, write every verdict, commit; how long it took, and the most memory that it needed."""
    begin = time.perf_counter()
    with closing(sqlite3.connect(file)) as reading, closing(sqlite3.connect(file)) as writing:
        writing.execute("PRAGMA journal_mode = WAL")
        waiting: deque[Future[list[tuple[int, str]]]] = deque()
        with ProcessPoolExecutor(WORKERS) as workers:
            for chunk in chunks(reading):
                waiting.append(workers.submit(verdicts, chunk))
                if len(waiting) > AHEAD:
                    _write(writing, waiting.popleft().result())
            while waiting:
                _write(writing, waiting.popleft().result())
        writing.commit()
        seconds = time.perf_counter() - begin
        wrong = writing.execute(
            "SELECT count(*) FROM held LEFT JOIN verdicts USING (number) "
            "WHERE json_extract(verdict, '$.verdict') IS NOT truth"
        ).fetchone()[0]
    own, below = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = (own.ru_maxrss + WORKERS * below.ru_maxrss) * 1024 / 1e6
    return {"seconds": round(seconds, 1), "peak_mb": round(peak, 1), "wrong": wrong}


def _write(writing: sqlite3.Connection, rows: Sequence[tuple[int, str]]) -> None:
    writing.executemany("INSERT INTO verdicts VALUES (?, ?)", rows)


def measure(data: Path, count: int) -> dict[str, float]:
    """Fill a file with so many and work through it, each in a process of its own."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "held.db"
        for arguments in (("fill", file, count, data), ("hold", file)):
            command = [sys.executable, "-m", "benches.million", *map(str, arguments)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


def tell(data: Path) -> dict[str, float]:
    """Measure both sizes, print what came out, and give it as figures."""
    fewer, many = measure(data, FEWER), measure(data, MANY)
    more = many["peak_mb"] - fewer["peak_mb"]
    print(f"  million_s {many['seconds']:>11.1f}  {SECONDS.told(many['seconds'])}")
    print(
        f"  million_peak_mb {many['peak_mb']:>5.0f}  hundredthousand_peak_mb {fewer['peak_mb']:.0f}  "
        f"{more:+.1f}  {MORE_MB.told(more)}"
    )
    print(f"  million_wrong {many['wrong']:>7.0f}  {Goal(most=0).told(many['wrong'])}")
    return {
        "million_s": many["seconds"],
        "million_peak_mb": many["peak_mb"],
        "hundredthousand_peak_mb": fewer["peak_mb"],
        "million_wrong": many["wrong"],
    }


def main(arguments: Sequence[str]) -> int:
    """The two steps, each for itself."""
    match arguments:
        case ["fill", file, count, data]:
            fill(Path(file), int(count), Path(data))
        case ["hold", file]:
            print(json.dumps(held(Path(file))))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
