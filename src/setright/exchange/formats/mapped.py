"""JSON of any form, of which a mapping says where the parts of a run stand."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from pydantic import AfterValidator

from setright.exchange.calls import Calls
from setright.exchange.entries import Entry
from setright.exchange.kinds import is_list, is_object
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.opened import arguments, opened
from setright.exchange.records import records
from setright.exchange.said import UNVERSIONED, ended, first_asked, messages_of, moment, name, tags
from setright.kernel.canonical import digest
from setright.kernel.fields import Fault, Input, optional, required
from setright.kernel.pointers import pointer_fault, resolve

Fields = dict[str, Any]


def _pointer(text: str) -> str:
    fault = pointer_fault(text)
    if fault is not None:
        raise Fault("", fault, 'a text such as "/task/id"')
    return text


Pointer = Annotated[str, AfterValidator(_pointer)]


class CallMapping(Input):
    """Where the calls of a run stand, and their parts within each of them."""

    at: Pointer = required("The list of calls.")
    tool: Pointer = required("The name of the tool, within a call.")
    args: Pointer | None = optional("What it was called with: an object, or its JSON as text.")
    result: Pointer | None = optional("What it gave back.")
    error: Pointer | None = optional("How it failed; null or missing: it did not.")
    started_at: Pointer | None = optional("When it began, RFC 3339 with an offset.")
    ended_at: Pointer | None = optional("When it ended, RFC 3339 with an offset.")


class Mapping(Input):
    """Where the parts of a run stand in an entry, by JSON Pointer (RFC 6901)."""

    id: Pointer | None = optional("What tells the run apart in its source; left out, its content.")
    agent: Pointer | None = optional("The agent that ran; left out, it is given with the import.")
    version: Pointer | None = optional(f"Which version ran; left out or missing: {UNVERSIONED}.")
    input: Pointer | None = optional("What came in; left out, the first message of a user.")
    output: Pointer | None = optional("What came out; left out, the last text of the agent.")
    messages: Pointer | None = optional("The conversation: a list of objects with a role.")
    calls: CallMapping | None = optional("The calls; left out, they are looked for in the messages.")
    error: Pointer | None = optional("What broke the run; null, false or missing: nothing did.")
    participant_id: Pointer | None = optional("The app's id of its end user.")
    tags: list[Pointer] | None = optional("Words about it: texts, numbers, or lists of them.")


def reader(mapping: Mapping) -> Callable[[Stream], Iterator[ReadRun | Unread]]:
    """What reads the runs of a file as a mapping says."""

    def read(stream: Stream) -> Iterator[ReadRun | Unread]:
        for entry in records(stream):
            if isinstance(entry, Unread):
                yield entry
            elif not is_object(entry.value):
                yield Unread(entry.place, "is no object")
            else:
                yield from _Reading(mapping, entry).run()

    return read


class _Reading:
    """One entry being read as a mapping says."""

    def __init__(self, mapping: Mapping, entry: Entry) -> None:
        self._mapping = mapping
        self._entry = entry
        self._odd: list[tuple[str, str]] = []

    def run(self) -> Iterator[ReadRun | Unread]:
        mapping, entry = self._mapping, self._entry
        given = opened(self._at(mapping.messages))
        messages = messages_of(given)
        if is_list(given) and len(messages) < len(given):
            self._odd.append((str(mapping.messages), "holds messages without a role, which are not read"))
        said: Fields = {"calls": self._calls(messages)}
        if messages:
            said["messages"] = messages
        asked = self._at(mapping.input) if mapping.input is not None else first_asked(messages)
        if asked is not None:
            said["input"] = asked
        error = self._at(mapping.error)
        said |= ended(messages, error or None)
        if mapping.output is not None and not error:
            said["output"] = self._at(mapping.output)
        said |= tags(word for pointer in mapping.tags or () for word in _words(self._at(pointer)))
        person = _word(self._at(mapping.participant_id))
        if person is not None:
            said["participantId"] = person
        source = _word(self._at(mapping.id)) if mapping.id is not None else digest(entry.value)[:32]
        if source is None:
            yield Unread(
                f"{entry.place}, {mapping.id}", "holds nothing that tells the run apart; it is not read"
            )
            return
        version = _word(self._at(mapping.version)) or UNVERSIONED
        yield ReadRun(source, version, entry.place, entry.size, said, _word(self._at(mapping.agent)))
        yield from entry.oddities()
        yield from (Unread(f"{entry.place}, {pointer}", reason) for pointer, reason in self._odd)

    def _at(self, pointer: str | None) -> Any:
        return None if pointer is None else _find(self._entry.value, pointer)

    def _calls(self, messages: list[Fields]) -> list[Fields]:
        where = self._mapping.calls
        if where is None:
            calls = Calls()
            for place, message in enumerate(messages):
                calls.read(message, f"{self._mapping.messages}/{place}")
            self._odd += calls.odd
            return calls.found
        rows = opened(self._at(where.at))
        if rows is None:
            return []
        if not is_list(rows):
            self._odd.append((where.at, "is no list of calls; none is read"))
            return []
        found = [self._call(where, row, f"{where.at}/{place}") for place, row in enumerate(rows)]
        return [call for call in found if call is not None]

    def _call(self, where: CallMapping, row: Any, pointer: str) -> Fields | None:
        tool = _word(_find(row, where.tool))
        if tool is None:
            self._odd.append((pointer, f"has no tool at {where.tool}; the call is not read"))
            return None
        args, reason = arguments(None if where.args is None else _find(row, where.args))
        if reason is not None:
            self._odd.append((f"{pointer}{where.args}", reason))
        call: Fields = {"tool": tool, "args": args}
        error = None if where.error is None else _find(row, where.error)
        if error is not None and error is not False:
            call["error"] = error
        elif where.result is not None and (result := _find(row, where.result, _NONE)) is not _NONE:
            call["result"] = result
        for known, at in (("startedAt", where.started_at), ("endedAt", where.ended_at)):
            found = None if at is None else moment(_find(row, at))
            if found is not None:
                call[known] = found
        return call


_NONE = object()


def _find(value: Any, pointer: str, default: Any = None) -> Any:
    there, found = resolve(value, pointer)
    return found if there else default


def _word(value: Any) -> str | None:
    return name(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _words(value: Any) -> list[str]:
    those = value if is_list(value) else [value]
    return [word for one in those if (word := _word(one)) is not None]
