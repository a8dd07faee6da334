"""The route of what limits a caller."""

from setright.app.catalog import QUERIES
from setright.faces.http.route import Example, Route
from setright.faces.http.show import One
from setright.faces.http.wire import limits

ROUTES = (
    Route(
        method="GET",
        path="/v1/limits",
        name="readLimits",
        summary="Read every limit that can refuse a request of yours, and how much of your tenant's is used.",
        does=QUERIES["read-limits"],
        more="Quotas count what a tenant adds in a day, which begins at midnight UTC: a run counts when it is "
        "recorded, its bytes when they arrive, a correction when it is recorded, superseded or not. What was refused, "
        "or answered from a kept answer, never counts. Caps count what there is. What is more is refused with 429 "
        "`quota-exceeded`, whose details name the limit by the same word, and with Retry-After where waiting helps. "
        "The server's operator sets them, for all tenants or for one.",
        arguments=lambda _: {},
        show=One(limits.limits),
        answers=limits.Limits,
        example=Example(answer=limits.LIMITS),
    ),
)
