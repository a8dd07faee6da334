"""The one way of every request: what is checked, in which order, and who answers."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

from setright.app.assemble import RunningApp
from setright.app.callers import Caller
from setright.app.catalog import Operation, Query
from setright.app.keys import MOST_KEY, Key, key_of
from setright.app.perform import Call, Question
from setright.app.rates import Mistakes, Rates
from setright.faces.http.doors import Doors, check_accept, check_media_type
from setright.faces.http.entry import Entry
from setright.faces.http.errors import MethodNotAllowed
from setright.faces.http.mcp_door import PATH, McpDoor
from setright.faces.http.metrics import Metrics
from setright.faces.http.openapi import document
from setright.faces.http.otlp_door import OtlpDoor
from setright.faces.http.parameters import PageQuery, invalid_parameters
from setright.faces.http.request import Request
from setright.faces.http.route import Asked, Nothing, OpenRoute, Route
from setright.faces.http.routes.server import Server
from setright.faces.http.routing import Router
from setright.faces.http.show import One
from setright.identity import AuthInvalid, AuthMissing, hash_of, present
from setright.kernel import json
from setright.kernel.answer import Answer
from setright.kernel.errors import ChangedMeanwhile, Kind, Refusal, fault_at, refuse_faults
from setright.kernel.fields import Input, validate
from setright.kernel.paging import Place

HEAVY_BYTES = 128 * 1024
"""Above this, reading a body takes as long as tens of small requests."""

_ANY_TAG = re.compile(r'(W/)?"[^"]*"\Z')
_OUR_TAG = re.compile(r'"[0-9]{1,18}"\Z')


class _EveryState(frozenset[int]):
    """What `If-Match: *` names: whatever state the thing is in."""

    def __contains__(self, _state: object) -> bool:
        return True


_EVERY = _EveryState()


class Pipeline:
    """Answers requests; the order is that of the contract.

    Route 404 or 405, Host 421, Origin 403, Accept 406, media type 415, size 413; token 401; rate 429; then in
    `app.perform` the kept answer, the body 400, the scope 403 and the room's own checks.
    """

    def __init__(
        self, app: RunningApp, routes: Sequence[Route | OpenRoute], metrics: Metrics, log: Any
    ) -> None:
        self._app = app
        self._doors = Doors(app.settings)
        entry = Entry(app, self._doors)
        self._server = Server(
            app, metrics, lambda: document(routes), self.caller, self._doors.is_local, entry
        )
        self._router = Router(routes)
        self._mcp = McpDoor(app, self.caller, log)
        self._otlp = OtlpDoor(app, self.caller)
        self._mistakes = Mistakes()
        self._rates = Rates(app.settings.rate_per_second, app.settings.rate_burst)
        self._most = app.settings.max_body_bytes

    async def answer(self, request: Request) -> Answer:
        """The answer to a request; whatever is refused is raised as a Refusal."""
        if request.raw_path == PATH:
            request.pattern = PATH.decode()
            self._doors.check_host(request)
            self._doors.check_origin(request)
            return await self._mcp.answer(request)
        if self._otlp.accepts(request):
            self._doors.check_host(request)
            self._doors.check_origin(request)
            return await self._otlp.answer(request)
        try:
            route, request.path = self._router.find(request.method, request.raw_path)
        except MethodNotAllowed as refusal:
            if request.method != "OPTIONS":
                raise
            self._doors.check_host(request)
            return Answer(204, headers=(("Allow", ", ".join(refusal.details["allowed"])),))
        request.pattern = route.path
        self._doors.check_host(request)
        self._doors.check_origin(request)
        if isinstance(route, OpenRoute):
            check_accept(request, route.produces)
            return await route.answer(self._server, request)
        check_accept(request, "application/json")
        if isinstance(route.does, Query):
            return await self._read(route, route.does, request)
        return await self._write(route, route.does, request)

    async def _write(self, route: Route, operation: Operation, request: Request) -> Answer:
        caller, raw, key = await self._sent(route, request)

        def arguments() -> Mapping[str, Any]:
            return route.arguments(self._asked(route, request, caller, raw))

        try:
            heavy = len(raw) > HEAVY_BYTES
            call = Call(operation, arguments, caller, route.show.answer, key, heavy, _via(route))
            return await self._app.performer.perform(call)
        except ChangedMeanwhile as refusal:
            if isinstance(route.show, One):
                refusal.details = route.show.state(refusal.current)
            raise

    async def _sent(self, route: Route, request: Request) -> tuple[Caller, bytes, Key | None]:
        """Who calls, with which body and under which key; what only reads for its caller has neither."""
        if not route.writes:
            return await self.caller(request), b"", None
        if request.has_body:
            check_media_type(request)
        caller = await self._sender(request)
        raw = await request.body(self._most)
        return caller, raw, _key(request, caller, raw)

    async def _sender(self, request: Request) -> Caller:
        """Who sends a body, asked before it is kept; that it is too large comes first all the same."""
        request.check_length(self._most)
        try:
            return await self.caller(request)
        except Refusal:
            await request.pass_over(self._most)
            raise

    async def _read(self, route: Route, query: Query, request: Request) -> Answer:
        caller = await self.caller(request)

        def arguments() -> Mapping[str, Any]:
            return route.arguments(self._asked(route, request, caller, b""))

        result = await self._app.performer.ask(Question(query, arguments, caller, _via(route)))
        about = _list_of(route, caller)
        answer = route.show.answer(result, lambda place: self._app.cursors.make(about, place))
        return _unless_known(request, answer)

    async def caller(self, request: Request) -> Caller:
        """Who asks, as the token says; counts the request against the token's rate."""
        text = request.text(b"authorization")
        if not text:
            raise AuthMissing
        scheme, _, token = text.partition(" ")
        if scheme.lower() != "bearer" or b"authorization" in request.doubled:
            raise AuthInvalid("must come in one header Authorization: Bearer srt_...")
        token, callers = token.strip(), self._app.callers
        caller = callers.remembered(hash_of(token), self._app.clock.now())
        if caller is None:
            caller = await self._let_in(token, self._doors.address_of(request))
        request.caller = caller
        self._rates.take(caller.actor.token_id)
        if callers.is_seen(caller, self._app.clock.now()):
            self._app.signing_in.see(caller.actor.tenant_id, caller.actor.token_id)
        return caller

    async def _let_in(self, token: str, address: str) -> Caller:
        """Whom a token that is not remembered lets in; an address that is mistaken too often is not looked at."""
        self._mistakes.check(address)
        try:
            issuer = self._app.issuer
            if issuer is not None and issuer.could_be(token):
                presented = await issuer.vouch(token)
            else:
                presented = present(token)
            read = self._app.store.read(lambda at: self._app.callers.read(at, presented))
            return await asyncio.wrap_future(read)
        except Refusal as refusal:
            if refusal.kind is Kind.UNAUTHENTICATED:
                self._mistakes.count(address)
            raise

    def _asked(self, route: Route, request: Request, caller: Caller, raw: bytes) -> Asked:
        """The request's parameters, cursor and body, each checked; refuses with every fault of the first that has any."""
        query = route.reader.read(request.query)
        after: Place | None = None
        if isinstance(query, PageQuery) and query.cursor is not None:
            after = self._app.cursors.read(_list_of(route, caller), query.cursor)
        return Asked(request.path, query, _body(route, raw), after, _known(request))


