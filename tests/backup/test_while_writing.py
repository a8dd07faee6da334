"""A backup is made while eight callers write: what was acknowledged before is in it, and what is in it is whole."""

import threading
from dataclasses import dataclass, field
from typing import Any

from tests.backup.places import Places, sound
from tests.concurrency.wire import Serving, Wire, a_run

WRITERS = 8
CHANGES = ("updatedAt", "unregisteredAt", "supersededBy")


@dataclass
class Writers:
    """Callers who record runs and correct them, each again and again, until told to stop."""

    wire: Wire
    acknowledged: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    enough: threading.Event = field(default_factory=threading.Event)
    stopped: threading.Event = field(default_factory=threading.Event)

    def start(self, already: int) -> list[threading.Thread]:
        """Begin, and return once so many corrections were acknowledged."""
        threads = [threading.Thread(target=self._write, args=(number, already)) for number in range(WRITERS)]
        for thread in threads:
            thread.start()
        assert self.enough.wait(60)
        return threads

    def _write(self, writer: int, already: int) -> None:
        number = 0
        while not self.stopped.is_set():
            number += 1
            run = a_run(
                id=f"run-{writer}-{number // 3}", calls=[{"tool": "t", "args": {"n": n}} for n in range(4)]
            )
            body = {"run": run, "answer": "wrong", "why": f"{writer} {number}"}
            self.acknowledged.append(self.wire.post("/v1/corrections", body, f"key-{writer}-{number}"))
            if len(self.acknowledged) >= already:
                self.enough.set()


def said(correction: dict[str, Any]) -> dict[str, Any]:
    """A correction without what a later one may change."""
    return {name: value for name, value in correction.items() if name not in CHANGES}


def test_what_was_acknowledged_before_is_in_the_backup(places: Places) -> None:
    url, back = places.with_schema(), places.new()
    serving = Serving(url)
    wire = serving.tenant("busy")
    writers = Writers(wire)
    try:
        threads = writers.start(already=60)
        before = list(writers.acknowledged)
        made = places.back_up(url)
        assert len(writers.acknowledged) > len(before), "they went on meanwhile"
        writers.stopped.set()
        for thread in threads:
            thread.join(60)
        _holds(places, made.path, back, before, wire)
    finally:
        writers.stopped.set()
        serving.close()


def _holds(places: Places, backup: Any, back: str, before: list[dict[str, Any]], wire: Wire) -> None:
    manifest, _ = places.restore(backup, back)
    assert sound(back)
    restored = Serving(back)
    try:
        there = restored.wire(wire._token)
        kept = {one["id"]: said(one) for one in there.all("/v1/corrections?includeUnregistered=true")}
        assert len(kept) == manifest.contents.rows["corrections"]
        assert {one["id"]: said(one) for one in before}.items() <= kept.items()
        now = {one["id"]: said(one) for one in wire.all("/v1/corrections?includeUnregistered=true")}
        assert kept.items() <= now.items()
        runs = {one["id"] for one in there.all("/v1/runs")}
        assert {one["runId"] for one in kept.values()} == runs
        for one in list(kept.values())[:5]:
            assert len(there.get(f"/v1/runs/{one['runId']}")["calls"]) == 4
        events = _events(there)
        assert sorted(kept) == sorted(
            one["subject"]["id"] for one in events if one["kind"] == "correction.recorded"
        )
        there.post("/v1/corrections", {"run": a_run(), "answer": "right"})
    finally:
        restored.close()


def _events(wire: Wire) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    while True:
        page = wire.get(f"/v1/events?limit=100&after={events[-1]['seq'] if events else 0}")
        events += page["data"]
        if not page["hasMore"]:
            return events
