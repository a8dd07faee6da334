"""Rollouts of Codex: a line for each item of a session, as it is kept to go on with it later."""

from collections.abc import Iterator
from typing import Any

from setright.exchange.calls import text_of
from setright.exchange.entries import Entry
from setright.exchange.kinds import is_object
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.records import records
from setright.exchange.said import moment, name
from setright.exchange.turns import Turn

Fields = dict[str, Any]
AGENT = "codex"
_LINES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ITEMS = frozenset(
    {
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "local_shell_call",
        "custom_tool_call",
        "custom_tool_call_output",
        "web_search_call",
        "ghost_snapshot",
    }
)
_NOT_ASKED = ("<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md instructions")


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file: each begins with what a person asked, and holds what came of it until the next time.

    What Codex tells the model of its surroundings is kept among the messages and asks nothing. Events repeat what the
    items say; they are passed over. In files from before October 2025 the items stand alone, without a line around.
    """
    reading = _Reading()
    for entry in records(stream):
        if isinstance(entry, Unread):
            yield entry
        else:
            yield from reading.line(entry)
    yield from reading.close()


def fits(value: Any) -> bool:
    """Whether a value is a line of a rollout."""
    if not is_object(value):
        return False
    fields = value
    if is_object(fields.get("payload")) and str(fields.get("type")) in _LINES:
        return True
    if fields.get("record_type") == "state" or ("timestamp" in fields and "instructions" in fields):
        return True
    return str(fields.get("type")) in _ITEMS and "sessionId" not in fields


class _Reading:
    """A rollout being read: its session, and the turn that is going on."""

    def __init__(self) -> None:
        self._session: str | None = None
        self._version: str | None = None
        self._turn: Turn | None = None
        self._ahead: list[Fields] = []
        self._count = 0

    def line(self, entry: Entry) -> Iterator[ReadRun | Unread]:
        if not fits(entry.value):
            yield Unread(entry.place, "is no line of a rollout, which would have a type and a payload")
            return
        fields = entry.value
        item = fields.get("payload", fields)
        kind = fields.get("type")
        if kind == "session_meta" or "instructions" in item:
            self._session = name(item.get("id")) or self._session
            self._version = name(item.get("cli_version")) or self._version
        if str(item.get("type")) not in _ITEMS or kind in ("event_msg", "turn_context", "session_meta"):
            return
        if self._session is None:
            yield Unread(entry.place, "comes before the line that says which session it is; it is not read")
            return
        yield from entry.oddities()
        yield from self._take(entry, item, moment(fields.get("timestamp")))

    def close(self) -> Iterator[ReadRun | Unread]:
        """The turn that is still going on when the file ends."""
        if self._turn is not None:
            yield from self._turn.done(AGENT, [f"session-{self._session}"])
        self._turn = None

    def _take(self, entry: Entry, item: Fields, at: str | None) -> Iterator[ReadRun | Unread]:
        asks = _asks(item)
        turn = self._turn
        if turn is None and not asks:
            # What stands before the first question is told with it.
            self._ahead.append(item)
            return
        if turn is None or (asks and turn.answered):
            yield from self.close()
            self._count += 1
            turn = Turn(f"{self._session}/{self._count}", entry.place, self._version)
            turn.messages += [_message(one) for one in self._ahead]
            self._ahead = []
        elif turn.is_full:
            yield from self.close()
            turn = turn.goes_on(entry.place)
        self._turn = turn
        turn.size += entry.size
        if asks:
            turn.asked.append(text_of(item))
        turn.answered = turn.answered or not asks
        turn.messages.append(_message(item))
        taken = turn.calls.read(_call(item), entry.place)
        if at is not None:
            for call in taken.made:
                call["startedAt"] = at
            for call in taken.answered:
                call["endedAt"] = at


def _asks(item: Fields) -> bool:
    """Whether an item is what a person asked."""
    if item.get("type") != "message" or item.get("role") != "user":
        return False
    text = text_of(item)
    return text is not None and not text.lstrip().startswith(_NOT_ASKED)


def _message(item: Fields) -> Fields:
    """An item as a message: those without a role are the model's own, results are a tool's."""
    if isinstance(item.get("role"), str) and item["role"]:
        return item
    role = "tool" if str(item.get("type")).endswith("_output") else "assistant"
    return {**item, "role": role}


def _call(item: Fields) -> Fields:
    """An item in whose outcome it says whether its command failed, as that is a text of JSON there."""
    if item.get("type") == "web_search_call":
        return {
            "type": "function_call",
            "name": "web_search",
            "arguments": item.get("action"),
            "id": item.get("id"),
        }
    return item
