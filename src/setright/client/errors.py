"""What can go wrong in a call of the client, as one tree of exceptions under SetrightError."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast


class SetrightError(Exception):
    """Anything that the client raises about a call, except a ValueError for an argument that can never be sent.

    `key` is the Idempotency-Key that was sent, None for reads: the same call again with `key=error.key` and the same
    arguments is recorded once, however often it is sent.
    """

    key: str | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """How it crosses to another process, whatever its __init__ takes."""
        return _again, (type(self), self.args, self.__dict__)


class NotConfigured(SetrightError):
    """The address or the token is missing or cannot be right; nothing was sent."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with what was sent.

    `pointer` is a JSON Pointer into the body, "" for all of it; it is None where a `parameter` of the address or a
    header is wrong instead.
    """

    pointer: str | None
    fault: str
    allowed: str | None = None
    parameter: str | None = None

    def __str__(self) -> str:
        allowed = f" (allowed: {self.allowed})" if self.allowed else ""
        return f"{self.parameter or self.pointer or 'the whole body'}: {self.fault}{allowed}"


class Refused(SetrightError):
    """The server answered with a reason instead of a result.

    `code` is stable and machine-readable, `tries` counts the requests that were made, `retry_after` is in seconds.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details: Mapping[str, Any] = details or {}
        self.request_id = request_id
        self.retry_after = retry_after
        self.tries = 1

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault of the body or of the parameters, in the order in which the server told them."""
        told: object = self.details.get("faults")
        if not isinstance(told, list):
            return ()
        entries = cast("list[object]", told)
        return tuple(_fault(cast("dict[str, object]", entry)) for entry in entries if isinstance(entry, dict))

    def __str__(self) -> str:
        lines = [f"{self.message} [{self.status} {self.code}]"]
        lines += [f"  {fault}" for fault in self.faults]
        if self.request_id:
            lines.append(f"  request {self.request_id}")
        return "\n".join(lines)


class InvalidRequest(Refused):
    """400: the request breaks a rule; `faults` says which fields and what is allowed."""


class NotAuthenticated(Refused):
    """401: the token is missing, malformed, expired or revoked."""


class NotAllowed(Refused):
    """403: the token is good, but not for this."""


class NotFound(Refused):
    """404: there is no such thing, or it belongs to somebody else."""


class Conflict(Refused):
    """409: it does not go together with what is there already."""


class Gone(Refused):
    """410: it was there, and its content was erased or has expired."""


class ChangedMeanwhile(Refused):
    """412: somebody else changed it since it was read; `details` holds it as it is now."""


class TooLarge(Refused):
    """413: the body is over the server's limit; `details["maxBytes"]` says how much is allowed."""


class RateLimited(Refused):
    """429: too many requests or too much of something, also after the retries."""


class ServerFailed(Refused):
    """500: the server itself failed; whether a write took effect is unknown, so send it again with the same key."""


class Unavailable(SetrightError):
    """The server could not be reached, or said again and again that it cannot answer just now.

    `cause` is the last thing that went wrong, `tries` counts the requests that were made. A write may have taken
    effect: send it again with the same key.
    """

    def __init__(self, url: str, cause: Exception, tries: int, why: str) -> None:
        times = "once" if tries == 1 else f"{tries} times"
        super().__init__(f"{url} is not available: {why} (tried {times}).")
        self.cause = cause
        self.tries = tries


class Unexpected(SetrightError):
    """The answer is not one of a Setright server, such as the page of a proxy; `body` is its beginning."""

    def __init__(self, message: str, *, status: int, body: str = "", request_id: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body = body
        self.request_id = request_id


class BatchIncomplete(SetrightError):
    """Some runs of `create_many` were not answered: `results` are those told so far, `missing` the other indexes.

    The reason is the exception that this one was raised from.
    """

    def __init__(
        self, results: Sequence[Any], missing: Sequence[int], key: str, cause: SetrightError
    ) -> None:
        super().__init__(
            f"{len(results)} of {len(results) + len(missing)} runs were answered, then: {cause} "
            f"The same runs again with key={key!r} record nothing twice."
        )
        self.results = tuple(results)
        self.missing = tuple(missing)
        self.key = key


_BY_STATUS: dict[int, type[Refused]] = {
    400: InvalidRequest,
    401: NotAuthenticated,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    410: Gone,
    412: ChangedMeanwhile,
    413: TooLarge,
    429: RateLimited,
    500: ServerFailed,
}


def refused_from(status: int, envelope: object, *, retry_after: float | None = None) -> Refused | None:
    """The exception for an error answer `{"error": {code, message, details?, requestId}}`; None if it is not one."""
    error = cast("dict[str, object]", envelope).get("error") if isinstance(envelope, dict) else None
    if not isinstance(error, dict):
        return None
    fields = cast("dict[str, object]", error)
    code, message, details = fields.get("code"), fields.get("message"), fields.get("details")
    if not isinstance(code, str) or not isinstance(message, str):
        return None
    request_id = fields.get("requestId")
    return _BY_STATUS.get(status, Refused)(
        status,
        code,
        message,
        details=cast("dict[str, Any]", details) if isinstance(details, dict) else None,
        request_id=request_id if isinstance(request_id, str) else None,
        retry_after=retry_after,
    )


def _fault(entry: Mapping[str, object]) -> Fault:
    texts = {name: str(value) for name, value in entry.items() if value is not None}
    parameter = texts.get("parameter")
    pointer = texts.get("pointer", None if parameter else "")
    return Fault(pointer, texts.get("fault", ""), texts.get("allowed"), parameter)


def _again(kind: type[SetrightError], args: tuple[Any, ...], fields: dict[str, Any]) -> SetrightError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error
