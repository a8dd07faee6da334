"""Trajectories in the Agent Trajectory Interchange Format (ATIF 1.4 to 1.7): a session of an agent in steps."""

from collections.abc import Iterator, Sequence
from typing import Any

from setright.exchange.calls import Calls, last_text
from setright.exchange.chat import Got
from setright.exchange.entries import Entry
from setright.exchange.kinds import is_list, is_object, listed
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.records import records
from setright.exchange.said import UNVERSIONED, moment, name

Fields = dict[str, Any]
_ROLES = {"user": "user", "agent": "assistant", "system": "system"}


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file: an entry is a trajectory `{session_id, agent, steps}`, or an object that holds several.

    A trajectory that another one refers to is that one's sub-agent: its calls stand in the other's run, behind the call
    that started it, and name it. One that nothing refers to is a run of its own.
    """
    for entry in records(stream):
        if isinstance(entry, Unread):
            yield entry
        else:
            yield from _entry(entry)


def fits(value: Any) -> bool:
    """Whether a value is a trajectory or holds some."""
    return any(True for _ in _trajectories(value, ""))


def _trajectories(value: Any, pointer: str) -> Iterator[tuple[str, Fields]]:
    if not is_object(value):
        return
    fields = value
    if is_list(fields.get("steps")) and is_object(fields.get("agent")):
        yield pointer, fields
        children = fields.get("subagent_trajectories")
        for place, one in enumerate(children if is_list(children) else ()):
            yield from _trajectories(one, f"{pointer}/subagent_trajectories/{place}")
        return
    for known, inner in fields.items():
        for place, one in enumerate(inner if is_list(inner) else [inner]):
            where = f"{pointer}/{known}/{place}" if is_list(inner) else f"{pointer}/{known}"
            if is_object(one) and is_list(one.get("steps")):
                yield from _trajectories(one, where)


def _entry(entry: Entry) -> Iterator[ReadRun | Unread]:
    found = list(_trajectories(entry.value, ""))
    if not found:
        yield Unread(entry.place, "holds no trajectory, which would have an agent and steps")
        return
    yield from entry.oddities()
    # A session may stand in several trajectories, as ATIF lets a sub-agent go on under its parent's id.
    by_id = {key: one for _, one in reversed(found) for key in _keys(one)}
    children = {
        id(by_id[ref])
        for _, one in found
        for ref in _references(one)
        if ref in by_id and by_id[ref] is not one
    }
    roots = [pair for pair in found if id(pair[1]) not in children]
    for pointer, trajectory in roots or found[:1]:
        yield from _Reading(entry, by_id).run(pointer, trajectory)


def _keys(trajectory: Fields) -> list[str]:
    return [key for known in ("trajectory_id", "session_id") if isinstance(key := trajectory.get(known), str)]


def _references(trajectory: Fields) -> Iterator[str]:
    for step in trajectory["steps"]:
        for result in _results(step):
            yield from _subagents(result)


def _results(step: Any) -> list[Fields]:
    observation = step.get("observation") if is_object(step) else None
    results = observation.get("results") if is_object(observation) else None
    return [one for one in results if is_object(one)] if is_list(results) else []


def _subagents(result: Fields) -> Iterator[str]:
    for ref in listed(result.get("subagent_trajectory_ref")):
        if is_object(ref):
            yield from (
                str(ref[known])
                for known in ("trajectory_id", "session_id")
                if isinstance(ref.get(known), str)
            )


class _Reading:
    """One trajectory being read with its sub-agents, each once."""

    def __init__(self, entry: Entry, by_id: dict[str, Fields]) -> None:
        self._entry = entry
        self._by_id = by_id
        self._seen: set[int] = set()
        self._calls = Calls()
        self._messages: list[Fields] = []

    def run(self, pointer: str, trajectory: Fields) -> Iterator[ReadRun | Unread]:
        steps: Sequence[Any] = trajectory["steps"]
        self._seen.add(id(trajectory))
        self._read(steps, pointer, agent=None)
        messages = self._messages
        agent = trajectory["agent"]
        spoken = [one for one in messages if one["role"] == "assistant" and "agent" not in one]
        said: Fields = {"messages": messages, "calls": self._calls.found, "status": "completed"}
        said["output"] = last_text(spoken)
        asked = next((one["content"] for one in messages if one["role"] == "user"), None)
        if asked is not None:
            said["input"] = asked
        source = trajectory.get("session_id") or trajectory.get("trajectory_id")
        place = f"{self._entry.place}{pointer and ', ' + pointer}"
        if not isinstance(source, str):
            yield Unread(place, "/session_id: is missing; nothing else tells this trajectory apart")
            return
        version = name(agent.get("version")) or UNVERSIONED
        yield ReadRun(source, version, place, self._entry.size, said, name(agent.get("name")))
        yield from (Unread(f"{self._entry.place}, {where}", reason) for where, reason in self._calls.odd)

    def _read(self, steps: Sequence[Any], pointer: str, agent: str | None) -> None:
        for number, step in enumerate(steps):
            where = f"{pointer}/steps/{number}"
            if not is_object(step):
                self._calls.odd.append((where, "is no step; it is not read"))
                continue
            self._step(step, where, agent)

    def _step(self, step: Fields, where: str, agent: str | None) -> None:
        if not step.get("is_copied_context"):
            role = _ROLES.get(str(step.get("source")), "system")
            by = {} if agent is None else {"agent": agent}
            self._messages.append({**step, **by, "role": role, "content": step.get("message")})
        taken = self._calls.read({"tool_calls": step.get("tool_calls")}, where, agent)
        for call in taken.made:
            if (began := moment(step.get("timestamp"))) is not None:
                call["startedAt"] = began
        for result in _results(step):
            self._result(result, where)

    def _result(self, result: Fields, where: str) -> None:
        call_id = result.get("source_call_id")
        children = [self._by_id[ref] for ref in _subagents(result) if ref in self._by_id]
        if isinstance(call_id, str) and "content" in result:
            self._calls.give(Got(result["content"], call_id), where)
        elif "content" in result:
            # ATIF lets a result belong to no call: what the surroundings told of themselves.
            self._messages.append({"role": "tool", "content": result["content"]})
        for child in children:
            if id(child) not in self._seen:
                self._seen.add(id(child))
                agent = child["agent"].get("name")
                self._read(child["steps"], f"{where}, sub-agent", name(agent) or "sub-agent")
