"""Clients for unit tests: the same verbs as the real ones, answered from a fixture, with no server and no network."""

import inspect
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, Unpack, cast

from setright.client.client import AsyncSetright, Setright
from setright.client.recording.recorder import BeginFields, Recorder, begin
from setright.client.recording.run import RunRecording
from setright.client.recording.written import WrittenRun
from setright.client.request import Answer, Request
from setright.client.retries import Retries
from setright.client.senders import AsyncSender, Sender, Target
from setright.client.verbs import AsyncResource, Resource

NOBODY = Target("http://fake.invalid", {"Authorization": "Bearer fake"}, 1.0, Retries(count=0))
Answers = Mapping[str, object] | Path | str


class NoAnswer(AssertionError):
    """A verb was called for which the fixture has no answer."""


@dataclass(frozen=True)
class Called:
    """One call of a verb, such as `runs.create`, with its arguments by name."""

    verb: str
    arguments: Mapping[str, Any]


class Script:
    """What a fake answers, verb by verb, and what it was asked."""

    def __init__(self, answers: Answers) -> None:
        self._answers: dict[str, list[object]] = {}
        given = answers if isinstance(answers, Mapping) else _in_file(Path(answers))
        for verb, answer in given.items():
            several = isinstance(answer, list)
            self._answers[verb] = list(cast("Sequence[object]", answer)) if several else [answer]
        self.calls: list[Called] = []
        self.recorded: list[dict[str, Any]] = []

    def answer(self, verb: str) -> Answer:
        """The next answer of a verb; the last one is given again and again."""
        waiting = self._answers.get(verb)
        if not waiting:
            known = ", ".join(sorted(self._answers)) or "nothing"
            raise NoAnswer(
                f"{verb} was called, and the fixture answers {known}: give answers={{'{verb}': ...}}."
            )
        body = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if body is None:
            return Answer(204, {}, b"")
        told = cast("dict[str, object]", body) if isinstance(body, dict) else {}
        status = told.get("status") if "error" in told else 200
        return Answer(status if isinstance(status, int) else 400, {}, json.dumps(body).encode())

    def keep(self, run: WrittenRun) -> None:
        """A run that was recorded."""
        self.recorded.append(json.loads(run.whole()))

    def play(self, thing: Resource | AsyncResource, sender: Callable[[str], Any], before: str = "") -> None:
        """Have every verb of a client, also of what belongs to it, noted and answered from here."""
        for name, verb in inspect.getmembers(type(thing), _is_verb):
            path = f"{before}{name}"
            stand_in = type(thing).__new__(type(thing))
            stand_in.sender = sender(path)
            setattr(thing, name, self._noted(path, verb.__get__(stand_in)))
        for name, inner in vars(thing).items():
            if isinstance(inner, Resource | AsyncResource):
                self.play(inner, sender, f"{before}{name}.")

    def _noted(self, path: str, verb: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(verb)
        def noted(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(Called(path, inspect.signature(verb).bind(*args, **kwargs).arguments))
            return verb(*args, **kwargs)

        noted.__dict__["__signature__"] = inspect.signature(verb)
        return noted


class FakeSetright(Setright):
    """Setright without a server: `calls` are the calls of its verbs, `recorded` the runs that were recorded with `run`.

    `answers` says what each verb answers: the JSON of the server, a list of it for one call after the other (the last
    one stays), `{"status": 404, "error": {"code", "message"}}` for a refusal, None where the server answers nothing. It
    is a mapping from a verb such as `runs.get` to that, or the JSON file of one. Another verb raises `NoAnswer`.
    """

    def __init__(self, answers: Answers | None = None) -> None:
        super().__init__(NOBODY.url, "fake")
        self.script = Script(answers or {})
        self.script.play(self, lambda verb: _FakeSender(self.script, verb))

    @property
    def calls(self) -> list[Called]:
        """The calls of verbs, in order."""
        return self.script.calls

    @property
    def recorded(self) -> list[dict[str, Any]]:
        """The runs that were recorded, as they would be sent."""
        return self.script.recorded

    @cached_property
    def recorder(self) -> Recorder:
        """A recorder that keeps nothing and sends nothing."""
        return _FakeRecorder(self.script)


class AsyncFakeSetright(AsyncSetright):
    """FakeSetright for asyncio: the verbs of AsyncSetright."""

    def __init__(self, answers: Answers | None = None) -> None:
        super().__init__(NOBODY.url, "fake")
        self.script = Script(answers or {})
        self.script.play(self, lambda verb: _AsyncFakeSender(self.script, verb))

    @property
    def calls(self) -> list[Called]:
        """The calls of verbs, in order."""
        return self.script.calls

    @property
    def recorded(self) -> list[dict[str, Any]]:
        """The runs that were recorded, as they would be sent."""
        return self.script.recorded

    @cached_property
    def recorder(self) -> Recorder:
        """A recorder that keeps nothing and sends nothing."""
        return _FakeRecorder(self.script)


class _FakeRecorder(Recorder):
    """Gives its runs to the script."""

    def __init__(self, script: Script) -> None:
        super().__init__(url="", token="", folder=os.devnull)
        self._script = script

    def run(self, **begun: Unpack[BeginFields]) -> RunRecording:
        return begin(begun, self._script.keep)


class _FakeSender(Sender):
    """Has no connections of its own: there is one for every verb."""

    def __init__(self, script: Script, verb: str) -> None:
        self._target = NOBODY
        self._sleep = _never
        self._script = script
        self._verb = verb

    def _try(self, request: Request[Any]) -> Answer:  # noqa: ARG002 - the answer depends on the verb alone
        return self._script.answer(self._verb)


class _AsyncFakeSender(AsyncSender):
    def __init__(self, script: Script, verb: str) -> None:
        self._target = NOBODY
        self._sleep = _never
        self._script = script
        self._verb = verb

    async def _try(self, request: Request[Any]) -> Answer:  # noqa: ARG002 - the answer depends on the verb alone
        return self._script.answer(self._verb)


async def _never(_seconds: float) -> None:
    """Without further tries there is nothing to wait for."""


def _is_verb(member: object) -> bool:
    """Whether a member of a class is a call to the server, made in `verbs`."""
    return inspect.isfunction(member) and "__signature__" in vars(member)


def _in_file(file: Path) -> Mapping[str, object]:
    found: object = json.loads(file.read_text(encoding="utf-8"))
    if isinstance(found, dict):
        return cast("dict[str, object]", found)
    raise ValueError(f"{file} is no fixture: it holds no JSON object from verbs to answers.")
