"""Conversations in the form of OpenAI's chat, one a line: as kept for fine-tuning, or as files of a batch."""

from collections.abc import Iterator
from typing import Any

from setright.exchange.calls import Calls
from setright.exchange.entries import Entry
from setright.exchange.kinds import is_list, is_object
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.records import records
from setright.exchange.said import UNVERSIONED, ended, first_asked, has_role, name, tags
from setright.kernel.canonical import digest

Fields = dict[str, Any]
_IDS = ("id", "custom_id", "conversation_id", "chat_id", "request_id")


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file: an entry is `{messages: [...]}`, or a request or answer of a batch that holds them.

    An entry without an id is told apart by its content, so that the same conversation twice is one run. The version is
    the entry's, else its model.
    """
    for entry in records(stream):
        if isinstance(entry, Unread):
            yield entry
        else:
            yield from _run(entry)


def fits(value: Any) -> bool:
    """Whether a value is such an entry."""
    return is_object(value) and isinstance(_body(value).get("messages"), list)


def _body(fields: Fields) -> Fields:
    inner = fields.get("body")
    return inner if is_object(inner) and "messages" not in fields else fields


def _run(entry: Entry) -> Iterator[ReadRun | Unread]:
    if not fits(entry.value):
        yield Unread(entry.place, "is no object with messages, the list of what was said")
        return
    fields = entry.value
    body = _body(fields)
    messages = [*body["messages"], *_answered(fields)]
    bad = next((place for place, one in enumerate(messages) if not has_role(one)), None)
    if bad is not None:
        yield Unread(f"{entry.place}, /messages/{bad}", "is not an object with a role; the run is not read")
        return
    calls = Calls()
    for place, message in enumerate(messages):
        calls.read(message, f"/messages/{place}")
    said: Fields = {"messages": messages, "calls": calls.found, **ended(messages, _error(fields))}
    said |= tags(fields.get("tags") if is_list(fields.get("tags")) else ())
    asked = first_asked(messages)
    if asked is not None:
        said["input"] = asked
    person = name(fields.get("user"), body.get("user"))
    if person is not None:
        said["participantId"] = person
    source = next((str(fields[known]) for known in _IDS if isinstance(fields.get(known), str | int)), None)
    version = name(fields.get("version"), body.get("model")) or UNVERSIONED
    yield ReadRun(
        source or digest(messages)[:32], version, entry.place, entry.size, said, name(fields.get("agent"))
    )
    yield from entry.oddities()
    yield from (Unread(f"{entry.place}, {pointer}", reason) for pointer, reason in calls.odd)


def _answered(fields: Fields) -> list[Any]:
    """What the model said, where an entry holds its answer beside what it was asked."""
    response: Any = fields.get("response")
    if is_object(response):
        response = response.get("body", response)
    choices = response.get("choices") if is_object(response) else None
    if not is_list(choices) or not choices or not is_object(choices[0]):
        return []
    message = choices[0].get("message")
    return [message] if is_object(message) else []


def _error(fields: Fields) -> Any:
    return fields.get("error")
