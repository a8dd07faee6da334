"""The one record in two spellings: camelCase as HTTP writes it, snake_case with the words that tools use."""

import re
from collections.abc import Mapping
from typing import Any, cast

TO_TOOLS = {"tenantId": "account_id", "projectId": "space_id"}
"""Where tools have another word than HTTP; every other name is only spelled another way."""
TO_HTTP = {tool: http for http, tool in TO_TOOLS.items()}
KEPT = frozenset({"args", "match", "input", "output", "result", "messages", "values"})
"""What callers named themselves: nothing below these is spelled another way."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def tool_name(http: str) -> str:
    """The name that tools use for a field of the HTTP API."""
    return TO_TOOLS.get(http) or _HUMP.sub("_", http).lower()


def http_name(tool: str) -> str:
    """The name that the HTTP API uses for a tool's argument."""
    first, *rest = tool.split("_")
    return TO_HTTP.get(tool) or first + "".join(part.capitalize() for part in rest)


def for_tools(value: Any) -> Any:
    """A value of the HTTP API as tools write it."""
    return _spelled(value, tool_name)


def for_http(value: Any) -> Any:
    """Arguments of a tool as the HTTP API's body; a name that is camelCase already stays so."""
    return _spelled(value, http_name)


def _spelled(value: Any, name_of: Any) -> Any:
    if isinstance(value, list):
        return [_spelled(entry, name_of) for entry in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    return {
        name_of(name): inside if name in KEPT else _spelled(inside, name_of)
        for name, inside in cast("Mapping[str, Any]", value).items()
    }


def place(pointer: str) -> str:
    """A JSON Pointer into a body as the place in a tool's arguments: `/shouldCall/0/tool` is `should_call[0].tool`."""
    first, *rest = pointer.removeprefix("/").split("/")
    below = (f"[{part}]" if part.isdecimal() else f".{part}" for part in rest)
    return "".join([tool_name(first), *below])
