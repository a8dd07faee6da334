"""What the attributes of a span say of it, in the words of OpenTelemetry's GenAI, OpenInference and others."""

import re
from collections.abc import Mapping
from typing import Any, Literal

Kind = Literal["agent", "model", "tool", "other"]

_KINDS: Mapping[str, Kind] = {
    "agent": "agent",
    "invoke_agent": "agent",
    "llm": "model",
    "chat": "model",
    "generate_content": "model",
    "text_completion": "model",
    "generation": "model",
    "tool": "tool",
    "execute_tool": "tool",
    "ai.toolcall": "tool",
}
_SAYS_KIND = ("gen_ai.operation.name", "openinference.span.kind", "langsmith.span.kind", "operation.name")
_TOOL = ("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name")
_NAMED = re.compile(r"(?:execute_tool|invoke_agent|agent_run|running tool:) \[?(.+?)\]?")
_CALL = ("gen_ai.tool.call.id", "tool_call.id", "ai.toolCall.id", "tool.call_id")
_AGENT = ("gen_ai.agent.name", "agent.name", "agent_name", "graph.node.id")


def kind_of(attributes: Mapping[str, Any]) -> Kind | None:
    """What a span is, None where its attributes do not say."""
    for name in _SAYS_KIND:
        found = attributes.get(name)
        if isinstance(found, str) and (kind := _KINDS.get(found.split(" ")[0].lower())):
            return kind
    if "gen_ai.tool.name" in attributes or "gen_ai.tool.call.id" in attributes:
        return "tool"
    return None


def tool_of(attributes: Mapping[str, Any]) -> str | None:
    """The name of the tool that a span used."""
    return _first(attributes, _TOOL)


def call_of(attributes: Mapping[str, Any]) -> str | None:
    """The id of the call that a tool's span answers."""
    return _first(attributes, _CALL)


def agent_of(attributes: Mapping[str, Any]) -> str | None:
    """The name of the agent of a span."""
    return _first(attributes, _AGENT)


def named(span: str) -> str:
    """What the name of a span says of what it is of: the agent or tool, where it begins with the operation."""
    found = _NAMED.fullmatch(span)
    return found[1] if found else span


def _first(attributes: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((found for name in names if isinstance(found := attributes.get(name), str) and found), None)
