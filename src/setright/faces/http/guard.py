"""The outermost ASGI application: whatever happens inside, one answer in our form goes out, and is counted."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

from setright.app.assemble import RunningApp
from setright.faces.http.envelope import envelope
from setright.faces.http.errors import InternalError, Stopping
from setright.faces.http.metrics import Metrics
from setright.faces.http.request import (
    FIXED_HEADERS,
    JSON_TYPE,
    Gone,
    Message,
    Receive,
    Request,
    Send,
    chosen_request_id,
)
from setright.kernel.answer import Answer
from setright.kernel.errors import Refusal

Answering = Callable[[Request], Awaitable[Answer]]


class Guard:
    """Gives every request its id, sends its answer, counts and logs it; a crash is a 500 that says nothing of why."""

    def __init__(self, app: RunningApp, answering: Answering, metrics: Metrics, log: Any) -> None:
        self._app = app
        self._answering = answering
        self._metrics = metrics
        self._log = log
        self._slow = app.settings.slow_call_ms / 1000

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one ASGI scope."""
        if scope["type"] == "http":
            await self._serve(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _serve(self, scope: Message, receive: Receive, send: Send) -> None:
        started = perf_counter()
        request = Request(scope, receive)
        given = None if b"x-request-id" in request.doubled else request.headers.get(b"x-request-id")
        request.request_id = chosen_request_id(given) or self._app.new_id("req", self._app.clock.now())
        try:
            answer = await self._answering(request)
        except Refusal as refusal:
            answer = envelope(refusal, request.request_id)
        except Gone:
            return
        except asyncio.CancelledError:
            await _send(envelope(Stopping(), request.request_id), request, send)
            return
        except Exception as error:  # noqa: BLE001 - the caller gets our envelope, the log the place
            self._log.error(
                "crash", request_id=request.request_id, route=request.pattern, **told_crash(error)
            )
            answer = envelope(InternalError(), request.request_id)
        try:
            await request.drain()
        except Gone:
            return
        await _send(answer, request, send)
        self._note(request, answer.status, perf_counter() - started)

    def _note(self, request: Request, status: int, seconds: float) -> None:
        self._metrics.count(request.method, request.pattern, status, seconds)
        seen: dict[str, Any] = {
            "request_id": request.request_id,
            "tenant_id": request.caller.actor.tenant_id if request.caller else None,
            "method": request.method,
            "route": request.pattern or None,
            "status": status,
            "ms": round(seconds * 1000, 1),
        }
        if seconds >= self._slow:
            self._log.warning("slow call", **seen)
        else:
            self._log.info("call", **seen)


async def _send(answer: Answer, request: Request, send: Send) -> None:
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.headers]
    own = {name for name, _ in headers}
    headers += [header for header in FIXED_HEADERS if header[0] not in own]
    headers.append((b"x-request-id", request.request_id.encode()))
    if answer.status not in (204, 304):
        headers.append((b"content-length", str(len(answer.body)).encode()))
        if b"content-type" not in own:
            headers.append((b"content-type", JSON_TYPE))
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    body = b"" if request.method == "HEAD" else answer.body
    await send({"type": "http.response.body", "body": body})


def told_crash(error: Exception) -> dict[str, Any]:
    """Where a crash came from, without its message, which may hold what somebody sent."""
    found = traceback.extract_tb(error.__traceback__)
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in found[-12:]]
    return {"error": f"{type(error).__module__}.{type(error).__qualname__}", "frames": frames}
