"""Transcripts of Claude Code: a line for each message of a session, with the tools that it used."""

from collections.abc import Iterator
from typing import Any

from setright.exchange.entries import Entry
from setright.exchange.kinds import is_list, is_object
from setright.exchange.model import ReadRun, Stream, Unread
from setright.exchange.records import records
from setright.exchange.said import has_role, moment, name
from setright.exchange.turns import Turn

Fields = dict[str, Any]
AGENT = "claude-code"
_TYPES = frozenset({"user", "assistant"})


def read(stream: Stream) -> Iterator[ReadRun | Unread]:
    """The runs of a file: each begins with a prompt, and holds what came of it until the next one.

    Lines of a sub-agent (side chains) belong to the run of the prompt that they were started for, and their calls name
    it. Lines that are no messages (summaries, snapshots of files, the state of the program) are passed over.
    """
    reading = _Reading()
    for entry in records(stream):
        if isinstance(entry, Unread):
            yield entry
        else:
            yield from reading.line(entry)
    yield from reading.close()


def fits(value: Any) -> bool:
    """Whether a value is a line of such a transcript."""
    if not is_object(value):
        return False
    if value.get("type") == "summary":
        return "leafUuid" in value
    return "sessionId" in value and ("uuid" in value or str(value.get("type")) not in _TYPES)


class _Reading:
    """A transcript being read: the turn that is going on, and what its sub-agents are called."""

    def __init__(self) -> None:
        self._turn: Turn | None = None
        self._session = ""
        self._tasks: list[str] = []

    def line(self, entry: Entry) -> Iterator[ReadRun | Unread]:
        fields = entry.value if is_object(entry.value) else {}
        if not fits(entry.value):
            yield Unread(entry.place, "is no line of a transcript, which would have a sessionId and a uuid")
            return
        if str(fields.get("type")) not in _TYPES:
            return
        message = fields.get("message")
        if not has_role(message) or "content" not in message:
            yield Unread(entry.place, "/message: is no message with a role and content; the line is not read")
            return
        yield from entry.oddities()
        yield from self._take(entry, fields, message)

    def close(self) -> Iterator[ReadRun | Unread]:
        """The turn that is still going on when the file ends."""
        if self._turn is not None:
            yield from self._turn.done(AGENT, [f"session-{self._session}"])
        self._turn = None

    def _take(self, entry: Entry, fields: Fields, message: Fields) -> Iterator[ReadRun | Unread]:
        session = str(fields["sessionId"])
        beside = bool(fields.get("isSidechain"))
        asks = (
            not beside
            and message["role"] == "user"
            and not fields.get("isMeta")
            and _asks(message["content"])
        )
        turn = self._turn
        if turn is None or session != self._session or (asks and turn.answered):
            yield from self.close()
            self._session = session
            turn = Turn(f"{session}/{fields['uuid']}", entry.place)
        elif turn.is_full:
            yield from self.close()
            turn = turn.goes_on(entry.place)
        self._turn = turn
        turn.size += entry.size
        turn.version = turn.version or name(fields.get("version"))
        if asks:
            turn.asked.append(message["content"])
        if not beside and message["role"] == "assistant":
            turn.answered = True
        self._calls(turn, fields, message, entry.place, self._side(fields) if beside else None)

    def _calls(self, turn: Turn, fields: Fields, message: Fields, place: str, agent: str | None) -> None:
        turn.messages.append(message if agent is None else {**message, "agent": agent})
        taken = turn.calls.read(message, place, agent)
        at = moment(fields.get("timestamp"))
        for call in taken.made:
            task = call["args"].get("subagent_type")
            if isinstance(task, str) and task:
                self._tasks.append(task)
        if at is not None:
            for call in taken.made:
                call["startedAt"] = at
            for call in taken.answered:
                call["endedAt"] = at

    def _side(self, fields: Fields) -> str:
        """What the sub-agent of a line is called: as it was started, else by its own id."""
        return name(self._tasks[-1] if self._tasks else None, fields.get("agentId")) or "sub-agent"


def _asks(content: Any) -> bool:
    """Whether a user's message is a person's, and not only the results of tools."""
    if not is_list(content):
        return True
    kinds = [part.get("type") if is_object(part) else "text" for part in content]
    return any(kind != "tool_result" for kind in kinds)
