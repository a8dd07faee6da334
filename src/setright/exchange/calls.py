"""The calls of a run in order, each with its own result, put together while its messages are read."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from setright.exchange.chat import Broken, Got, Made, found_in
from setright.exchange.kinds import is_list, is_object
from setright.exchange.opened import arguments

Fields = dict[str, Any]
_TEXTS = frozenset({"text", "input_text", "output_text", "message"})


@dataclass(slots=True)
class Waiting:
    """A call whose result has not come yet."""

    call_id: str | None
    tool: str
    call: Fields


@dataclass(frozen=True, slots=True)
class Taken:
    """The calls that a message makes, and those that it brings the results of."""

    made: list[Fields]
    answered: list[Fields]


@dataclass(slots=True)
class Calls:
    """The calls found so far, and what was odd about them: a pointer or place, and the reason."""

    found: list[Fields] = field(default_factory=list[Fields])
    odd: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _now: list[Waiting] = field(default_factory=list[Waiting])
    _earlier: list[Waiting] = field(default_factory=list[Waiting])

    def read(self, message: Any, place: str, agent: str | None = None) -> Taken:
        """Take in a message with the calls it makes and the results it brings.

        A result belongs to the call with its id: of those made last, if exactly one has it, else of all that wait; and
        where no id tells, to the next of those made last. Ids alone do not tell, since many tools use them again.
        """
        found = list(found_in(message))
        made = [one for one in found if isinstance(one, Made)]
        if made or not found:
            self._earlier += self._now
            self._now = []
        calls = [self.make(one, place, agent) for one in made]
        answered = list[Fields]()
        for one in found:
            if isinstance(one, Got):
                answered += [call for call in (self.give(one, place),) if call is not None]
            elif isinstance(one, Broken):
                self.odd.append((place, "makes a call that names no tool; it is kept among the messages"))
        return Taken(calls, answered)

    def make(self, made: Made, place: str, agent: str | None = None) -> Fields:
        """Take in a call, as one of those made last."""
        args, reason = arguments(made.args)
        call: Fields = {"tool": made.tool, "args": args}
        if agent is not None:
            call["agent"] = agent
        self.found.append(call)
        self._now.append(Waiting(made.call_id, made.tool, call))
        if reason is not None:
            self.odd.append((place, f"the arguments of the call of {made.tool!r:.80}: {reason}"))
        return call

    def give(self, got: Got, place: str) -> Fields | None:
        """Take in a result; the call that it belongs to, None where there is none."""
        waiting = self._belongs(got)
        if waiting is None:
            self.odd.append(
                (place, "is a tool's result with no call before it; it is kept among the messages")
            )
            return None
        waiting.call["error" if got.failed else "result"] = got.content
        return waiting.call

    @property
    def waits(self) -> bool:
        """Whether a call has no result yet."""
        return bool(self._now or self._earlier)

    def _belongs(self, got: Got) -> Waiting | None:
        for those in (self._now, self._earlier):
            named = [one for one in those if got.call_id is not None and one.call_id == got.call_id]
            if len(named) == 1 or (named and those is self._earlier):
                return _taken(those, named[-1])
        if not self._now:
            return None
        # Where two of the calls have the same id, or none has the result's, their order is all there is.
        return _taken(self._now, self._now[0])


def _taken(those: list[Waiting], one: Waiting) -> Waiting:
    those[:] = [other for other in those if other is not one]
    return one


def last_text(messages: Iterable[Any]) -> str | None:
    """The last text that the agent said, None if it said none."""
    last = None
    for message in messages:
        if is_object(message) and str(message.get("role")) in ("assistant", "model", "ai"):
            last = text_of(message) or last
    return last


def text_of(message: Any) -> str | None:
    """The text of a message, its parts put together; what is no text is passed over."""
    if isinstance(message, str):
        return message or None
    if is_list(message):
        parts = [text_of(part) for part in message]
        return "".join(part for part in parts if part) or None
    if not is_object(message) or message.get("thought") is True:
        return None
    if "role" not in message and str(message.get("type", "text")) not in _TEXTS:
        return None
    for name in ("content", "parts", "text"):
        found = text_of(message.get(name))
        if found:
            return found
    return None
