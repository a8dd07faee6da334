"""Spans of a trace, whoever recorded them, and the run that they are together."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from setright.exchange.calls import text_of
from setright.exchange.chat import Broken, Got, Made, found_in
from setright.exchange.kinds import is_list, is_object
from setright.exchange.opened import arguments, opened
from setright.exchange.said import first_asked, messages_of
from setright.kernel.canonical import canonical

Fields = dict[str, Any]
Kind = Literal["agent", "model", "tool", "other"]


@dataclass(slots=True)
class Span:
    """Something that happened within a trace; times are RFC 3339, `order` sorts by when it began."""

    id: str
    parent: str | None
    kind: Kind
    name: str
    order: tuple[Any, ...]
    started: str | None = None
    ended: str | None = None
    given: Any = None
    came_out: Any = None
    error: Any = None
    call_id: str | None = None
    tool: str | None = None
    agent: str | None = None


@dataclass(slots=True)
class Tree:
    """The spans of one trace by their parents; what stands in a circle hangs from nothing."""

    spans: list[Span]
    odd: list[str] = field(default_factory=list[str])
    _by_id: dict[str, Span] = field(default_factory=dict[str, Span])
    _around: dict[tuple[int, bool], Span | None] = field(default_factory=dict[tuple[int, bool], Span | None])

    def __post_init__(self) -> None:
        self.spans = sorted(self.spans, key=lambda span: span.order)
        self._by_id = {span.id: span for span in reversed(self.spans)}
        sound = set[str]()
        for span in self.spans:
            chain, one = set[str](), span
            while one.id not in sound and one.id not in chain:
                chain.add(one.id)
                within = self.parent(one)
                if within is None:
                    break
                if within.id in chain:
                    self.odd.append(
                        f"the span {one.id!r:.80} is within itself; it is read as one that is within none"
                    )
                    one.parent = None
                    break
                one = within
            sound |= chain

    def parent(self, span: Span) -> Span | None:
        """The span that this one is within, if it is there."""
        return self._by_id.get(span.parent) if span.parent is not None else None

    def agent_above(self, span: Span) -> Span | None:
        """The nearest span of an agent that this one is within."""
        return self._nearest(span, ("agent",), of_agents=True)

    def telling_above(self, span: Span) -> Iterator[Span]:
        """The spans of models and tools that this one is within, the nearest first."""
        within = self._nearest(span, ("model", "tool"), of_agents=False)
        while within is not None:
            yield within
            within = self._nearest(within, ("model", "tool"), of_agents=False)

    def _nearest(self, span: Span, kinds: tuple[Kind, ...], *, of_agents: bool) -> Span | None:
        """Each answer is remembered, so that a deep trace is walked once and not once for each of its spans."""
        passed, found = [span], self.parent(span)
        while found is not None and found.kind not in kinds:
            if (id(found), of_agents) in self._around:
                found = self._around[id(found), of_agents]
                break
            passed.append(found)
            found = self.parent(found)
        for one in passed:
            self._around[id(one), of_agents] = found
        return found

    @property
    def roots(self) -> list[Span]:
        """The spans that are within none that is there."""
        return [span for span in self.spans if self.parent(span) is None]

    @property
    def outermost(self) -> Span:
        """The outermost agent's span, else the first root; where several agents stand side by side, their root."""
        agents = [one for one in self.spans if one.kind == "agent" and self.agent_above(one) is None]
        return agents[0] if len(agents) == 1 else self.roots[0]

    def sub_agent(self, span: Span, outermost: Span) -> str | None:
        """The name of the sub-agent within which something happened; None for the run's own agent."""
        within = self.agent_above(span)
        return None if within is None or within is outermost else within.agent or within.name


@dataclass(slots=True, eq=False)
class _Known:
    """A call that was found: where it was made first, whether its result is not known, and whether a tool's span told it."""

    call: Fields
    made: Made
    order: tuple[Any, ...]
    number: int
    waits: bool = True
    free: bool = True

    @property
    def words(self) -> Iterator[tuple[Any, ...]]:
        """The words by which it is looked for: a call without an id is also found by one that has an id."""
        args = canonical(self.call["args"])
        yield from (("tool", self.made.tool), ("tool", self.made.tool, args))
        if self.made.call_id is not None:
            yield ("id", self.made.call_id)
        else:
            yield from (("unnamed", self.made.tool), ("unnamed", self.made.tool, args))


