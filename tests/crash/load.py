"""A load of corrections with keys, what was answered, and the truth about it afterwards."""

import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

from tests.concurrency.wire import Told, Wire, a_run

THREADS = 6
RUNS = 12
TROUBLE = ("storage-unavailable", "idempotency-store-unavailable", "idempotency-key-in-flight")
CHANGES = ("updatedAt", "unregisteredAt", "supersededBy")


@dataclass
class Sent:
    """One correction as it was sent, and its answer when there was a good one."""

    key: str
    body: dict[str, Any]
    answer: Told | None = None


@dataclass
class Figures:
    """What came of one round or of several."""

    rounds: int = 0
    acknowledged: int = 0
    unanswered: int = 0
    done_unanswered: int = 0
    refused: int = 0
    lost: int = 0
    doubled: int = 0
    changed: int = 0

    def add(self, other: "Figures") -> None:
        """Count another round in."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def __str__(self) -> str:
        return ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in vars(self).items())


@dataclass
class Book:
    """Every correction that was ever sent to one ledger, and the runs that they correct."""

    run_ids: list[str]
    sent: list[Sent] = field(default_factory=list[Sent])

    @classmethod
    def open(cls, wire: Wire) -> "Book":
        """A book on new runs."""
        return cls([wire.post("/v1/runs", a_run(input=number))["id"] for number in range(RUNS)])


class Load:
    """Callers who send corrections until told to stop, or until the server is gone."""

    def __init__(self, wire: Wire, book: Book, seed: int) -> None:
        self._wire = wire
        self._book = book
        self._stopped = threading.Event()
        self._first = threading.Event()
        self._before = len(book.sent)
        self.refused = 0
        self.surprises: list[Any] = []
        self._threads = [
            threading.Thread(target=self._send, args=(random.Random(f"{seed}-{number}"), f"{seed}-{number}"))
            for number in range(THREADS)
        ]
        for thread in self._threads:
            thread.start()
        assert self._first.wait(30), self.surprises

    def _send(self, chance: random.Random, name: str) -> None:
        number = 0
        while not self._stopped.is_set():
            number += 1
            sent = Sent(f"key-{name}-{number}", self._body(chance, f"{name}-{number}"))
            self._book.sent.append(sent)
            try:
                self._settle(sent)
                if chance.random() < 0.2 and sent.answer is not None:
                    self._settle(sent)
            except (OSError, HTTPException):
                return

    def _body(self, chance: random.Random, why: str) -> dict[str, Any]:
        participant = chance.choice((None, "p-1", "p-2"))
        more = {} if participant is None else {"participantId": participant}
        return {"runId": chance.choice(self._book.run_ids), "answer": "wrong", "why": why, **more}

    def _settle(self, sent: Sent) -> None:
        """Send once more; a refusal for the database's sake is tried again later."""
        told = self._wire.send("POST", "/v1/corrections", sent.body, sent.key)
        if told.status == 201:
            if sent.answer is not None and sent.answer.content != told.content:
                self.surprises.append((sent, told))
            sent.answer = told
            self._first.set()
        elif told.code in TROUBLE and int(told.headers.get("retry-after", "0")) >= 1:
            self.refused += 1
            self._stopped.wait(0.05)
        else:
            self.surprises.append((sent, told))

    def stop(self) -> Figures:
        """Wait until everybody has stopped; what was answered of this load."""
        self._stopped.set()
        for thread in self._threads:
            thread.join(60)
        assert self.surprises == []
        answers = [sent.answer is not None for sent in self._book.sent[self._before :]]
        acknowledged, unanswered = answers.count(True), answers.count(False)
        return Figures(1, acknowledged, unanswered, refused=self.refused)


def hold_to_account(wire: Wire, book: Book) -> Figures:
    """Send everything again with its key, and count what is not there exactly once, as it was acknowledged."""
    found = Figures()
    with ThreadPoolExecutor(THREADS) as threads:
        told = list(threads.map(lambda sent: _again(wire, sent), book.sent))
    for sent, again in zip(book.sent, told, strict=True):
        assert again.status == 201, again.content
        was_done = "idempotent-replay" in again.headers
        if sent.answer is not None:
            found.changed += sent.answer.content != again.content
            found.lost += not was_done
        else:
            found.done_unanswered += was_done
        sent.answer = sent.answer or again
    every = wire.all("/v1/corrections?includeUnregistered=true")
    kept = [one for one in every if one["runId"] in book.run_ids]
    by_id = {one["id"]: one for one in kept}
    for sent in book.sent:
        assert sent.answer is not None
        one = by_id.get(sent.answer.json["id"])
        found.lost += one is None
        found.changed += one is not None and _said(one) != _said(sent.answer.json)
    whys = Counter(one["why"] for one in kept)
    found.doubled += sum(count - 1 for count in whys.values())
    found.doubled += sum(count - 1 for count in _recorded(wire).values())
    assert set(whys) == {sent.body["why"] for sent in book.sent}
    _one_current_in_each_place(kept)
    return found


def _again(wire: Wire, sent: Sent) -> Told:
    return wire.until_settled("POST", "/v1/corrections", sent.body, sent.key)


def _said(correction: dict[str, Any]) -> dict[str, Any]:
    """A correction without what a later one may change."""
    return {name: value for name, value in correction.items() if name not in CHANGES}


def _recorded(wire: Wire) -> Counter[str]:
    """How often each correction is told of as recorded; each number of an event comes once."""
    events: list[Any] = []
    while True:
        page = wire.get(f"/v1/events?limit=100&after={events[-1]['seq'] if events else 0}")
        events += page["data"]
        if not page["hasMore"]:
            break
    assert len({event["seq"] for event in events}) == len(events)
    return Counter(event["subject"]["id"] for event in events if event["kind"] == "correction.recorded")


def _one_current_in_each_place(kept: Sequence[dict[str, Any]]) -> None:
    places = Counter((one["runId"], one.get("participantId")) for one in kept if "supersededBy" not in one)
    assert set(places.values()) <= {1}
    assert set(places) == {(one["runId"], one.get("participantId")) for one in kept}
    assert {one["supersededBy"] for one in kept if "supersededBy" in one} <= {one["id"] for one in kept}


def wait_at_random(chance: random.Random, most: float) -> None:
    """A while of any length."""
    time.sleep(chance.random() * most)
