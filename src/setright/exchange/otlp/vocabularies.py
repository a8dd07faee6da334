"""What a received span says as one of an agent's run: OpenTelemetry's GenAI, OpenInference, and what came before them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from setright.exchange.attributes import agent_of, call_of, kind_of, named, tool_of
from setright.exchange.kinds import is_list, is_object
from setright.exchange.moments import from_nanoseconds
from setright.exchange.opened import opened
from setright.exchange.otlp.model import Fields, Log, Received
from setright.exchange.spans import Span

DETAILS = "gen_ai.client.inference.operation.details"
EVALUATION = "gen_ai.evaluation.result"
_IN = ("gen_ai.input.messages", "gen_ai.prompt", "llm.prompts")
_OUT = ("gen_ai.output.messages", "gen_ai.completion")
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "tool.parameters",
    "input.value",
    "traceloop.entity.input",
)
_RESULT = ("gen_ai.tool.call.result", "tool_response", "output.value", "traceloop.entity.output")
_GIVEN = ("input.value", "traceloop.entity.input")
_CAME_OUT = ("final_result", "output.value", "traceloop.entity.output")
_ROLES = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CHOICE = "gen_ai.choice"
_CONTENTS = {"gen_ai.content.prompt": "gen_ai.prompt", "gen_ai.content.completion": "gen_ai.completion"}


def is_of_an_agent(span: Received) -> bool:
    """Whether a span is of an agent, a model or a tool; others are only around them."""
    if kind_of(span.attributes) is not None or "mcp.method.name" in span.attributes:
        return True
    return any(name.startswith(("gen_ai.", "llm.", "openinference.")) for name in span.attributes)


def span_of(span: Received, logs: Sequence[Log] = ()) -> Span:
    """A received span with the events that belong to it, in the words that all recorders share."""
    attributes = dict(span.attributes)
    for log in logs:
        if log.name == DETAILS:
            attributes = {**log.attributes, **attributes}
    kind = kind_of(attributes) or ("model" if _is_model(attributes) else "other")
    events = [*span.events, *((log.name, _told(log)) for log in logs)]
    given, came_out = _said(attributes, events)
    if kind == "tool":
        given, came_out = _first(attributes, _ARGUMENTS), _first(attributes, _RESULT)
    elif kind != "model":
        given = _first(attributes, _GIVEN) if given is None else given
        came_out = _first(attributes, _CAME_OUT) if came_out is None else came_out
    called = span.name or kind
    return Span(
        id=span.span_id,
        parent=span.parent_id,
        kind=kind,
        name=called,
        order=(span.started or 0, span.span_id),
        started=from_nanoseconds(span.started),
        ended=from_nanoseconds(span.ended),
        given=given,
        came_out=came_out,
        error=span.error or attributes.get("error.type"),
        call_id=call_of(attributes),
        tool=tool_of(attributes) if kind == "tool" else None,
        agent=(agent_of(attributes) or named(called)) if kind == "agent" else None,
    )


def _is_model(attributes: Mapping[str, Any]) -> bool:
    return any(name in attributes for name in (*_IN, *_OUT, "gen_ai.request.model", "llm.model_name"))


def _said(attributes: Fields, events: Iterable[tuple[str, Fields]]) -> tuple[Any, Any]:
    """What a model was told and what it said, wherever that stands."""
    asked, answers = _of_events(events)
    given = (
        _first(attributes, _IN)
        or _nested(attributes, "llm.input_messages")
        or _nested(attributes, "gen_ai.prompt")
    )
    came_out = (
        _first(attributes, _OUT)
        or _nested(attributes, "llm.output_messages")
        or _nested(attributes, "gen_ai.completion")
    )
    given = given or asked or _first(attributes, ("input.value",))
    came_out = came_out or answers or _first(attributes, ("output.value",))
    system = opened(attributes.get("gen_ai.system_instructions"))
    if system and is_list(given):
        given = [{"role": "system", "parts": system if is_list(system) else [system]}, *given]
    return given, came_out


def _of_events(events: Iterable[tuple[str, Fields]]) -> tuple[list[Any], list[Any]]:
    """Messages that were told as events: those that went in, and those that came out."""
    asked, answers = list[Any](), list[Any]()
    for name, fields in events:
        if name in _ROLES:
            asked.append({"role": _ROLES[name], **_opened(fields)})
        elif name == _CHOICE:
            message = opened(fields.get("message"))
            answers.append({"role": "assistant", **(message if is_object(message) else _opened(fields))})
        elif name in _CONTENTS:
            found = opened(fields.get(_CONTENTS[name]))
            (asked if "prompt" in name else answers).extend(found if is_list(found) else [found])
    return asked, answers


def _told(log: Log) -> Fields:
    """What a log record says: its body, where that is an object, over its attributes."""
    return {**log.attributes, **log.body} if is_object(log.body) else log.attributes


def _opened(fields: Fields) -> Fields:
    return {name: opened(value) for name, value in fields.items() if name != "role" or value}


def _first(attributes: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((opened(attributes[name]) for name in names if attributes.get(name) is not None), None)


def _nested(attributes: Mapping[str, Any], prefix: str) -> list[Any] | None:
    """The list that stands in attributes whose names are `prefix.0.name`, as OpenInference and OpenLLMetry write it."""
    tree: Fields = {}
    for name, value in attributes.items():
        if not name.startswith(f"{prefix}."):
            continue
        *path, last = name[len(prefix) + 1 :].split(".")
        at = tree
        for step in path:
            inner = at.setdefault(step, {})
            at = inner if is_object(inner) else at
        at[last] = value
    found = _listed(tree)
    if not is_list(found) or not found:
        return None
    return [one["message"] if is_object(one) and is_object(one.get("message")) else one for one in found]


def _listed(tree: Any) -> Any:
    """A tree in which objects whose names are all numbers are lists."""
    if not is_object(tree):
        return tree
    if tree and all(name.isascii() and name.isdigit() for name in tree):
        return [_listed(tree[name]) for name in sorted(tree, key=int)]
    return {name: _listed(inner) for name, inner in tree.items()}
