"""Recorded tools: what a corrected run was answered, given again to a new version, and nothing of the outside touched."""

import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, Self, cast

from setright.client.records import Record
from setright.client.values import encode
from setright.matching import same

Call = dict[str, Any]
NO_RECORDING = "no recording"


class ToolFailed(Exception):
    """A recorded call had failed: `tool` and `error`, which is any JSON, as it was then."""

    def __init__(self, tool: str, error: Any) -> None:
        super().__init__(error if isinstance(error, str) else json.dumps(error, ensure_ascii=False))
        self.tool = tool
        self.error = error


class NoRecording(ToolFailed):
    """A read was made that the corrected run did not make, so nobody knows what it would have given."""


class ReplayEnded(RuntimeError):
    """The case is over, as after a timeout, and nothing is answered any more."""


class RecordedTools(Mapping[str, Callable[..., Any]]):
    """The tools of one case in a replay; nothing is ever executed.

    `tools.call("look_up", id=7)` and `tools["look_up"](id=7)` are the same, `await tools.acall(...)` and
    `tools.awaited["look_up"]` their counterparts; any name can be called, known or not. What is answered:

    - a call equal to a recorded one (tool and arguments; numbers by value) what was recorded, result or error; recorded
      several times, one after the other, and then the last again;
    - another call of a tool that writes `{"intercepted": true}`, and it counts as a successful call;
    - another call of a tool that reads the error `no recording`, and the call is marked `diverged`;
    - another call of which nobody knows, because no `effects` are declared at all, `{"intercepted": true}` too, and it
      is marked `diverged`, because what follows may rest on it.

    `effects` maps tools to `read` or `write`; once any is declared, all others write. An error is raised as
    `ToolFailed`, or with `errors="return"` given back as `{"error": ...}`. Threads may share one.
    """

    def __init__(
        self,
        recorded: Sequence[Mapping[str, Any]] = (),
        effects: Mapping[str, str] | None = None,
        *,
        errors: Literal["raise", "return"] = "raise",
    ) -> None:
        self._recorded: dict[str, list[_Recording]] = {}
        for call in recorded:
            self._recorded.setdefault(call["tool"], []).append(_Recording(call))
        self._effects = dict(effects or {})
        self._raises = errors == "raise"
        self._made: list[Call] = []
        self._ended = False
        self._lock = threading.Lock()
        self.awaited = AwaitedTools(self)

    @classmethod
    def of(
        cls,
        case: Record,
        effects: Mapping[str, str] | None = None,
        *,
        errors: Literal["raise", "return"] = "raise",
    ) -> Self:
        """The tools of a claimed case; `effects` came with the claim."""
        recorded = cast("Sequence[Mapping[str, Any]]", case.raw.get("tools", ()))
        return cls(recorded, effects, errors=errors)

    @property
    def calls(self) -> list[Call]:
        """The calls made so far, in order, as a result takes them; results that were recorded are left out."""
        with self._lock:
            return [dict(call) for call in self._made]

    def call(self, tool: str, /, **args: Any) -> Any:
        """Call a tool; the arguments are JSON, and what is none is a ValueError that names the place."""
        settled: dict[str, Any] = json.loads(encode(args, "args"))
        with self._lock:
            if self._ended:
                raise ReplayEnded(f"{tool} was called after the case had ended.")
            recording = self._recording(tool, settled)
            made, answer = self._unseen(tool) if recording is None else recording.answer()
            self._made.append({"tool": tool, "args": settled, **made})
        if "error" not in made:
            return answer
        if not self._raises:
            return {"error": answer}
        raise (NoRecording if "diverged" in made else ToolFailed)(tool, answer)

    async def acall(self, tool: str, /, **args: Any) -> Any:
        """Call a tool where tools are awaited."""
        return self.call(tool, **args)

    def end(self) -> None:
        """Answer nothing any more: every further call raises `ReplayEnded`."""
        with self._lock:
            self._ended = True

    def __getitem__(self, tool: str) -> Callable[..., Any]:
        def called(**args: Any) -> Any:
            return self.call(tool, **args)

        called.__name__ = called.__qualname__ = tool
        return called

    def __contains__(self, tool: object) -> bool:
        return tool in self._recorded or tool in self._effects

    def __iter__(self) -> Iterator[str]:
        """The tools that were recorded or declared; others can be called all the same."""
        return iter(dict.fromkeys((*self._recorded, *self._effects)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _recording(self, tool: str, args: Mapping[str, Any]) -> "_Recording | None":
        """The first equal recording that was not given yet, else the last equal one."""
        found = None
        for recording in self._recorded.get(tool, ()):
            if same(recording.args, args):
                found = recording
                if not recording.given:
                    break
        return found

    def _unseen(self, tool: str) -> tuple[Call, Any]:
        """How a call is kept that was not recorded, and what it is answered."""
        if self._effects.get(tool) == "read":
            return {"error": NO_RECORDING, "diverged": True}, NO_RECORDING
        kept: Call = {"result": {"intercepted": True}}
        return kept if self._effects else {**kept, "diverged": True}, {"intercepted": True}


class AwaitedTools(Mapping[str, Callable[..., Awaitable[Any]]]):
    """The same tools, each as a function that is awaited."""

    def __init__(self, tools: RecordedTools) -> None:
        self._tools = tools

    def __getitem__(self, tool: str) -> Callable[..., Awaitable[Any]]:
        async def called(**args: Any) -> Any:
            return self._tools.call(tool, **args)

        called.__name__ = called.__qualname__ = tool
        return called

    def __contains__(self, tool: object) -> bool:
        return tool in self._tools

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)


class _Recording:
    """One recorded call, and whether it was given already."""

    def __init__(self, call: Mapping[str, Any]) -> None:
        self.args = cast("Mapping[str, Any]", call.get("args") or {})
        self.given = False
        self._call = call

    def answer(self) -> tuple[Call, Any]:
        """How the call is kept, and a copy of what was recorded, so that nobody changes it for the next."""
        self.given = True
        error = self._call.get("error")
        if error is not None and error is not False:
            return {"error": error}, _copied(error)
        return {}, _copied(self._call.get("result"))


def _copied(value: Any) -> Any:
    return json.loads(json.dumps(value))
