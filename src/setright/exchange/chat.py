"""Tool calls and their results, wherever they stand in what a model was told and said, in any vendor's form."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from setright.exchange.kinds import is_list, is_object
from setright.exchange.opened import opened

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Made:
    """A call that a model made: its tool, its arguments as they stand there, and the id it has, if any."""

    tool: str
    args: Any
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class Got:
    """What a tool gave back: for which call, if that is said, and whether it is said to have failed."""

    content: Any
    call_id: str | None = None
    tool: str | None = None
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that stands where a call should, and names no tool."""

    value: Any


_DEFINITIONS = frozenset(
    {"tools", "functions", "function_declarations", "tool_definitions", "toolDefinitions"}
)
_MAKING = frozenset(
    {
        "tool_use",
        "server_tool_use",
        "mcp_tool_use",
        "function_call",
        "custom_tool_call",
        "mcp_call",
        "tool_call",
        "tool-call",
        "server_tool_call",
        "FunctionCall",
    }
)
_GIVING = frozenset(
    {
        "tool_result",
        "mcp_tool_result",
        "function_call_output",
        "custom_tool_call_output",
        "local_shell_call_output",
        "tool_call_response",
        "server_tool_call_response",
        "tool-result",
        "tool_return",
    }
)
_LISTS = frozenset({"tool_calls", "toolCalls", "invalid_tool_calls"})
_NAMES = ("name", "toolName", "tool_name", "function_name")
_ARGS = ("arguments", "args", "input")
_IDS = ("tool_call_id", "toolCallId", "call_id", "tool_use_id", "toolUseId", "source_call_id", "id")
_CONTENTS = ("content", "output", "result", "response")
_NONE = object()


def found_in(value: Any) -> Iterator[Made | Got | Broken]:
    """The calls and results in a value, in its order; JSON that stands there as text is opened once.

    Arguments and results are not looked into, nor are descriptions of tools: what an agent works on may look like a
    call and is none.
    """
    yield from _walk(opened(value), within="")


def _walk(value: Any, within: str) -> Iterator[Made | Got | Broken]:
    if is_list(value):
        for inner in value:
            yield from _walk(inner, within)
        return
    if not is_object(value):
        if within in _LISTS and value is not None:
            yield Broken(value)
        return
    fields = value
    got = _got(fields)
    made = None if got is not None else _made(fields, within)
    if got is None and made is None and within in _LISTS:
        yield Broken(fields)
        return
    if got is not None or made is not None:
        yield from (one for one in (made, got) if one is not None)
        if made is not None and "output" in fields and fields.get("type") == "mcp_call":
            yield Got(fields["output"], made.call_id, made.tool, bool(fields.get("error")))
        return
    for name, inner in fields.items():
        if name in _DEFINITIONS or (name == "additional_kwargs" and fields.get("tool_calls")):
            continue
        yield from _walk(opened(inner) if name in ("content", "parts") else inner, name)


def _made(fields: Fields, within: str) -> Made | None:
    kind = _word(fields.get("type"))
    if kind == "local_shell_call":
        return Made("local_shell", fields.get("action"), _text(fields, _IDS))
    if kind in _MAKING or within in _LISTS or ("toolCallId" in fields and "toolName" in fields):
        return _named(fields)
    inner = fields.get("function")
    if is_object(inner) and "arguments" in inner:
        return _named(inner, of=fields)
    for name in ("functionCall", "function_call", "toolUse"):
        inner = fields.get(name)
        if is_object(inner):
            return _named(inner, of=fields)
    return None


def _named(fields: Fields, of: Mapping[str, Any] | None = None) -> Made | None:
    for known in ("function", "tool_call"):
        inner = fields.get(known)
        if is_object(inner):
            return _named(inner, of=fields)
    tool = _text(fields, _NAMES)
    if tool is None:
        return None
    args = next((fields[name] for name in _ARGS if name in fields), None)
    call_id = _text(fields, _IDS) or (None if of is None else _text(of, _IDS))
    return Made(tool, args, call_id)


def _got(fields: Fields) -> Got | None:
    kind = _word(fields.get("type"))
    role = _word(fields.get("role"))
    if kind in _GIVING or role in ("tool", "function") or (kind == "tool" and "tool_call_id" in fields):
        inner = fields.get("parts", fields.get("content"))
        if is_list(inner) and any(_is_result(one) for one in inner):
            return None
        return _given(fields)
    for name in ("functionResponse", "function_response", "toolResult"):
        inner = fields.get(name)
        if is_object(inner):
            return _given(inner)
    return None


def _is_result(part: Any) -> bool:
    return is_object(part) and _got(part) is not None


def _given(fields: Fields) -> Got:
    content = next((fields[name] for name in _CONTENTS if fields.get(name, _NONE) is not _NONE), None)
    failed = (
        fields.get("is_error") is True or fields.get("isError") is True or fields.get("status") == "error"
    )
    return Got(content, _text(fields, _IDS), _text(fields, _NAMES), failed)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _text(fields: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((found for name in names if isinstance(found := fields.get(name), str) and found), None)
