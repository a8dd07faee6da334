"""The ways in which one request reaches the server: both eras of the protocol, as bytes over HTTP and by the official client."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import mcp
from pydantic import BaseModel

from tests.mcp.asking import Asking, in_era

NEW = "2026-07-28"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""What the headers of a message in the new era repeat of its parameters."""
Answer = Mapping[str, Any]
"""The body of an answer: a `result`, or an `error`."""
Way = Callable[[Asking, str, dict[str, Any]], Answer]


def bare(asking: Asking, method: str, params: dict[str, Any]) -> Answer:
    """A message of the first era over HTTP, without a handshake before it."""
    return over_http(asking, method, params, era="old").json()


def enveloped(asking: Asking, method: str, params: dict[str, Any]) -> Answer:
    """A message of the new era over HTTP: what it is stands in its envelope and in its headers."""
    return over_http(asking, method, params, era="new").json()


def over_http(asking: Asking, method: str, params: Mapping[str, Any], *, era: str, **headers: str) -> Any:
    """The response to a message of an era; whatever JSON can write is sent, NaN and halves of surrogates too."""
    whole = {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)}
    if era == "new":
        whole["params"]["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": NEW,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        }
        headers = {"mcp-protocol-version": NEW, "mcp-method": method, **headers}
        if method in NAMED:
            headers["mcp-name"] = params[NAMED[method]]
    given = {
        "authorization": f"Bearer {asking.caller.token}",
        "content-type": "application/json",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return asking.caller.client.post("/mcp", content=json.dumps(whole).encode(), headers=given)


async def _asked(client: mcp.Client, method: str, params: dict[str, Any]) -> BaseModel:
    match method:
        case "tools/call":
            return await client.call_tool(params["name"], params.get("arguments"))
        case "tools/list":
            return await client.list_tools(cursor=params.get("cursor"))
        case "resources/read":
            return await client.read_resource(params["uri"])
        case _:
            return await client.get_prompt(params["name"], params.get("arguments"))


def client_in(era: str) -> Way:
    """The official client, in this process, which speaks this era."""

    def ask(asking: Asking, method: str, params: dict[str, Any]) -> Answer:
        async def doing(client: mcp.Client) -> Answer:
            try:
                result = await _asked(client, method, params)
            except mcp.MCPError as error:
                return {"error": error.error.model_dump()}
            return {"result": result.model_dump(by_alias=True, exclude_none=True, mode="json")}

        return in_era(asking, era, doing)

    return ask


ERAS = {"old": bare, "new": enveloped}
CLIENTS = {"old client": client_in("legacy"), "new client": client_in("auto")}
WAYS = {**ERAS, **CLIENTS}
