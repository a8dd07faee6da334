"""A lean load generator: a process of its own that sends prebuilt requests over kept connections and counts whole answers.

A request is a head, a fresh key where the plan wants one, and a tail. Request number n takes the tails in turn and the
heads in turn after each round of tails, so that 1,000 bodies and 100 tokens make 100,000 different pairs.
"""

import asyncio
import json
import math
import subprocess
import sys
import time
from array import array
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import cast
from uuid import uuid4

import uvloop

from benches.machine import Cpu

GRACE_SECONDS = 20


@dataclass(frozen=True)
class Plan:
    """What to send: `clients` connections for `seconds`, at most `most` requests, each of which must answer `status`.

    `watched` are process ids whose CPU time, with that of their children, does not count as foreign.
    """

    port: int
    clients: int
    seconds: float
    heads: list[str] = field(default_factory=lambda: [""])
    tails: list[str] = field(default_factory=lambda: [""])
    keyed: bool = False
    status: int = 200
    first: int = 0
    most: int = 1_000_000
    watched: list[int] = field(default_factory=list[int])


@dataclass(frozen=True)
class Outcome:
    """What came back: `answers` were read completely and had the wanted status; everything else is in `errors`."""

    answers: int
    per_s: float
    p50_ms: float
    p99_ms: float
    slowest_ms: float
    errors: dict[str, int]
    sample: str
    foreign_cores: float
    stolen_cores: float
    next_number: int
    latencies_ms: list[float]


def run(plan: Plan) -> Outcome:
    """Carry out a plan in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benches.load"],
        input=json.dumps(asdict(plan)),
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent.parent,
        timeout=plan.seconds + 2 * GRACE_SECONDS,
    )
    if done.returncode != 0:
        raise RuntimeError(f"the load generator ended with {done.returncode}:\n{done.stderr}")
    return Outcome(**json.loads(done.stdout))


class Load:
    """What the clients of one plan share: which request is next, when to stop, and what came back."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.number = plan.first
        self.heads = [head.encode() for head in plan.heads]
        self.tails = [tail.encode() for tail in plan.tails]
        self.stamp = uuid4().hex.encode() if plan.keyed else b""
        self.latencies = array("d")
        self.errors: Counter[str] = Counter()
        self.sample = ""
        self.last_answer = 0.0
        self.deadline = 0.0
        self.wanted = b" %d " % plan.status

    def next_request(self) -> bytes | None:
        """The bytes of the next request; None when time or number is used up."""
        done = self.number - self.plan.first
        if done >= self.plan.most or time.perf_counter() >= self.deadline:
            return None
        number = self.number
        self.number += 1
        tail = self.tails[number % len(self.tails)]
        head = self.heads[number // len(self.tails) % len(self.heads)]
        key = b"%s-%d" % (self.stamp, number) if self.stamp else b""
        return b"".join((head, key, tail))

    def answered(self, head: bytes, body: bytes, seconds: float, now: float) -> None:
        """One whole answer."""
        line = head[: head.find(b"\r\n")]
        if self.wanted in line:
            self.latencies.append(seconds)
            self.last_answer = now
            return
        self.failed(line.decode("latin-1"), body)

    def failed(self, reason: str, body: bytes = b"") -> None:
        """An answer of another status, or none."""
        self.errors[reason] += 1
        self.sample = self.sample or body[:500].decode("utf-8", "replace")


class Client(asyncio.Protocol):
    """One connection: a request, its whole answer, the next request."""

    def __init__(self, load: Load, ended: "asyncio.Future[None]") -> None:
        self._load = load
        self._ended = ended
        self._got = b""
        self._whole = 0
        self._head_end = 0
        self._sent = 0.0
        self._waiting = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._next()

    def _next(self) -> None:
        request = self._load.next_request()
        if request is None:
            self._end()
            return
        self._waiting = True
        self._sent = time.perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._got = self._got + data if self._got else data
        if not self._whole and not self._read_head():
            return
        if len(self._got) < self._whole:
            return
        now = time.perf_counter()
        self._waiting = False
        head, body = self._got[: self._head_end], self._got[self._head_end : self._whole]
        self._got, self._whole = b"", 0
        self._load.answered(head, body, now - self._sent, now)
        self._next()

    def _read_head(self) -> bool:
        """Whether the head is there; from then on the length of the whole answer is known."""
        end = self._got.find(b"\r\n\r\n")
        if end < 0:
            return False
        place = self._got[:end].lower().find(b"\r\ncontent-length:")
        if place < 0:
            self._load.failed("an answer without Content-Length", self._got)
            self._end()
            return False
        line_end = self._got.find(b"\r\n", place + 2)
        self._head_end = end + 4
        self._whole = self._head_end + int(self._got[place + 17 : line_end])
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        if self._waiting:
            self._load.failed("the connection ended before the answer", self._got)
        self._end()

    def _end(self) -> None:
        self._waiting = False
        self._transport.close()
        if not self._ended.done():
            self._ended.set_result(None)


async def carry_out(plan: Plan) -> Outcome:
    """Run every client of a plan to its end."""
    load = Load(plan)
    loop = asyncio.get_running_loop()
    ends = [loop.create_future() for _ in range(plan.clients)]
    cpu = Cpu(plan.watched)
    started = time.perf_counter()
    load.deadline = started + plan.seconds
    for end in ends:
        await loop.create_connection(lambda end=end: Client(load, end), "127.0.0.1", plan.port)
    _, late = await asyncio.wait(ends, timeout=plan.seconds + GRACE_SECONDS)
    if late:
        load.errors["no answer in time"] += len(late)
    seconds = max(load.last_answer - started, 1e-9)
    foreign, stolen = cpu.foreign()
    return summary(load, seconds, foreign, stolen)


def summary(load: Load, seconds: float, foreign: float, stolen: float) -> Outcome:
    """The figures of a finished load; single latencies only when they are few."""
    milliseconds = sorted(latency * 1000 for latency in load.latencies)
    return Outcome(
        answers=len(milliseconds),
        per_s=len(milliseconds) / seconds,
        p50_ms=percentile(milliseconds, 50),
        p99_ms=percentile(milliseconds, 99),
        slowest_ms=milliseconds[-1] if milliseconds else math.nan,
        errors=dict(load.errors),
        sample=load.sample,
        foreign_cores=foreign,
        stolen_cores=stolen,
        next_number=load.number,
        latencies_ms=milliseconds if len(milliseconds) <= 5_000 else [],
    )


def percentile(ordered: list[float], percent: float) -> float:
    """The smallest value that `percent` of the values do not exceed; NaN when there are none."""
    if not ordered:
        return math.nan
    return ordered[max(math.ceil(len(ordered) * percent / 100) - 1, 0)]


def main() -> None:
    """Read a plan as JSON, carry it out, write the outcome as JSON."""
    plan = Plan(**json.load(sys.stdin))
    outcome = uvloop.run(carry_out(plan))
    json.dump(asdict(outcome), sys.stdout)


if __name__ == "__main__":
    main()
