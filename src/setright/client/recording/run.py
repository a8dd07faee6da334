"""The run that is being recorded: what an agent's code says about it while it goes on."""

import asyncio
import contextlib
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextvars import Token
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Literal, Self, cast

from setright.client.recording.snapshot import Changes, bounded, failure, left_out, moment, snapshot
from setright.client.recording.tools import CURRENT, TakesCalls, Tool
from setright.client.recording.written import WrittenRun

ABSENT: Any = object()
"""Stands for what nobody gave, because None is a value."""
MOST_CALL_BYTES = 4 * 1024 * 1024 - 4096
MOST_PART_BYTES = 3 * 1024 * 1024 + 512 * 1024
MOST_CALLS_BYTES = 56 * 1024 * 1024
MOST_LEFT_OUT_BYTES = 512 * 1024
LONGEST_NAME = 200
SLOW_TO_WRITE = 256 * 1024
NOT_AS_IT_WAS = "recorder: not all as it was"
"""The tag of a run of which something was lost on the way."""
NOT_ENDED = "had not ended when the run ended"
LOG = logging.getLogger("setright.recorder")


class CallRecording:
    """A tool call that has begun: say how it ended with `end` or `fail`; it keeps the place at which it began."""

    def __init__(self, run: "RunRecording", place: int, began: bytes, started_at: datetime | None) -> None:
        self._run = run
        self._place = place
        self._began = began
        self._started_at = started_at

    def end(self, result: object = None, *, ended_at: datetime | None = None) -> None:
        """It gave this back."""
        self._settle("result", result, ended_at)

    def fail(self, error: object, *, ended_at: datetime | None = None) -> None:
        """It failed: an exception, or any value."""
        self._settle("error", failure(error), ended_at)

    def _settle(self, name: str, value: object, ended_at: datetime | None) -> None:
        changes, where = Changes(), f"/calls/{self._place}/{name}"
        said = snapshot(value, where, changes)
        ended = ended_at or (datetime.now(UTC) if self._started_at else None)
        times = b"".join(
            b',"%s":"%s"' % (word, moment(at).encode())
            for word, at in ((b"startedAt", self._started_at), (b"endedAt", ended))
            if at is not None
        )
        room = max(0, MOST_CALL_BYTES - len(self._began) - len(times) - 32)
        said = bounded(said, room, where, changes)
        whole = self._began[:-1] + b',"' + name.encode() + b'":' + said + times + b"}"
        self._run.settle(self._place, whole, changes)


