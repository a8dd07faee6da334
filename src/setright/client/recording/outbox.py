"""What brings runs from this machine's disk to the server: a thread of its own, which never holds up the agent."""

import atexit
import logging
import os
import random
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import httpx2

from setright.client.recording.delivery import Delivery, Later
from setright.client.recording.spool import (
    DAMAGED,
    REFUSED,
    UNADDRESSED,
    Bounds,
    Box,
    Full,
    box_name,
    others_waiting,
)
from setright.client.recording.written import WrittenRun
from setright.client.senders import Sender, Target

LOG = logging.getLogger("setright.recorder")
IDLE_SECONDS = 30.0
GATHER_SECONDS = 0.1
OTHER_SENDS_SECONDS = 0.5
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
HURRIED_WAIT = 0.2
_ours: "weakref.WeakSet[Outbox]" = weakref.WeakSet()


class Outbox:
    """Keeps runs on the disk and has a thread send them, which begins with the first run; `target` None keeps only."""

    def __init__(
        self,
        target: Target | None,
        root: Path,
        bounds: Bounds,
        *,
        sync: bool,
        transport: httpx2.BaseTransport | None,
    ) -> None:
        self._target = target
        self._transport = transport
        self._unaddressed = Box(root / UNADDRESSED, bounds, sync=sync)
        self.box = self._unaddressed
        if target is not None:
            name = box_name(target.url, target.headers["Authorization"])
            self.box = Box(root / name, bounds, sync=sync)
        self.exit_seconds = 2.0
        self.dropped = 0
        self._sent = 0
        self._begin()
        _ours.add(self)

    def _begin(self) -> None:
        """What belongs to one process: a process that is forked off begins anew."""
        self._lock = threading.Lock()
        self._turned = threading.Condition()
        self._woken, self._hurry, self._closing = threading.Event(), threading.Event(), threading.Event()
        self._thread: threading.Thread | None = None
        self._delivery: Delivery | None = None
        self._turns = self._failures = self._flushing = 0
        self._told: set[str] = set()

    @property
    def waiting(self) -> int:
        """How many runs wait in the folder, whichever process recorded them."""
        return len(self.box.names())

    @property
    def refused(self) -> int:
        """How many runs the server refused; they stand in the folder with its answers."""
        return self.box.count(REFUSED)

    @property
    def damaged(self) -> int:
        """How many files were found that are not whole."""
        return self.box.count(DAMAGED)

    @property
    def sent(self) -> int:
        """How many runs this process has brought to the server."""
        return self._sent + (self._delivery.sent if self._delivery else 0)

    def keep(self, run: WrittenRun) -> None:
        """Put a run on the disk; where there is no room the run is dropped, counted and told, and the agent goes on."""
        try:
            self.box.put(run)
        except Full as full:
            self._drop(run, f"{full}, which is its bound")
        except OSError as error:
            self._drop(run, f"it cannot be written: {error}")
        else:
            self._told.discard("dropped")
            self.start()
            self.wake()

    def wake(self) -> None:
        """There is something to send."""
        self._woken.set()

    def start(self) -> None:
        """Have the thread run, if there is a server to send to."""
        if self._target is None or self._thread is not None or self._closing.is_set():
            return
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, args=(self._target,), name="setright-recorder", daemon=True
                )
                self._thread.start()

    def flush(self, seconds: float, *, patient: bool = True) -> int:
        """Wait until nothing waits, at most so many seconds; how many still do.

        Without patience it ends as well with the first try that fails.
        """
        until, turns = time.monotonic() + seconds, self._turns
        if self._target is None or self._closing.is_set():
            return self.waiting
        self.start()
        self._flushing += 1
        self._woken.set()
        self._hurry.set()
        try:
            while waiting := self.waiting:
                rest = until - time.monotonic()
                if rest <= 0 or (not patient and self._turns > turns and self._failures):
                    break
                with self._turned:
                    self._turned.wait(min(rest, 0.1))
            return waiting
        finally:
            self._flushing -= 1

    def close(self, seconds: float) -> int:
        """Flush, and end the thread; what still waits is sent by the next recorder. May be called twice."""
        waiting = self.flush(seconds, patient=False) if self._thread is not None else self.waiting
        self._closing.set()
        self._woken.set()
        self._hurry.set()
        if self._thread is not None:
            self._thread.join(seconds)
        return waiting

    def forked(self) -> None:
        """In a process that was forked off: its own thread, locks and connections."""
        self.box.forked()
        self._unaddressed.forked()
        self._sent = 0
        self._begin()

    def _drop(self, run: WrittenRun, why: str) -> None:
        self.dropped += 1
        self._tell(
            "dropped",
            "Run %s is not recorded: %s. It is counted in `dropped`, and so is what follows.",
            run.id,
            why,
        )

    def _tell(self, kind: str, words: str, *arguments: object) -> None:
        """Say once what stays so for a while."""
        if kind not in self._told:
            self._told.add(kind)
            LOG.warning(words, *arguments)

    def _work(self, target: Target) -> None:
        sender = Sender(target, self._transport, time.sleep)
        delivery = self._delivery = Delivery(self.box, sender.send)
        self._tell_of_others()
        try:
            while not self._closing.is_set():
                self._woken.clear()
                pause = self._turn(delivery)
                self._turns += 1
                with self._turned:
                    self._turned.notify_all()
                pause()
        finally:
            if self._transport is None:
                sender.close()

    def _turn(self, delivery: Delivery) -> Callable[[], object]:
        """Send what waits; how to wait for the next turn."""
        try:
            with self.box.sending() as mine:
                if not mine:
                    return lambda: self._hurry.wait(OTHER_SENDS_SECONDS)
                self.box.take_from(self._unaddressed)
                self.box.set_aside_parts()
                delivery.deliver()
        except Later as later:
            self._failures += 1
            self._tell("later", "Runs wait on this machine, because the server takes none now: %s", later.why)
            return self._until_later(later.seconds)
        except Exception:
            self._failures += 1
            LOG.exception("Runs wait on this machine, because they could not be sent.")
            return self._until_later(None)
        self._failures = 0
        self._told.discard("later")
        return self._until_more

    def _until_more(self) -> None:
        """Wait for the next run, and a moment more for others: many at once cost the agent's process less."""
        self._woken.wait(IDLE_SECONDS)
        if not self._flushing:
            self._hurry.clear()
            self._hurry.wait(GATHER_SECONDS)

    def _until_later(self, asked: float | None) -> Callable[[], object]:
        """Wait as long as the server asked, else longer with every failure; who flushes waits less."""
        if asked:
            return lambda: self._closing.wait(asked)
        longest = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(self._failures - 1, 20))
        seconds = random.uniform(longest / 2, longest)

        def pause() -> None:
            self._hurry.clear()
            self._hurry.wait(min(seconds, HURRIED_WAIT) if self._flushing else seconds)

        return pause

    def _tell_of_others(self) -> None:
        for folder in others_waiting(self.box.folder.parent, self.box.folder):
            LOG.warning(
                "In %s runs wait for another server or under another token; they go with the next recorder "
                "that has those, or into no-server/waiting for the first that comes.",
                folder,
            )


def _at_exit() -> None:
    for outbox in list(_ours):
        outbox.close(outbox.exit_seconds)


def _forked() -> None:
    for outbox in list(_ours):
        outbox.forked()


atexit.register(_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
