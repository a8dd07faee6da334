"""The run that the spans of one trace are."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from setright.exchange.otlp.model import Log, Received
from setright.exchange.otlp.vocabularies import is_of_an_agent, span_of
from setright.exchange.said import UNVERSIONED, name, tags
from setright.exchange.spans import Span, Tree, content

Fields = dict[str, Any]
_AGENT, _VERSION, _SESSION = (
    "gen_ai.agent.name",
    "gen_ai.agent.version",
    ("gen_ai.conversation.id", "session.id"),
)
_PERSON = ("user.id", "enduser.id")


@dataclass(frozen=True, slots=True)
class TraceRun:
    """A run as a trace tells it: which agent, at which version, its content, and what was odd."""

    agent: str
    version: str
    said: Fields
    odd: list[str]


def tree_of(spans: Sequence[Received], logs: Sequence[Log]) -> Tree:
    """The spans of a trace as a tree, each with its events."""
    of_span = defaultdict[str, list[Log]](list)
    for log in logs:
        of_span[log.span_id].append(log)
    return Tree([span_of(span, of_span[span.span_id]) for span in spans])


def run_of(spans: Sequence[Received], logs: Sequence[Log]) -> TraceRun | None:
    """The run of a trace; None where nothing in it is of an agent, a model or a tool."""
    if not any(is_of_an_agent(span) for span in spans):
        return None
    tree = tree_of(spans, logs)
    outermost = tree.outermost
    received = next(span for span in spans if span.span_id == outermost.id)
    said, odd = content(tree, None, None)
    known = {**received.resource, **received.attributes}
    session = name(*(known.get(word) for word in _SESSION))
    said |= tags([f"session-{session}"] if session else ())
    person = name(*(known.get(word) for word in _PERSON))
    if person is not None:
        said["participantId"] = person
    agent = name(
        received.attributes.get(_AGENT),
        _own(outermost),
        received.resource.get("service.name"),
        outermost.name,
    )
    version = name(received.attributes.get(_VERSION), received.resource.get("service.version")) or UNVERSIONED
    return TraceRun(
        agent or "unnamed", version, said, [*tree.odd, *(f"span {span}: {reason}" for span, reason in odd)]
    )


def _own(outermost: Span) -> str | None:
    return outermost.agent if outermost.kind == "agent" else None


def has_ended(spans: Sequence[Received], logs: Sequence[Log]) -> bool:
    """Whether the outermost span of a trace is there: one within none, or whose parent is in another process.

    A span comes when it has ended, so what is within a span that is missing may go on.
    """
    if not spans:
        return False
    outermost = tree_of(spans, logs).outermost
    received = next(span for span in spans if span.span_id == outermost.id)
    there = {span.span_id: span for span in spans}
    seen, above = set[str](), received
    while above.span_id not in seen and above.parent_id in there:
        seen.add(above.span_id)
        above = there[above.parent_id]
    return above.parent_id is None or above.span_id in seen or above.is_entry