class RunRecording:
    """One run: a `with` block (or `async with`) around what the agent does; at its end the run is on this machine's disk.

    An exception in the block makes the run failed, with the error as its output, and goes on to the caller. Nothing
    that is recorded here raises: what JSON cannot carry is recorded in other words, what is too large is left out,
    and `changes` says so. Threads and tasks may record into one run.
    """

    def __init__(self, run_id: str, began: Mapping[str, object], keep: Callable[[WrittenRun], None]) -> None:
        self.id = run_id
        self._keep = keep
        self._changes = Changes()
        self._tags = list(cast("Sequence[str]", began.get("tags") or ()))
        self._began = {name: value for name, value in began.items() if name != "tags"}
        self._input = ABSENT
        if "input" in began:
            written = snapshot(self._began.pop("input"), "/input", self._changes)
            self._input = bounded(written, MOST_PART_BYTES, "/input", self._changes)
        self._calls: list[bytes | None] = []
        self._open: dict[int, bytes] = {}
        self._bytes = 0
        self._messages: list[bytes] = []
        self._output: bytes | None = None
        self._answer: str | None = None
        self._failed = False
        self._over = False
        self._lock = threading.Lock()
        self._entered: Token[TakesCalls | None] | None = None
        self.tool = Tool(self)

    @property
    def changes(self) -> Sequence[str]:
        """What was not recorded as it was, each with its place; the first hundred."""
        return tuple(self._changes.said)

    def call(
        self,
        tool: str,
        args: object = None,
        result: object = ABSENT,
        *,
        error: object = ABSENT,
        started_at: datetime | None = None,
        ended_at: datetime | None = None,
        agent: str | None = None,
    ) -> None:
        """A tool call that is over: its arguments by name, and what it gave back, or the `error` it failed with.

        `agent` is the sub-agent that made it. Calls stand in the order in which they are told.
        """
        begun = self.start_call(tool, args, started_at=started_at, agent=agent)
        if error is not ABSENT:
            begun.fail(error, ended_at=ended_at)
        else:
            begun.end(None if result is ABSENT else result, ended_at=ended_at)

    def start_call(
        self, tool: str, args: object = None, *, started_at: datetime | None = None, agent: str | None = None
    ) -> CallRecording:
        """A tool call that begins now: it has its place, and its arguments are kept as they are now."""
        changes = Changes()
        with self._lock:
            place = len(self._calls)
            self._calls.append(None)
        where = f"/calls/{place}/args"
        said = snapshot(_by_name(args, where, changes), where, changes)
        said = bounded(said, MOST_PART_BYTES, where, changes)
        names = snapshot(_names(tool, agent), f"/calls/{place}", changes)
        began = names[:-1] + b',"args":' + said + b"}"
        with self._lock:
            self._changes.take(changes)
            self._open[place] = began
        return CallRecording(self, place, began, started_at)

    def answer(self, text: str) -> None:
        """What the run answered; without `output` it is the output too."""
        self._answer = str(text)

    def output(self, value: object) -> None:
        """What came out: any value, None too."""
        changes = Changes()
        written = bounded(snapshot(value, "/output", changes), MOST_PART_BYTES, "/output", changes)
        with self._lock:
            self._changes.take(changes)
            self._output = written

    def message(self, role: str, content: object, **more: object) -> None:
        """One message of the conversation, in order."""
        changes, place = Changes(), len(self._messages)
        written = snapshot(
            {"role": str(role) or "unknown", "content": content, **more}, f"/messages/{place}", changes
        )
        with self._lock:
            self._changes.take(changes)
            self._messages.append(written)

    def fail(self, error: object = None) -> None:
        """The run failed: with an exception or any value, which is its output unless there is one; the block goes on."""
        self._failed = True
        if self._output is None and error is not None:
            self.output({"error": failure(error)})

    def settle(self, place: int, whole: bytes, changes: Changes) -> None:
        """A call as it is recorded, at its place; what comes after the end of the run is told in the log."""
        with self._lock:
            self._changes.take(changes)
            if self._over:
                LOG.warning("Run %s was over when call %s ended: its end is not recorded.", self.id, place)
                return
            self._open.pop(place, None)
            self._calls[place] = self._within_the_run(place, whole)

    def _within_the_run(self, place: int, whole: bytes) -> bytes | None:
        if self._bytes + len(whole) > MOST_CALLS_BYTES:
            where = f"/calls/{place}"
            self._changes.say(
                where, f"left out: the calls of the run have more than {MOST_CALLS_BYTES} bytes", lost=True
            )
            whole = _without_content(json.loads(whole))
            if self._bytes > MOST_CALLS_BYTES + MOST_LEFT_OUT_BYTES:
                return None
        self._bytes += len(whole) + 1
        return whole

    def _end(self, error: BaseException | None) -> None:
        if error is not None:
            self._failed = True
            self.output({"error": failure(error)})
        with self._lock:
            if self._over:
                return
            self._over = True
            for place, began in self._open.items():
                self._calls[place] = began[:-1] + b',"error":"' + NOT_ENDED.encode() + b'"}'
            ended = self._ended()
            calls = tuple(call for call in self._calls if call is not None)
        whole = WrittenRun(self.id, self._head(), ended, calls)
        if self._changes.lost:
            LOG.warning("Run %s is not recorded as it was: %s.", self.id, "; ".join(self._changes.said[:5]))
        self._keep(whole)

    def _head(self) -> bytes:
        tags = [*self._tags, NOT_AS_IT_WAS] if self._changes.lost else self._tags
        head: dict[str, object] = {"id": self.id, **self._began}
        if tags:
            head["tags"] = tags
        written = snapshot(head, "", self._changes)
        return written if self._input is ABSENT else written[:-1] + b',"input":' + self._input + b"}"

    def _ended(self) -> bytes:
        """How it ended, with what was said; a completed run has an output, and null is one."""
        said = [b'"status":"failed"' if self._failed else b'"status":"completed"']
        answer = None if self._answer is None else snapshot(self._answer, "/answer", self._changes)
        output = self._output or (b"null" if answer is None else answer)
        room = MOST_PART_BYTES - len(output)
        said.append(b'"output":' + output)
        if answer is not None:
            answer = bounded(answer, max(0, min(room, MOST_PART_BYTES // 4)), "/answer", self._changes)
            # What is left out is an object, and an answer is a text.
            said.append(
                b'"answer":' + (answer if answer[:1] == b'"' else json.dumps(answer.decode()).encode())
            )
            room -= len(answer)
        if self._messages:
            said.append(b'"messages":[' + b",".join(self._said_within(room)) + b"]")
        return b"{" + b",".join(said) + b"}"

    def _said_within(self, room: int) -> list[bytes]:
        kept: list[bytes] = []
        for message in self._messages:
            room -= len(message) + 1
            if room < 0:
                count = len(self._messages) - len(kept)
                what = f"{count} messages left out: more than the run has room for"
                self._changes.say(f"/messages/{len(kept)}", what, lost=True)
                return [*kept, json.dumps({"role": "recorder", "content": what}).encode()]
            kept.append(message)
        return kept

    def __enter__(self) -> Self:
        self._entered = CURRENT.set(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        self._leave()
        self._end(error)
        return False

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        self._leave()
        if self._bytes > SLOW_TO_WRITE:
            await asyncio.shield(asyncio.to_thread(self._end, error))
        else:
            self._end(error)
        return False

    def _leave(self) -> None:
        entered, self._entered = self._entered, None
        if entered is not None:
            # Entered in one context and left in another, as generators do: there it is not the current one anyhow.
            with contextlib.suppress(ValueError):
                CURRENT.reset(entered)


def _names(tool: object, agent: str | None) -> dict[str, str]:
    names = {"tool": (str(tool) or "unnamed")[:LONGEST_NAME]}
    return {**names, "agent": str(agent)[:LONGEST_NAME]} if agent else names


def _by_name(args: object, where: str, changes: Changes) -> object:
    """Arguments are an object: one in a JSON text is read, and anything else gets a name."""
    if args is None:
        return {}
    if isinstance(args, str):
        try:
            read = json.loads(args)
        except (ValueError, RecursionError):
            read = None
        if isinstance(read, dict):
            return cast("dict[str, object]", read)
    if isinstance(args, Mapping):
        return dict(cast("Mapping[object, object]", args))
    changes.say(where, f"a {type(args).__name__} under the name value, because arguments have names")
    return {"value": args}


def _without_content(call: dict[str, object]) -> bytes:
    """A call without its arguments, and without what it gave back or failed with."""
    ended = "error" if "error" in call else "result"
    tool, gone = json.dumps(call["tool"]), left_out(json.dumps(call[ended]).encode()).decode()
    return f'{{"tool":{tool},"args":{{}},"{ended}":{gone}}}'.encode()
