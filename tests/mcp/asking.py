"""Asking over MCP: tools over HTTP as the seed prints its calls, and the official client in both eras of the protocol."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import mcp
import mcp_types as types
from mcp.server.lowlevel.server import Server

from setright.faces.mcp import server, table
from setright.faces.mcp.ledger import Ledger
from setright.identity import present
from tests.http.support import Caller

T = TypeVar("T")
ERAS = ("auto", "legacy")


class ToolFailed(AssertionError):
    """The tool answered with an error; the message is its text."""


@dataclass(frozen=True)
class Asking:
    """A caller who asks over MCP."""

    caller: Caller

    def message(self, method: str, params: dict[str, Any] | None = None, **headers: str) -> Any:
        """The HTTP response to one bare message, without a handshake."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        return self.caller.post("/mcp", body, headers=headers)

    def result(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The whole result of a call."""
        answer = self.message("tools/call", {"name": tool, "arguments": arguments})
        assert answer.status_code == 200, answer.text
        return answer.json()["result"]

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that went well."""
        result = self.result(tool, **arguments)
        if result["isError"]:
            raise ToolFailed(result["content"][0]["text"])
        return result["structuredContent"]

    def refused(self, tool: str, **arguments: Any) -> str:
        """The text with which a call was refused; there is no structured content beside it."""
        result = self.result(tool, **arguments)
        assert result["isError"], result
        assert "structuredContent" not in result
        return result["content"][0]["text"]


def in_era(asking: Asking, era: str, doing: Callable[[mcp.Client], Awaitable[T]]) -> T:
    """What comes of working with the official client, in this process, in one era of the protocol."""

    async def whole() -> T:
        async with mcp.Client(built(asking), mode="legacy" if era == "legacy" else "auto") as client:
            return await doing(client)

    return asyncio.run(whole())


def built(asking: Asking) -> Server[Any]:
    """The server with every tool, on which only this caller asks."""
    app, presented = asking.caller.app, present(asking.caller.token)

    async def enter(_: server.Context) -> Ledger:
        return Ledger(
            app, await asyncio.wrap_future(app.store.read(lambda at: app.callers.read(at, presented)))
        )

    def crashed(error: Exception, _: str) -> None:
        raise error

    return server.build(table.TOOLS, enter, crashed)


def words(result: types.CallToolResult) -> str:
    """All the text of a result."""
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))


def text_of(result: types.ReadResourceResult) -> str:
    """The text of the one content of a resource."""
    (content,) = result.contents
    assert isinstance(content, types.TextResourceContents)
    return content.text
