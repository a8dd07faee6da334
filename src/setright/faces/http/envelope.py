"""The one form of every error answer, and the one table from a kind of refusal to its status."""

from collections.abc import Mapping

from setright.kernel import json
from setright.kernel.answer import Answer
from setright.kernel.errors import Kind, Refusal

STATUS: Mapping[Kind, int] = {
    Kind.INVALID: 400,
    Kind.UNAUTHENTICATED: 401,
    Kind.FORBIDDEN: 403,
    Kind.MISSING: 404,
    Kind.METHOD: 405,
    Kind.NOT_ACCEPTABLE: 406,
    Kind.CONFLICT: 409,
    Kind.GONE: 410,
    Kind.CHANGED: 412,
    Kind.TOO_LARGE: 413,
    Kind.MEDIA_TYPE: 415,
    Kind.MISDIRECTED: 421,
    Kind.TOO_MANY: 429,
    Kind.HEADERS: 431,
    Kind.BROKEN: 500,
    Kind.UNAVAILABLE: 503,
}


def error_of(refusal: Refusal, request_id: str | None = None) -> dict[str, object]:
    """The error object of the envelope; inside an answer to many (`runs/batch`) it has no request id of its own."""
    error: dict[str, object] = {"code": refusal.code, "message": refusal.message}
    if refusal.details:
        error["details"] = refusal.details
    if request_id is not None:
        error["requestId"] = request_id
    return error


def envelope(refusal: Refusal, request_id: str) -> Answer:
    """A refusal as the answer to a request."""
    headers: list[tuple[str, str]] = []
    if refusal.retry_after is not None:
        headers.append(("Retry-After", str(refusal.retry_after)))
    if refusal.kind is Kind.UNAUTHENTICATED:
        missing = refusal.code in ("auth-missing", "sign-in-refused", "invitation-refused")
        headers.append(
            ("WWW-Authenticate", 'Bearer realm="setright"' + ("" if missing else ', error="invalid_token"'))
        )
    elif refusal.kind is Kind.METHOD:
        headers.append(("Allow", ", ".join(refusal.details["allowed"])))
    body = json.write({"error": error_of(refusal, request_id)})
    return Answer(STATUS[refusal.kind], body, tuple(headers))
