"""Samples of our own (CC0) in the form of tau-bench, and files that give their bytes as a test wants."""

import io
import json
from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

from setright.exchange import FORMATS, ReadRun, Unread

Fields = dict[str, Any]


class Trickle:
    """A file that gives a few bytes at a time, whatever is asked for."""

    def __init__(self, raw: bytes, count: int) -> None:
        self._file = io.BytesIO(raw)
        self._count = count

    def read(self, size: int, /) -> bytes:
        """A few bytes, none at the end."""
        return self._file.read(min(size, self._count))


class Endless:
    """A file that holds an array of parts, and is never in memory whole."""

    def __init__(self, parts: Iterable[bytes]) -> None:
        signs = chain([b"["], repeat(b","))
        self._parts = chain((sign + part for sign, part in zip(signs, parts, strict=False)), [b"]"])

    def read(self, _size: int, /) -> bytes:
        """The next part."""
        return next(self._parts, b"")


def call(name: str = "get_bike", arguments: Any = '{"bike": 7}', call_id: str = "c1") -> Fields:
    """A tool call as a message holds it."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def made(*calls: Fields, content: str | None = None) -> Fields:
    """A message of the assistant that makes calls."""
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(content: Any = "ok", call_id: str = "c1") -> Fields:
    """A tool's message."""
    return {"role": "tool", "tool_call_id": call_id, "name": "get_bike", "content": content}


def user(content: str = "My bike is broken.") -> Fields:
    """A message of the user."""
    return {"role": "user", "content": content}


def said(content: str = "I am sorry to hear that.") -> Fields:
    """A text of the assistant."""
    return {"role": "assistant", "content": content}


def entry(*messages: Fields, task: Any = 0, trial: Any = 0, **more: Any) -> Fields:
    """A run of tau-bench: a system prompt, what the user asked, and what came then."""
    system = {"role": "system", "content": "You lend bikes."}
    info = {"task": {"user_id": "kim_1", "actions": [], "instruction": "", "outputs": []}, "source": "user"}
    traj = [system, user(), *messages]
    return {"task_id": task, "reward": 0.0, "info": info, "traj": traj, "trial": trial, **more}


def plain(task: int = 0, trial: int = 0, **more: Any) -> Fields:
    """A run with one call."""
    return entry(made(call()), result(), said(), task=task, trial=trial, **more)


def read(raw: bytes | Iterable[Fields], count: int = 1 << 20) -> tuple[list[ReadRun], list[Unread]]:
    """What tau-bench's reader finds in a file."""
    whole = raw if isinstance(raw, bytes) else json.dumps(list(raw)).encode()
    found = list(FORMATS["tau-bench"].read(Trickle(whole, count)))
    runs = [one for one in found if isinstance(one, ReadRun)]
    return runs, [one for one in found if isinstance(one, Unread)]


def run_of(*messages: Fields, **more: Any) -> Fields:
    """What is said of the only run of a file, about which nothing is odd."""
    (run,), odd = read([entry(*messages, **more)])
    assert odd == []
    return dict(run.said)
