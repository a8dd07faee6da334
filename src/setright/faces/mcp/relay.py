"""A relay: an assistant's standard input and output on this side, a server's /mcp on the other; nothing is kept here."""

from collections.abc import Mapping
from importlib.metadata import version
from itertools import count
from typing import Any, TypeVar, cast

import httpx2
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from setright.faces.mcp import words
from setright.faces.mcp.streams import speak

Context = ServerRequestContext[Any, Any]
R = TypeVar("R", bound=BaseModel)
SECONDS = 30.0
RETRIES = 2


class Unreachable(Exception):
    """The server did not answer, or not as a server of ours; the message is a sentence for whoever asked."""


class Relay:
    """Passes lists, reads and calls on unchanged, and its answers back; `initialize` is answered here, at once."""

    def __init__(self, url: str, token: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._url = f"{url.rstrip('/')}/mcp"
        self._ids = count(1)
        self._client = httpx2.AsyncClient(
            timeout=SECONDS,
            transport=transport or httpx2.AsyncHTTPTransport(retries=RETRIES),
            headers={"Authorization": f"Bearer {token}", "Accept": "application/json"},
        )

    def build(self) -> Server[Any]:
        """The server that assistants see."""
        return Server(
            "setright",
            version=version("setright"),
            title=words.TITLE,
            description=words.DESCRIPTION,
            instructions=words.INSTRUCTIONS,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )

    async def list_tools(
        self, ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """The server's tools."""
        return await self._passed(ctx, types.ListToolsResult)

    async def call_tool(self, ctx: Context, _params: types.CallToolRequestParams) -> types.CallToolResult:
        """The server's answer to a call; a server that cannot be reached is an error of the tool that says so."""
        try:
            return types.CallToolResult.model_validate(await self._ask(ctx))
        except Unreachable as trouble:
            return types.CallToolResult(
                content=[types.TextContent(type="text", text=str(trouble))], is_error=True
            )

    async def list_resources(
        self, ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """The server's resources."""
        return await self._passed(ctx, types.ListResourcesResult)

    async def list_templates(
        self, ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """The server's templates of resources."""
        return await self._passed(ctx, types.ListResourceTemplatesResult)

    async def read_resource(
        self, ctx: Context, _params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """What the server has at an address."""
        return await self._passed(ctx, types.ReadResourceResult)

    async def list_prompts(
        self, ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """The server's prompts."""
        return await self._passed(ctx, types.ListPromptsResult)

    async def get_prompt(self, ctx: Context, _params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """A prompt of the server."""
        return await self._passed(ctx, types.GetPromptResult)

    async def _passed(self, ctx: Context, result: type[R]) -> R:
        try:
            return result.model_validate(await self._ask(ctx))
        except Unreachable as trouble:
            raise MCPError(types.INTERNAL_ERROR, str(trouble)) from None

    async def _ask(self, ctx: Context) -> dict[str, Any]:
        """The result of the same method with the same params at the server, whatever era the assistant speaks."""
        params = {name: value for name, value in (ctx.params or {}).items() if name != "_meta"}
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": ctx.method, "params": params}
        try:
            answer = await self._client.post(self._url, json=message)
            told: object = answer.json()
        except httpx2.HTTPError as error:
            raise Unreachable(
                f"The server {self._url} does not answer ({type(error).__name__}). Nothing was done as far as can be "
                "told here; start it, or set SETRIGHT_URL to where it is, then call again."
            ) from None
        except ValueError:
            raise Unreachable(
                f"What answers at {self._url} is no Setright server. Set SETRIGHT_URL."
            ) from None
        return _result(cast("Mapping[str, Any]", told) if isinstance(told, dict) else {}, self._url)


def _result(told: Mapping[str, Any], url: str) -> dict[str, Any]:
    if isinstance(told.get("result"), dict):
        return cast("dict[str, Any]", told["result"])
    error = told.get("error")
    if not isinstance(error, dict):
        raise Unreachable(f"What answers at {url} is no Setright server. Set SETRIGHT_URL.")
    found = cast("Mapping[str, Any]", error)
    if isinstance(found.get("code"), int):
        raise MCPError(found["code"], str(found.get("message", "")), found.get("data"))
    raise Unreachable(f"The server refused: {found.get('message')} ({found.get('code')})")


def serve(url: str, token: str) -> None:
    """Relay until standard input ends."""
    speak(Relay(url, token).build())
