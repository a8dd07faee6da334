"""The MCP server itself: which tools a caller sees, how a call becomes a result, and how it fails."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from setright.faces.mcp import arguments, briefing, refusals, words
from setright.faces.mcp.arguments import ToolFault
from setright.faces.mcp.ledger import Ledger
from setright.faces.mcp.lessons import RULES
from setright.faces.mcp.tool import Tool
from setright.kernel import json
from setright.kernel.errors import Refusal

Context = ServerRequestContext[Any, Any]
Enter = Callable[[Context], Awaitable[Ledger]]
"""Who calls, found out for each request anew."""
Crashed = Callable[[Exception, str], None]
"""Told of a crash and where it was."""

HOUR_MS = 3_600_000
BROKEN = "The ledger failed at this call; what became of it is not known. Call again with the same arguments."


def build(tools: Sequence[Tool], enter: Enter, crashed: Crashed) -> Server[Any]:
    """The server with these tools, in this order; `enter` gives each request the ledger of its caller."""
    answers = _Answers(tools, enter, crashed)
    return Server(
        "setright",
        version=version("setright"),
        title=words.TITLE,
        description=words.DESCRIPTION,
        instructions=words.INSTRUCTIONS,
        cache_hints={"tools/list": CacheHint(HOUR_MS, "private")},
        get_tool_input_schema=answers.schema_of,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
    )


class _Answers:
    """What the server answers to each method."""

    def __init__(self, tools: Sequence[Tool], enter: Enter, crashed: Crashed) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._enter = enter
        self._crashed = crashed

    def schema_of(self, name: str) -> dict[str, Any] | None:
        """The schema of a tool's arguments, None where there is no such tool."""
        return self._tools[name].schema if name in self._tools else None

    async def list_tools(
        self, ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """The tools that the token's scopes allow, always in one order and on one page."""
        scopes = (await self._entered(ctx)).caller.actor.scopes
        return types.ListToolsResult(
            tools=[listed(tool) for tool in self._tools.values() if not tool.missing(scopes)]
        )

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """A call; an unknown tool is an error of the protocol, whatever else is refused one of the tool."""
        tool = self._tools.get(params.name)
        if tool is None:
            known = ", ".join(self._tools)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name[:100]!r}. Tools: {known}.")
        ledger = await self._entered(ctx)
        try:
            return await called(tool, ledger, params.arguments or {})
        except Exception as error:  # noqa: BLE001 - the caller gets a sentence, the log the place
            self._crashed(error, f"mcp {tool.name}")
            return failed(BROKEN)

    async def list_resources(
        self, _ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """The rules, as one resource."""
        return briefing.RESOURCES

    async def list_templates(
        self, _ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """The rules of each agent."""
        return briefing.TEMPLATES

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """A briefing."""
        return await _in_words(briefing.read_resource(await self._allowed(ctx), params.uri))

    async def list_prompts(
        self, _ctx: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """The two prompts."""
        return briefing.PROMPTS

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """A prompt with its arguments in it."""
        ledger = await self._allowed(ctx)
        return await _in_words(briefing.get_prompt(ledger, params.name, params.arguments or {}))

    async def _entered(self, ctx: Context) -> Ledger:
        return await _in_words(self._enter(ctx))

    async def _allowed(self, ctx: Context) -> Ledger:
        ledger = await self._entered(ctx)
        if RULES.missing(ledger.caller.actor.scopes):
            raise MCPError(types.INVALID_REQUEST, f"This needs the scopes {' and '.join(RULES.scopes)}.")
        return ledger


def listed(tool: Tool) -> types.Tool:
    """A tool as it is listed."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.schema,
        output_schema=dict(tool.result),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
        _meta={"anthropic/alwaysLoad": True} if tool.always_load else None,
    )


async def called(tool: Tool, ledger: Ledger, given: Mapping[str, Any]) -> types.CallToolResult:
    """What a call comes to; whatever is refused is an error in words, without structured content."""
    if tool.missing(ledger.caller.actor.scopes):
        return failed(
            f"{tool.name} needs a token with the scopes {' and '.join(tool.scopes)}; ask whoever made yours."
        )
    try:
        answer = await tool.does(replace(ledger, tool=tool.name), arguments.read(tool.takes, given))
    except ToolFault as fault:
        return failed(str(fault))
    except Refusal as refusal:
        return failed(refusals.told(refusal))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text) for text in told(tool, answer)],
        structured_content=answer,
    )


def failed(text: str) -> types.CallToolResult:
    """A call that did nothing, and why."""
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def told(tool: Tool, answer: Mapping[str, Any]) -> list[str]:
    """The same answer as text, complete, for clients that show only that."""
    empty = next((sentence for name, sentence in tool.nothing.items() if not answer[name]), None)
    texts = [empty or (json.write_text(answer) if tool.text is None else answer[tool.text])]
    if "next_page_token" in answer:
        texts.append(f"There are more: call {tool.name} again with page_token={answer['next_page_token']}")
    return texts


async def _in_words(doing: Awaitable[Any]) -> Any:
    """What is awaited; a refusal becomes an error of the protocol, in words."""
    try:
        return await doing
    except ToolFault as fault:
        raise MCPError(types.INVALID_PARAMS, str(fault)) from None
    except Refusal as refusal:
        raise MCPError(types.INVALID_PARAMS, refusals.told(refusal)) from None
