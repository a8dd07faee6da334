"""Routes of the server itself, which need no token: whether it is well, what it measures, what it offers."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any

from setright import __version__, corrections, jobs
from setright.app.assemble import RunningApp
from setright.app.callers import Caller
from setright.app.catalog import Query
from setright.app.perform import Question
from setright.app.readiness import readiness
from setright.faces.http import docs_page, schemas
from setright.faces.http.entry import Entry
from setright.faces.http.errors import LocalOnly, RouteNotFound
from setright.faces.http.metrics import TYPE, Backlogs, Metrics
from setright.faces.http.protected_resource import PATH, ProtectedResource
from setright.faces.http.request import Request
from setright.faces.http.route import OpenRoute
from setright.faces.http.wire.protected_resource import Resource
from setright.identity import AuthMissing
from setright.kernel import json
from setright.kernel.answer import Answer
from setright.kernel.errors import StorageUnavailable

HTML = "text/html; charset=utf-8"
WELCOME = {"name": "setright", "version": __version__, "docs": "/docs", "openapi": "/openapi.json"}
MEASURED_IN_SECONDS = 2
MEASURE = Query("read-metrics", "admin", bool)


class Server:
    """What the server's own routes answer from.

    `document` makes the OpenAPI document when it is first asked for; `is_local` tells requests of this machine itself;
    `entry` is where users sign in.
    """

    def __init__(
        self,
        app: RunningApp,
        metrics: Metrics,
        document: Callable[[], dict[str, Any]],
        caller: Callable[[Request], Awaitable[Caller]],
        is_local: Callable[[Request], bool],
        entry: Entry,
    ) -> None:
        self.entry = entry
        self._app = app
        self._metrics = metrics
        self._document = document
        self._caller = caller
        self._is_local = is_local

    async def welcome(self, _request: Request) -> Answer:
        """Where the pages are."""
        return Answer(200, json.write(WELCOME))

    async def health(self, _request: Request) -> Answer:
        """That the process answers."""
        return Answer(200, b'{"status":"ok"}')

    async def ready(self, _request: Request) -> Answer:
        """That the database answers, takes writes and has room for them; refuses with 503 while it does not."""
        found = await readiness(self._app)
        return Answer(
            200,
            json.write(
                {
                    "status": "ready",
                    "engine": found.engine,
                    "schemaVersion": found.schema_version,
                    "worker": "seen" if found.worker_seen else "not-seen",
                }
            ),
        )

    async def metrics(self, request: Request) -> Answer:
        """Every figure, for this machine itself or for a token with the scope admin."""
        if not self._is_local(request):
            try:
                caller = await self._caller(request)
            except AuthMissing:
                raise LocalOnly from None
            await self._app.performer.ask(Question(MEASURE, dict, caller))
        return Answer(200, self._metrics.text(await self._backlogs()), (("Content-Type", TYPE),))

    async def _backlogs(self) -> Backlogs | None:
        """What waits in the ledger, None while the database cannot be asked: the other figures are told all the same."""
        try:
            return await asyncio.wait_for(
                asyncio.wrap_future(
                    self._app.store.read(lambda at: (corrections.backlog(at), jobs.backlog(at)))
                ),
                MEASURED_IN_SECONDS,
            )
        except (StorageUnavailable, TimeoutError):
            return None

    async def resource(self, _request: Request) -> Answer:
        """How clients of /mcp find who issues tokens for it; refuses (404) where the settings name no issuer."""
        found = ProtectedResource(self._app).document()
        if found is None:
            raise RouteNotFound(
                "No issuer of access tokens is set here (oidc_issuer with public_url); use a token of this server."
            )
        return Answer(200, json.write(found))

    async def openapi(self, _request: Request) -> Answer:
        """The OpenAPI document."""
        return Answer(200, self._openapi)

    async def docs(self, _request: Request) -> Answer:
        """The OpenAPI document as a page to read."""
        headers = (("Content-Type", HTML), ("Content-Security-Policy", docs_page.POLICY))
        return Answer(200, self._docs, headers)

    @cached_property
    def _whole(self) -> dict[str, Any]:
        return self._document()

    @cached_property
    def _openapi(self) -> bytes:
        return json.write(self._whole)

    @cached_property
    def _docs(self) -> bytes:
        return docs_page.page(self._whole)


ROUTES = (
    OpenRoute(
        "/", "welcome", "Read what this is and where its pages are.", Server.welcome, answers=schemas.Welcome
    ),
    OpenRoute("/healthz", "health", "Whether the process answers.", Server.health, answers=schemas.Health),
    OpenRoute(
        "/readyz",
        "ready",
        "Whether the database answers, has a ledger in it, takes writes and has room for them.",
        Server.ready,
        answers=schemas.Ready,
        refuses=("storage-unavailable",),
    ),
    OpenRoute(
        "/metrics",
        "metrics",
        "Figures for Prometheus: for this machine itself, or for a token with the scope admin.",
        Server.metrics,
        produces=TYPE,
        refuses=(
            "auth-missing",
            "auth-invalid",
            "auth-expired",
            "auth-revoked",
            "scope-missing",
            "rate-limited",
            "storage-unavailable",
        ),
    ),
    OpenRoute(
        PATH,
        "protectedResource",
        "Read who issues access tokens for /mcp (RFC 9728); there is none unless the settings name one.",
        Server.resource,
        answers=Resource,
        refuses=("route-not-found",),
    ),
    OpenRoute("/openapi.json", "openapi", "This document.", Server.openapi),
    OpenRoute("/docs", "docs", "This document as a page to read.", Server.docs, produces=HTML),
)
