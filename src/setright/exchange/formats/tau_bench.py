"""Trajectories of tau-bench: a JSON array with a run of an agent on a task, at a trial, in each entry."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from setright.exchange.entries import Entry, entries
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.opened import arguments

ERRORS = ("Error:", "Unknown action ")
"""How tau-bench begins what a failed tool gives back: there is no other mark."""

Fields = dict[str, Any]
_NONE = object()


class _Odd(ValueError):
    """Why an entry is no run: a JSON Pointer into it, and what is wrong there."""


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file, and what of it could not be read.

    An entry is `{task_id, trial, reward, info, traj}`; `traj` are the messages in the form of OpenAI's chat, `info`
    holds what the task expected, or `error` and `traceback` when the run broke off. The trial is the version that ran.
    Messages are kept as they are; task and reward become tags. What the task expected is no content of the run, and
    nobody's correction of it either: it is not read.
    """
    for entry in entries(stream):
        if isinstance(entry, Unread):
            yield entry
            continue
        try:
            yield from _run(entry)
        except _Odd as odd:
            yield Unread(entry.place, str(odd))


def fits(value: Any) -> bool:
    """Whether a value is such an entry."""
    return isinstance(value, dict) and {"task_id", "trial", "traj"} <= cast("Fields", value).keys()


def _run(entry: Entry) -> Iterator[ReadRun | Unread]:
    if not isinstance(entry.value, dict):
        raise _Odd("is not an object with task_id, trial and traj")
    fields = cast("Fields", entry.value)
    task, trial, messages = _task(fields), _trial(fields), _messages(fields)
    calls, oddities = _calls(messages)
    said: Fields = {"tags": [f"task-{task}", *_reward(fields)], "messages": messages, "calls": calls}
    said |= _ends(fields, messages)
    asked = [message.get("content") for message in messages if message["role"] == "user"]
    if asked:
        said["input"] = asked[0]
    user = _inner(_inner(fields, "info"), "task").get("user_id")
    if isinstance(user, str) and user:
        said["participantId"] = user
    yield ReadRun(f"{task}-{trial}", f"trial-{trial}", entry.place, entry.size, said)
    yield from (Unread(f"{entry.place}, {pointer}", reason) for pointer, reason in oddities)


def _task(fields: Fields) -> str | int:
    task = _required(fields, "task_id")
    if isinstance(task, bool) or not isinstance(task, str | int):
        raise _Odd("/task_id: is no number and no text")
    return task


def _trial(fields: Fields) -> int:
    trial = _required(fields, "trial")
    if isinstance(trial, bool) or not isinstance(trial, int):
        raise _Odd("/trial: is no whole number")
    return trial


def _messages(fields: Fields) -> list[Fields]:
    messages = _required(fields, "traj")
    if not isinstance(messages, list):
        raise _Odd("/traj: is no array of messages")
    for place, message in enumerate(cast("list[Any]", messages)):
        if not isinstance(message, dict) or not isinstance(cast("Fields", message).get("role"), str):
            raise _Odd(f"/traj/{place}: is not an object with a role")
    return cast("list[Fields]", messages)


def _required(fields: Fields, name: str) -> Any:
    found = fields.get(name, _NONE)
    if found is _NONE:
        raise _Odd(f"/{name}: is missing")
    return found


def _inner(fields: Fields, name: str) -> Fields:
    found = fields.get(name)
    return cast("Fields", found) if isinstance(found, dict) else {}


def _reward(fields: Fields) -> list[str]:
    reward = fields.get("reward")
    return [f"reward-{reward:g}"] if isinstance(reward, int | float) else []


def _ends(fields: Fields, messages: Sequence[Fields]) -> Fields:
    """How the run ended: with the last text of the agent, or with what broke it off."""
    info = _inner(fields, "info")
    if "error" in info:
        broke = {name: info[name] for name in ("error", "traceback") if name in info}
        return {"status": "failed", "output": broke}
    texts = [message.get("content") for message in messages if message["role"] == "assistant"]
    said = [text for text in texts if isinstance(text, str) and text]
    return {"status": "completed", "output": said[-1] if said else None}


def _calls(messages: Sequence[Fields]) -> tuple[list[Fields], list[tuple[str, str]]]:
    """The calls in order, each with the result that stands next to it, and what is odd about them with its pointer."""
    calls: list[Fields] = []
    oddities: list[tuple[str, str]] = []
    waiting: list[tuple[Any, Fields]] = []
    for place, message in enumerate(messages):
        if message["role"] in ("tool", "function"):
            call = _called(waiting, message.get("tool_call_id"))
            if call is None:
                reason = "is a tool's result with no call before it; it is kept among the messages"
                oddities.append((f"/traj/{place}", reason))
            else:
                content = message.get("content")
                failed = isinstance(content, str) and content.startswith(ERRORS)
                call["error" if failed else "result"] = content
            continue
        waiting = []
        for pointer, made in _made(message, f"/traj/{place}"):
            call, odd = _call(made, pointer)
            calls.append(call)
            waiting.append((made.get("id"), call))
            oddities += odd
    return calls, oddities


def _called(waiting: list[tuple[Any, Fields]], call_id: Any) -> Fields | None:
    """The call that a result belongs to: of those just made the one with this id, where that names one, else the next.

    Ids count only among calls made side by side: over a whole run they are used again.
    """
    if not waiting:
        return None
    named = [place for place, (known, _) in enumerate(waiting) if known == call_id]
    return waiting.pop(named[0] if len(named) == 1 else 0)[1]


def _made(message: Fields, pointer: str) -> Iterator[tuple[str, Fields]]:
    """The calls that a message makes, with their pointers."""
    made = message.get("tool_calls")
    if made is None and isinstance(message.get("function_call"), dict):
        yield f"{pointer}/function_call", {"function": message["function_call"]}
    if made is None:
        return
    if not isinstance(made, list):
        raise _Odd(f"{pointer}/tool_calls: is no array of calls")
    for place, call in enumerate(cast("list[Any]", made)):
        if not isinstance(call, dict):
            raise _Odd(f"{pointer}/tool_calls/{place}: is no call")
        yield f"{pointer}/tool_calls/{place}", cast("Fields", call)


def _call(made: Fields, pointer: str) -> tuple[Fields, list[tuple[str, str]]]:
    function = _inner(made, "function")
    tool, given = function.get("name"), function.get("arguments")
    if not isinstance(tool, str) or not tool:
        raise _Odd(f"{pointer}: names no tool")
    args, reason = arguments(given)
    return {"tool": tool, "args": args}, [(f"{pointer}/function/arguments", reason)] if reason else []
