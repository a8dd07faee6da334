"""Where an id can stand in a request: parameters of paths, of queries, and fields of bodies."""

from typing import Any

from setright.faces.http.route import Route
from tests.http.writes import REQUESTS, filled

PATHS = {
    "agentId": "refunds",
    "annotationId": "{contested}",
    "annotationRunId": "{annotationRun}",
    "artifactId": "P7",
    "claimId": "{claim}",
    "correctionId": "{correction}",
    "correctorGroupId": "{group}",
    "erasureId": "{erasure}",
    "flowId": "flow",
    "interactionId": "{interaction}",
    "jobId": "{job}",
    "legalHoldId": "{hold}",
    "lessonId": "{lesson}",
    "outputId": "{output}",
    "pinId": "{pin}",
    "principalId": "{member}",
    "projectId": "default",
    "queueId": "{queue}",
    "runId": "known",
    "scholarClaimId": "{scholarClaim}",
    "scholarId": "1",
    "testRunId": "{testRun}",
    "tokenId": "{token}",
    "tool": "declared",
    "userId": "{user}",
    "waitingCorrectionId": "{held}",
}
"""What stands in a path, by the name of the parameter: something that `made_things` made."""

WORDS = {("interpretToken", "tokenId"): "o.1.1"}
"""The same where the name means something else on one route."""

ASKED = {"searchKnowledge": "q=lugal", "interpretWordAt": "line=o.1&position=1"}
"""What must be asked by routes that take no question without it."""


def request_of(route: Route, made: dict[str, str]) -> tuple[str, Any]:
    """The path and body of a request that is about what was made."""
    if route.name in REQUESTS:
        path, body = REQUESTS[route.name]
        return path.format(**made), filled(body, made)
    return filled_path(route, made) + (f"?{ASKED[route.name]}" if route.name in ASKED else ""), None


def filled_path(route: Route, made: dict[str, str]) -> str:
    """A path of the route that is about what was made."""
    given = {name: WORDS.get((route.name, name)) or PATHS[name] for name in route.parameters}
    return route.path.format(**{name: value.format(**made) for name, value in given.items()})