def _via(route: Route) -> str:
    """The route as a log of reads tells it."""
    return f"{route.method} {route.path}"


def _body(route: Route, raw: bytes) -> Input | None:
    if raw:
        return validate(route.body or Nothing, json.read(raw))
    if route.body is None:
        return None
    if route.optional_body:
        return validate(route.body, {})
    raise refuse_faults([fault_at("", "is empty", "a JSON object")])


def _known(request: Request) -> frozenset[int] | None:
    """The states that If-Match names; a tag that is none of ours, or weak, names no state. Refuses what is no tag."""
    given = request.text(b"if-match")
    if given is None:
        return None
    if given == "*":
        return _EVERY
    tags = [tag.strip() for tag in given.split(",")]
    if not all(_ANY_TAG.match(tag) for tag in tags):
        allowed = "an ETag as it was sent, in its quotation marks, or *"
        raise invalid_parameters([{"parameter": "If-Match", "fault": "is no ETag", "allowed": allowed}])
    return frozenset(int(tag[1:-1]) for tag in tags if _OUR_TAG.match(tag))


def _list_of(route: Route, caller: Caller) -> str:
    """What keeps the cursors of one list in one tenant apart from all others."""
    return f"{caller.actor.tenant_id}{route.path}"


def _key(request: Request, caller: Caller, raw: bytes) -> Key | None:
    """The request's Idempotency-Key as it is stored, None without one."""
    given = request.headers.get(b"idempotency-key")
    if given is None:
        return None
    text = given.strip()
    visible = all(0x20 <= byte <= 0x7E for byte in text)
    if b"idempotency-key" in request.doubled or not 1 <= len(text) <= MOST_KEY or not visible:
        many = b"idempotency-key" in request.doubled
        fault = "is given more than once" if many else "is no key"
        raise invalid_parameters(
            [
                {
                    "parameter": "Idempotency-Key",
                    "fault": fault,
                    "allowed": f"1 to {MOST_KEY} visible ASCII characters",
                }
            ]
        )
    return key_of(caller.actor, request.method, request.raw_path, request.query, text, raw)


def _unless_known(request: Request, answer: Answer) -> Answer:
    """304 without a body when the caller already has this state of the thing."""
    known = request.text(b"if-none-match")
    stamp = next((value for name, value in answer.headers if name == "ETag"), None)
    if known is None or stamp is None:
        return answer
    tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
    return Answer(304, headers=answer.headers) if stamp in tags or known.strip() == "*" else answer
