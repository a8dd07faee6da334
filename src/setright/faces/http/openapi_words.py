"""What the OpenAPI document says of statuses and headers."""

from collections.abc import Mapping
from typing import Any

REASONS: Mapping[int, str] = {
    400: "The request breaks a rule.",
    401: "The token is missing, malformed, expired or revoked, or nobody signs in so.",
    403: "The token, the role or the origin does not allow it.",
    404: "There is no such thing, or it is another tenant's.",
    406: "The Accept header excludes JSON.",
    409: "It does not go together with what is there.",
    410: "The content was there and is gone.",
    412: "It changed since it was read.",
    413: "The body is over the limit.",
    415: "The body is not JSON.",
    421: "The Host header names another server.",
    429: "Too many requests; Retry-After says when to go on.",
    431: "The headers are over the limit.",
    500: "The server failed.",
    503: "The server cannot do it just now; Retry-After says when to try again.",
}

HEADERS: dict[str, Any] = {
    "X-Request-Id": {
        "description": "The caller's own id when it is 1 to 128 of A-Za-z0-9._-, else one of ours.",
        "schema": {"type": "string"},
    },
    "ETag": {"description": "Names this state of the thing.", "schema": {"type": "string"}},
    "Location": {"description": "Where the thing stands.", "schema": {"type": "string"}},
    "Retry-After": {"description": "Whole seconds to wait.", "schema": {"type": "integer"}},
    "WWW-Authenticate": {"description": "How to authenticate.", "schema": {"type": "string"}},
    "Idempotent-Replay": {
        "description": "true when this is the kept answer to a key that was used before.",
        "schema": {"const": "true"},
    },
}
