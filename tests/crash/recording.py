"""Runs that are recorded while their server is killed and started again at random moments."""

import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from setright.client import Recorder, Setright
from tests.crash.program import Program

THREADS = 4


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Weather:
    """Kills a server and starts it again, until told to end; then the server runs."""

    def __init__(self, program: Program, chance: random.Random, most: float) -> None:
        self._program = program
        self._chance = chance
        self._most = most
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._blow)
        self.kills = 0

    def _blow(self) -> None:
        while not self._over.is_set():
            self._program.start()
            self._over.wait(self._chance.uniform(0.05, self._most))
            self._program.kill()
            self.kills += 1
            self._over.wait(self._chance.uniform(0.0, self._most))
        self._program.start()

    @contextmanager
    def blowing(self) -> Iterator[None]:
        """While the block runs, and until the server is up after it."""
        self._thread.start()
        try:
            yield
        finally:
            self._over.set()
            self._thread.join()


def record(recorder: Recorder, numbers: range, pace: float) -> None:
    """A run for each number, with two calls and an answer that say which it is."""
    for number in numbers:
        with recorder.run(run_id=f"own-{number}", input={"order": number}) as run:
            run.call("look_up", {"order_id": number}, {"total": number})
            run.call("refund", {"order_id": number}, {"refunded": number})
            run.answer(f"Refunded {number}.")
        time.sleep(pace)


def recorded_in_bad_weather(
    folder: Path, database: str, runs: int, *, seed: int, most: float, pace: float, least_kills: int
) -> int:
    """Record so many runs while the server comes and goes, and see that each arrived once; how often it was killed."""
    program = Program(folder, database, port=free_port())
    program.start()
    url, token = f"http://127.0.0.1:{program.port}", program.token
    program.kill()
    weather = Weather(program, random.Random(seed), most)
    recorder = Recorder(url, token, folder=folder / "spool", agent="refunds", version="v1")
    try:
        with weather.blowing():
            shares = [range(start, runs, THREADS) for start in range(THREADS)]
            agents = [threading.Thread(target=record, args=(recorder, share, pace)) for share in shares]
            for agent in agents:
                agent.start()
            for agent in agents:
                agent.join()
            while weather.kills < least_kills:
                time.sleep(0.05)
        assert recorder.flush(300) == 0
        assert (recorder.dropped, recorder.refused, recorder.damaged) == (0, 0, 0)
        see_all(url, token, runs)
    finally:
        recorder.close()
        program.kill()
    return weather.kills


def see_all(url: str, token: str, runs: int) -> None:
    """Every run is there once and whole."""
    with Setright(url, token) as client:
        listed = list(client.runs.list(limit=100))
        assert len(listed) == runs
        assert {run.id for run in listed} == {f"own-{number}" for number in range(runs)}
        assert {(run.status, run.call_count) for run in listed} == {("completed", 2)}
        for number in range(0, runs, max(1, runs // 50)):
            assert client.runs.get(f"own-{number}").answer == f"Refunded {number}."