class _Open:
    """Calls that are open in some way, looked for by words; a call that no longer is open is dropped when it is met."""

    def __init__(self, is_open: Callable[[_Known], bool]) -> None:
        self._is_open = is_open
        self._rows = defaultdict[tuple[Any, ...], deque[_Known]](deque)

    def add(self, known: _Known) -> None:
        for word in known.words:
            self._rows[word].append(known)

    def first(self, *words: tuple[Any, ...]) -> _Known | None:
        """The earliest call that is open and has one of the words."""
        return min(filter(None, map(self._head, words)), key=lambda known: known.number, default=None)

    def _head(self, word: tuple[Any, ...]) -> _Known | None:
        row = self._rows.get(word)
        while row and not self._is_open(row[0]):
            row.popleft()
        return row[0] if row else None


class CallsOf:
    """The calls of a trace: those its models made, each once however often it is told, and those only tools tell of."""

    def __init__(self, tree: Tree, outermost: Span) -> None:
        self._tree = tree
        self._outermost = outermost
        self._known: list[_Known] = []
        self._by_key: dict[bytes, list[_Known]] = {}
        self._waiting = _Open(lambda known: known.waits)
        self._free = _Open(lambda known: known.free)
        self._told_at = defaultdict[tuple[bytes, int], list[_Known]](list)
        self._told_below = defaultdict[tuple[bytes, int], list[_Known]](list)
        self.odd: list[tuple[str, str]] = []

    def read(self) -> list[Fields]:
        """The calls in the order in which they were made."""
        models = [span for span in self._tree.spans if span.kind == "model"]
        for span in models:
            self._told(span, span.given)
            self._said(span)
        tools = [span for span in self._tree.spans if span.kind == "tool"]
        for span in tools:
            self._used(span)
        if not models and not tools:
            for span in self._tree.spans:
                self._told(span, span.given)
                self._told(span, span.came_out)
        return [known.call for known in sorted(self._known, key=lambda known: known.order)]

    def _said(self, span: Span) -> None:
        """What a model said: calls of its own, unless the span around it or within it told of them already."""
        counts: dict[bytes, int] = {}
        for found in found_in(span.came_out):
            if isinstance(found, Made):
                key = _key(found)
                counts[key] = counts.get(key, 0) + 1
                same = self._told_around(span, key)
                if len(same) < counts[key]:
                    self._add(found, span)
                else:
                    self._tells(span, key, same[counts[key] - 1])
            elif isinstance(found, Got):
                self._answer(found)
            else:
                self._broken(span, found)

    def _told_around(self, span: Span, key: bytes) -> list[_Known]:
        """The same calls that the span itself, one around it or one within it told of, the earliest first."""
        found = {one.number: one for one in self._told_below.get((key, id(span)), ())}
        if key in self._by_key:
            for place in (span, *self._tree.telling_above(span)):
                found |= {one.number: one for one in self._told_at.get((key, id(place)), ())}
        return [found[number] for number in sorted(found)]

    def _tells(self, span: Span, key: bytes, known: _Known) -> None:
        self._told_at[key, id(span)].append(known)
        for above in self._tree.telling_above(span):
            self._told_below[key, id(above)].append(known)

    def _told(self, span: Span, value: Any) -> None:
        """What a model was told of what had been: calls that nothing else tells of, and results."""
        counts: dict[bytes, int] = {}
        for found in found_in(value):
            if isinstance(found, Made):
                key = _key(found)
                counts[key] = counts.get(key, 0) + 1
                if len(self._by_key.get(key, ())) < counts[key]:
                    self._add(found, span)
            elif isinstance(found, Got):
                self._answer(found)
            else:
                self._broken(span, found)

    def _add(self, made: Made, span: Span) -> _Known:
        args, reason = arguments(made.args)
        call: Fields = {"tool": made.tool, "args": args}
        agent = self._tree.sub_agent(span, self._outermost)
        if agent is not None:
            call["agent"] = agent
        if reason is not None:
            self.odd.append((span.id, f"the arguments of the call of {made.tool!r:.80}: {reason}"))
        number = len(self._known)
        known = _Known(call, made, (*span.order, number), number)
        self._known.append(known)
        self._waiting.add(known)
        self._free.add(known)
        self._by_key.setdefault(_key(made), []).append(known)
        self._tells(span, _key(made), known)
        return known

    def _broken(self, span: Span, _found: Broken) -> None:
        self.odd.append((span.id, "makes a call that names no tool; it is not among the calls"))

    def _answer(self, got: Got) -> None:
        if got.call_id is None:
            known = self._waiting.first(("tool", got.tool))
        else:
            known = self._waiting.first(("id", got.call_id), ("unnamed", got.tool))
        if known is not None:
            known.call["error" if got.failed else "result"] = got.content
            known.waits = False

    def _used(self, span: Span) -> None:
        """A tool's span: the call that a model made, with its result and times, or a call that nothing else tells of."""
        made = Made(span.tool or span.name, opened(span.given), span.call_id)
        same = self._same(made)
        if same is None and span.tool is None and span.given is None:
            self.odd.append(
                (span.id, "is of a tool, and says neither which nor what it was given; it is no call")
            )
            return
        if same is None:
            same = self._add(made, span)
        same.free = False
        call = same.call
        if span.error is not None:
            call.pop("result", None)
            call["error"] = span.error
        elif span.came_out is not None or same.waits:
            call.pop("error", None)
            call["result"] = span.came_out
        same.waits = False
        for name, at in (("startedAt", span.started), ("endedAt", span.ended)):
            if at is not None:
                call[name] = at

    def _same(self, made: Made) -> _Known | None:
        """The call that a tool's span tells of: by its id, else one without an id, with these arguments or any."""
        by_id = self._free.first(("id", made.call_id)) if made.call_id is not None else None
        if by_id is not None:
            return by_id
        word = "tool" if made.call_id is None else "unnamed"
        args = canonical(_plain(made.args))
        return self._free.first((word, made.tool, args)) or self._free.first((word, made.tool))


