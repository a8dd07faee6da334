"""What the HTTP face itself refuses, before any room is asked."""

from setright.kernel.errors import Kind, Refusal


class InvalidRequest(Refusal):
    """The request is not valid HTTP, or its Host header is missing, doubled or no host."""

    kind, code = Kind.INVALID, "invalid-request"


class InvalidPath(Refusal):
    """A segment of the path is badly encoded, or one that no path may have."""

    kind, code = Kind.INVALID, "invalid-path"


class RouteNotFound(Refusal):
    """There is no such path."""

    kind, code = Kind.MISSING, "route-not-found"


class MethodNotAllowed(Refusal):
    """The path has no such method; `details.allowed` lists those that it has."""

    kind, code = Kind.METHOD, "method-not-allowed"


class MisdirectedHost(Refusal):
    """The request came in under a name that this server does not answer to."""

    kind, code = Kind.MISDIRECTED, "misdirected-host"


class OriginNotAllowed(Refusal):
    """A page of another origin tried to write through a browser."""

    kind, code = Kind.FORBIDDEN, "origin-not-allowed"


class NotAcceptable(Refusal):
    """The Accept header excludes the only form in which this route answers."""

    kind, code = Kind.NOT_ACCEPTABLE, "not-acceptable"


class UnsupportedMediaType(Refusal):
    """The body is not declared as plain UTF-8 JSON."""

    kind, code = Kind.MEDIA_TYPE, "unsupported-media-type"


class RequestTooLarge(Refusal):
    """The body is over the limit; `details.maxBytes` says how much is allowed."""

    kind, code = Kind.TOO_LARGE, "request-too-large"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"The body is over the limit of {most} bytes. Send less at once: long runs in parts, by "
            "POST /v1/runs/{runId}/calls.",
            {"maxBytes": most},
        )


class HeadersTooLarge(Refusal):
    """The request line and the headers together are over the limit."""

    kind, code = Kind.HEADERS, "headers-too-large"

    def __init__(self, most: int) -> None:
        super().__init__(
            f"The request line and the headers together are over the limit of {most} bytes.",
            {"maxBytes": most},
        )


class LocalOnly(Refusal):
    """Metrics are shown to this machine itself, or to a token with the scope admin."""

    kind, code = Kind.UNAUTHENTICATED, "auth-missing"

    def __init__(self) -> None:
        super().__init__(
            "From another machine, or through a proxy, this needs a token with the scope admin: "
            "send the header Authorization: Bearer srt_..."
        )


class InternalError(Refusal):
    """The server itself failed; the log has the reason under the same request id."""

    kind, code = Kind.BROKEN, "internal-error"

    def __init__(self) -> None:
        super().__init__(
            "The server failed at this request; its log says why, under the same request id. Whether a write took "
            "effect is not known: send it again with the same Idempotency-Key."
        )


class Stopping(Refusal):
    """The server is stopping and did not wait for this request any longer."""

    kind, code = Kind.UNAVAILABLE, "server-stopping"

    def __init__(self) -> None:
        super().__init__(
            "The server stopped before this request was done. Whether a write took effect is not known: "
            "send it again with the same Idempotency-Key.",
            retry_after=5,
        )
