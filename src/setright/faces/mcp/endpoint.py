"""MCP over HTTP: the door of /mcp, and the official transport behind it, one request at a time and without sessions."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from setright.app.assemble import RunningApp
from setright.app.callers import Caller
from setright.faces.http.doors import check_accept, check_media_type
from setright.faces.http.envelope import envelope
from setright.faces.http.errors import MethodNotAllowed
from setright.faces.http.guard import told_crash
from setright.faces.http.protected_resource import ProtectedResource
from setright.faces.http.request import Message, Request
from setright.faces.mcp import server, table
from setright.faces.mcp.ledger import Ledger
from setright.faces.mcp.tool import READ_LESSONS
from setright.kernel import json
from setright.kernel.answer import Answer
from setright.kernel.errors import Kind, Refusal, ScopeMissing

CALLER = "setright.caller"
ASKS_FOR_RULES = frozenset({"resources/read", "prompts/get"})
"""Methods that read the rules, and need what corrections_rules needs."""


class Endpoint:
    """Answers what comes to /mcp, after host and origin; token, rate and body are checked as everywhere else."""

    def __init__(self, app: RunningApp, caller: Callable[[Request], Awaitable[Caller]], log: Any) -> None:
        self._app = app
        self._caller = caller
        self._resource = ProtectedResource(app)
        self._most = app.settings.max_body_bytes
        self._tools = {tool.name: tool for tool in table.chosen(app.settings.mcp_tools)}

        async def enter(ctx: server.Context) -> Ledger:
            asked: Any = ctx.request
            return Ledger(app, asked.scope[CALLER])

        def crashed(error: Exception, place: str) -> None:
            log.error("crash", route=place, **told_crash(error))

        self._server = server.build(tuple(self._tools.values()), enter, crashed)

    async def answer(self, request: Request) -> Answer:
        """The answer to one message; what a token may not do is a challenge that names all the scopes it lacks."""
        if request.method != "POST":
            raise MethodNotAllowed(
                "The path /mcp takes POST only: one message, one answer, no streams.", {"allowed": ["POST"]}
            )
        check_accept(request, "application/json")
        check_media_type(request)
        raw = await request.body(self._most)
        scopes = self._scopes(raw)
        try:
            caller = await self._app.performer.confirm(await self._caller(request))
            self._check(caller, scopes)
        except Refusal as refusal:
            return _challenge(refusal, request, self._resource.challenge(scopes or READ_LESSONS))
        return await self._through(request, raw, caller)

    def _scopes(self, raw: bytes) -> tuple[str, ...]:
        """The scopes that a message needs; one that cannot be read needs none, and is refused behind the door."""
        message = _message(raw)
        params: Any = message.get("params")
        named = cast("Mapping[str, Any]", params).get("name") if isinstance(params, dict) else None
        if message.get("method") == "tools/call" and isinstance(named, str) and named in self._tools:
            return self._tools[named].scopes
        method = message.get("method")
        return READ_LESSONS if isinstance(method, str) and method in ASKS_FOR_RULES else ()

    def _check(self, caller: Caller, scopes: tuple[str, ...]) -> None:
        missing = [scope for scope in scopes if scope not in caller.actor.scopes]
        if missing and "admin" not in caller.actor.scopes:
            raise ScopeMissing(
                f"The token lacks {' and '.join(missing)}.",
                {"needs": [*scopes], "has": sorted(caller.actor.scopes)},
            )

    async def _through(self, request: Request, raw: bytes, caller: Caller) -> Answer:
        given, sent = [raw], list[Message]()

        async def receive() -> Message:
            if given:
                return {"type": "http.request", "body": given.pop(), "more_body": False}
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": request.http_version,
            "method": request.method,
            "scheme": "http",
            "path": "/mcp",
            "raw_path": b"/mcp",
            "query_string": b"",
            "headers": _headers(request),
            "client": request.client,
            CALLER: caller,
        }
        # A transport a request: nothing is kept between two, so nothing has to be started, stopped or found again.
        transport = StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=self._most
        )
        async with transport.run():
            await transport.handle_request(scope, receive, send)
        start, *parts = sent
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"]]
        return Answer(
            start["status"],
            b"".join(part.get("body", b"") for part in parts),
            tuple((name, value) for name, value in headers if name.lower() != "content-length"),
        )


def _headers(request: Request) -> list[tuple[bytes, bytes]]:
    """The headers without the blanks around their values (RFC 9110, section 5.5); a doubled one stays doubled."""
    whole = [(name, value.strip(b" \t")) for name, value in request.headers.items()]
    return [*whole, *(header for header in whole if header[0] in request.doubled)]


def _message(raw: bytes) -> Mapping[str, Any]:
    try:
        read: object = json.read(raw)
    except Refusal:
        return {}
    return cast("Mapping[str, Any]", read) if isinstance(read, dict) else {}


def _challenge(refusal: Refusal, request: Request, would_do: str) -> Answer:
    """A refusal whose header says which token would do (RFC 6750, section 3; the scopes of MCP's authorization)."""
    answer = envelope(refusal, request.request_id)
    if refusal.kind not in (Kind.UNAUTHENTICATED, Kind.FORBIDDEN):
        return answer
    error = {"auth-missing": "", "scope-missing": 'error="insufficient_scope", '}.get(
        refusal.code, 'error="invalid_token", '
    )
    kept = tuple(header for header in answer.headers if header[0] != "WWW-Authenticate")
    return Answer(answer.status, answer.body, (*kept, ("WWW-Authenticate", f"Bearer {error}{would_do}")))