def _plain(given: Any) -> Fields:
    """The arguments that a tool's span tells, without what some recorders put around them."""
    args, _ = arguments(given)
    inner = args.get("input")
    return inner if len(args) == 1 and is_object(inner) else args


def _key(made: Made) -> bytes:
    args, _ = arguments(made.args)
    return canonical([made.call_id, made.tool, args])


def content(tree: Tree, given: Any, came_out: Any) -> tuple[Fields, list[tuple[str, str]]]:
    """The content of the run that a trace is, and what was odd: `given` and `came_out` are what the trace says of itself.

    Where it says nothing, the first thing that a model was asked and the last that one said are the input and output.
    """
    outermost = tree.outermost
    calls = CallsOf(tree, outermost)
    said: Fields = {"calls": calls.read()}
    models = [span for span in tree.spans if span.kind == "model"]
    own = [span for span in models if tree.sub_agent(span, outermost) is None] or models
    messages = [*messages_of(opened(own[-1].given)), *messages_of(opened(own[-1].came_out))] if own else []
    if messages:
        said["messages"] = messages
    given = _first(
        given, outermost.given, next((first_asked(messages_of(opened(one.given))) for one in own), None)
    )
    if given is not None:
        said["input"] = _asked(given)
    last = own[-1].came_out if own else None
    said |= _end(outermost, _first(came_out, outermost.came_out, last))
    return said, calls.odd


def _asked(given: Any) -> Any:
    """What came in: of a conversation, what a user said first."""
    messages = messages_of(given) if is_list(given) else []
    return (first_asked(messages) or given) if messages else given


def _first(*values: Any) -> Any:
    return next((opened(value) for value in values if value is not None), None)


def _end(outermost: Span, came_out: Any) -> Fields:
    if outermost.error is not None and came_out is None:
        return {"status": "failed", "output": {"error": outermost.error}}
    answer = came_out if isinstance(came_out, str) else answered(came_out)
    if answer is not None and is_list(came_out) and len(messages_of(came_out)) == len(came_out):
        came_out = answer
    said: Fields = {"status": "completed" if outermost.error is None else "failed", "output": came_out}
    if answer is not None and not isinstance(came_out, str):
        said["answer"] = answer
    return said


def answered(value: Any) -> str | None:
    """The text that the last message in an output says, where it is one of a known form."""
    if is_object(value):
        choices = value.get("choices")
        if is_list(choices) and choices and is_object(choices[0]):
            return text_of(choices[0].get("message"))
        for name in ("messages", "output"):
            inner = value.get(name)
            if is_list(inner):
                return answered(inner)
        content = value.get("content")
        return text_of(content) if isinstance(content, str | dict | list) else None
    if is_list(value):
        texts = [text for one in value if is_object(one) and (text := answered(one) or text_of(one))]
        return texts[-1] if texts else None
    return None
