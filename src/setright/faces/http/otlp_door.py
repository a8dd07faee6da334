"""Where OpenTelemetry's exporters send traces and logs: both forms of the protocol, packed or not."""

import zlib
from collections.abc import Awaitable, Callable

from setright.app.assemble import RunningApp
from setright.app.callers import Caller
from setright.app.catalog import OPERATIONS
from setright.app.perform import Arguments, Call
from setright.exchange import Taken, otlp_answer, otlp_parts
from setright.faces.http.errors import RequestTooLarge, UnsupportedMediaType
from setright.faces.http.parameters import invalid_parameters
from setright.faces.http.request import Request
from setright.kernel import json
from setright.kernel.actor import Role
from setright.kernel.answer import Answer
from setright.kernel.errors import fault_at, refuse_faults

PATHS = {b"/v1/traces": "traces", b"/v1/logs": "logs"}
JSON, PROTOBUF = "application/json", "application/x-protobuf"
MOST_UNPACKED = 64 * 1024 * 1024
MOST_MEMBERS = 100
_PROJECT = b"x-setright-project"
_GZIP_WINDOW = 16 + zlib.MAX_WBITS


class OtlpDoor:
    """Takes what exporters send; `accepts` says which requests these are."""

    def __init__(self, app: RunningApp, caller: Callable[[Request], Awaitable[Caller]]) -> None:
        self._app = app
        self._caller = caller

    def accepts(self, request: Request) -> bool:
        """Whether a request is one of an exporter."""
        return request.method == "POST" and request.raw_path in PATHS

    async def answer(self, request: Request) -> Answer:
        """The answer, in the form of the request; whatever is refused is raised as a Refusal."""
        signal = PATHS[request.raw_path]
        request.pattern = request.raw_path.decode()
        media = media_of(request)
        packed = _is_packed(request)
        most = self._app.settings.max_body_bytes
        request.check_length(most)
        caller = await self._caller(request)
        raw = await request.body(most)
        project = _project(request, caller)

        def arguments() -> Arguments:
            parts = otlp_parts(signal, unpacked(raw) if packed else raw, is_protobuf=media == PROTOBUF)
            quiet = self._app.settings.otlp_quiet_seconds * 1_000_000
            return {"project_id": project, "parts": parts, "quiet": quiet}

        def told(taken: Taken) -> Answer:
            return _answer(taken, signal, media)

        call = Call(OPERATIONS["take-trace-parts"], arguments, caller, told, None, len(raw) > 0)
        return await self._app.performer.perform(call)


def _is_packed(request: Request) -> bool:
    coding = (request.text(b"content-encoding") or "identity").lower()
    if coding not in ("identity", "gzip") or b"content-encoding" in request.doubled:
        raise UnsupportedMediaType(
            "The body is packed in a way that is not read here.", {"allowed": ["gzip", "identity"]}
        )
    return coding == "gzip"


def media_of(request: Request) -> str:
    """The form in which a request came, which is that of its answer."""
    given = (request.text(b"content-type") or "").partition(";")[0].strip().lower()
    if given not in (JSON, PROTOBUF) or b"content-type" in request.doubled:
        shown = f"as {given[:100]}" if given else "without a Content-Type"
        raise UnsupportedMediaType(
            f"The body came {shown}; send OTLP as {PROTOBUF} or {JSON}.", {"allowed": [PROTOBUF, JSON]}
        )
    return given


def unpacked(raw: bytes) -> bytes:
    """What gzip packed, of all its members; refuses what unpacks to more than 64 MiB, and what is no gzip or ends too soon."""
    found, rest = bytearray(), raw
    for _ in range(MOST_MEMBERS):
        unpacker = zlib.decompressobj(_GZIP_WINDOW)
        try:
            found += unpacker.decompress(rest, MOST_UNPACKED + 1 - len(found))
        except zlib.error:
            raise refuse_faults([fault_at("", "is said to be gzip, and is none")]) from None
        if len(found) > MOST_UNPACKED:
            raise RequestTooLarge(MOST_UNPACKED)
        if not unpacker.eof:
            raise refuse_faults([fault_at("", "ends in the middle of its gzip")])
        rest = unpacker.unused_data
        if not rest:
            return bytes(found)
    raise refuse_faults([fault_at("", f"has more than {MOST_MEMBERS} members of gzip")])


def _project(request: Request, caller: Caller) -> str:
    """The project that a header names, else the only one in which the token has a role."""
    named = request.text(_PROJECT)
    if named:
        return named
    own = caller.actor.projects_with(Role.WRITE)
    if own is not None and len(own) == 1:
        return own[0]
    raise invalid_parameters(
        [
            {
                "parameter": "x-setright-project",
                "fault": "is missing, and the token is not bound to one project",
                "allowed": "the id of the project that the traces go to",
            }
        ]
    )


def _answer(taken: Taken, signal: str, media: str) -> Answer:
    """What an exporter is told: nothing, or how much was rejected and why."""
    if media == PROTOBUF:
        body = otlp_answer(signal, taken.rejected, taken.reason)
        return Answer(200, body, (("Content-Type", PROTOBUF),))
    name = "rejectedSpans" if signal == "traces" else "rejectedLogRecords"
    partial = {name: str(taken.rejected), "errorMessage": taken.reason} if taken.rejected else None
    return Answer(200, json.write({} if partial is None else {"partialSuccess": partial}))
