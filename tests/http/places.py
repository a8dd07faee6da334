"""Where an id can stand in a request: parameters of paths and of queries, and fields of bodies."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from setright.faces.http.route import Route
from tests.http.support import a_run
from tests.http.writes import REQUESTS, filled

PATHS = {
    "agentId": "{agent}",
    "annotationId": "{contested}",
    "annotationRunId": "{annotationRun}",
    "artifactId": "{artifact}",
    "claimId": "{claim}",
    "correctionId": "{correction}",
    "correctorGroupId": "{group}",
    "erasureId": "{erasure}",
    "flowId": "{flow}",
    "interactionId": "{interaction}",
    "jobId": "{job}",
    "legalHoldId": "{hold}",
    "lessonId": "{lesson}",
    "outputId": "{output}",
    "passingId": "{passing}",
    "traceId": "{trace}",
    "pinId": "{pin}",
    "principalId": "{member}",
    "projectId": "{project}",
    "queueId": "{queue}",
    "runId": "{run}",
    "scholarClaimId": "{scholarClaim}",
    "scholarId": "{scholar}",
    "sessionId": "{session}",
    "testRunId": "{testRun}",
    "tokenId": "{token}",
    "tool": "{tool}",
    "userId": "{user}",
    "waitingCorrectionId": "{held}",
}
"""What stands in a path, by the name of the parameter: something that `made_things` made."""

OTHER_PATHS = {
    ("interpretToken", "tokenId"): "o.1.1",
    ("adjudicateItem", "runId"): "{disagreed}",
    ("inviteUser", "userId"): "{mailed}",
    ("retryJob", "jobId"): "{cancelled}",
}
"""The same where the name means something else on one route, or a thing in another state is needed."""

QUERIES = {
    "against": "{testRun}",
    "agent": "{agent}",
    "agentId": "{agent}",
    "artifactId": "{artifact}",
    "correctionId": "{correction}",
    "correctorGroupId": "{group}",
    "cursor": "{cursor}",
    "duplicateOf": "{lesson}",
    "flowId": "{flow}",
    "fromCorrectionId": "{correction}",
    "lessonId": "{lesson}",
    "madeBy": "{user}",
    "name": "{userName}",
    "participantId": "{participant}",
    "projectId": "{project}",
    "rater": "{user}",
    "runId": "{run}",
    "scholarId": "{scholar}",
    "session": "{sitting}",
    "tool": "{tool}",
    "userId": "{user}",
}
"""The ids, and the names by which things are found, that may stand in a query."""

QUERY_WORDS = """
    after agentVersion answer aspect budget callsAfter callsLimit decisions expert explain focus format includeRetired
    includeUnregistered kind limit line method mine mode noticedBy orcid position q scope since sortedTo source
    sourceName sourceType stale state status types until verdict version was whenRunMissing
""".split()  # noqa: SIM905
"""What else may stand there: choices, numbers, times, versions and words."""

ASKED = {"searchKnowledge": "q=lugal", "interpretWordAt": "line=o.1&position=1"}
"""What must be asked by routes that take no question without it."""
BESIDE = {
    ("recordCorrection", "projectId"): "whenRunMissing=hold",
    ("readAgreement", "rater"): "rater=somebody",
    ("listVerdicts", "against"): "was=wrong",
    ("readBriefing", "lessonId"): "explain=true",
}
"""What must be asked beside a parameter, for it to be taken."""

BODIES: dict[str, dict[str, Any]] = {
    "agent": {"agent": "{agent}"},
    "assertableBy/principalIds/*": {"assertableBy": {"principalIds": ["{user}"]}},
    "correctorGroupId": {"correctorGroupId": "{group}"},
    "duplicateOf": {"status": "duplicate", "duplicateOf": "{lesson}"},
    "filter/correctorGroupId": {"filter": {"correctorGroupId": "{group}"}},
    "filter/ids/*": {"filter": {"ids": ["{correction}"]}},
    "filter/subject/id": {"filter": {"subject": {"kind": "agent", "id": "{agent}"}}},
    "fromCorrectionId": {"projectId": None, "fromCorrectionId": "{correction}"},
    "lease": {"lease": "{lease}"},
    "name": {"name": "{userName}"},
    "over": {"status": "adopted", "over": {"{lesson}": "both"}},
    "ownerId": {"ownerId": "{user}"},
    "participantId": {"participantId": "{participant}"},
    "projectId": {"projectId": "{project}", "participantId": None},
    "results": {"results": [{"caseId": "{case}", "lease": "{lease}", "runId": "{run}"}]},
    "run/id": {"runId": None, "run": a_run(id="{run}")},
    "run/participantId": {"runId": None, "run": a_run(participantId="{participant}")},
    "run/projectId": {"runId": None, "run": a_run(projectId="{project}")},
    "run/scholarId": {"run": {"sourceType": "human", "sourceName": "s", "scholarId": "{scholar}"}},
    "run/subject/id": {
        "runId": None,
        "run": a_run(subject={"kind": "agent", "id": "{agent}", "version": "1"}),
    },
    "runId": {"runId": "{run}", "participantId": None},
    "scholarId": {"scholarId": "{scholar}"},
    "scope/agentId": {"scope": {"kind": "agent", "projectId": "default", "agentId": "{agent}"}},
    "scope/projectId": {"scope": {"kind": "project", "projectId": "{project}"}},
    "serviceId": {"serviceId": "{token}"},
    "session": {"session": "{sitting}"},
    "stops/*/lessonId": {"stops": [{"lessonId": "{lesson}"}]},
    "subject/id": {"subject": {"id": "{agent}"}},
    "userId": {"userId": "{user}", "participantId": None},
}
"""What is sent for an id in a field of a body, over what the request of the route holds; None takes a field away."""

OTHER_BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("createProject", "id"): {"id": "{project}"},
    ("createToken", "projectId"): {"kind": "service", "role": "read", "projectId": "{project}"},
    ("recordArtifact", "id"): {"id": "{artifact}"},
    ("recordRun", "id"): {"id": "{run}"},
    ("recordRuns", "runs"): {
        "runs": [a_run(id="{run}", projectId="{project}", participantId="{participant}")]
    },
}
"""The same where the name means something else on one route."""

BODY_WORDS = """
    annotations/*/confidence annotations/*/extent annotations/*/value answer answerMatch/tolerance
    answerMatch/values/* attribution briefings calls/*/agent calls/*/args calls/*/endedAt calls/*/error calls/*/result calls/*/startedAt
    calls/*/tool claim claimSeconds correction description email evidence evidence/* expected expiresAt filter/sample
    filter/since filter/subject/version genre input institution interactions items/*/key items/*/pointer items/*/rank
    externalId keepOldMinutes language licence lines/*/annotations/*/confidence lines/*/annotations/*/extent
    lines/*/annotations/*/value lines/*/label lines/*/surface lines/*/text lines/*/tokens/*/annotations/*/confidence
    lines/*/tokens/*/annotations/*/extent lines/*/tokens/*/annotations/*/value lines/*/tokens/*/clean
    lines/*/tokens/*/form messages/* mustNotCall/* mustNotCall/*/args mustNotCall/*/match mustNotCall/*/tool n note
    orcid output outputs period position reason reads repeat reviewersPerItem rule run/answer run/calls/*/agent run/calls/*/args run/calls/*/endedAt
    run/calls/*/error run/calls/*/result run/calls/*/startedAt run/calls/*/tool run/input run/messages/* run/method
    run/output run/publication run/sourceName run/subject/version run/tags/* runs sampleRate seconds shouldCall/*/args
    shouldCall/*/match shouldCall/*/tool shouldSay source statusNote stops/*/at stops/*/count stops/*/tool
    subject/version tags/* title until version weight whatHappened why
""".split()  # noqa: SIM905
"""What else may stand in a body."""


@dataclass(frozen=True, slots=True)
class Where:
    """One place for an id: in the `path`, the `query` or the `body` of a route, by its name there."""

    route: Route
    part: str
    name: str

    @property
    def makes(self) -> bool:
        """Whether the request may make something of that name, so that the name is its own tenant's from then on."""
        chosen = self.part == "body" and self.route.method != "GET"
        return chosen or (self.route.name, self.name) in (
            ("setToolEffect", "tool"),
            ("deployAgent", "agentId"),
        )

    def __str__(self) -> str:
        return f"{self.route.name}-{self.part}-{self.name}"


def places_of(route: Route) -> Iterator[Where]:
    """Every place for an id in a request of the route."""
    yield from (Where(route, "path", name) for name in route.parameters)
    asked = (field.alias or name for name, field in route.query.model_fields.items())
    yield from (Where(route, "query", name) for name in asked if name not in QUERY_WORDS)
    yield from (Where(route, "body", name) for name in fields_of(route) if _names_something(route, name))


def _names_something(route: Route, name: str) -> bool:
    return name not in BODY_WORDS or (route.name, name) in OTHER_BODIES


def request_of(route: Route, made: Mapping[str, str]) -> tuple[str, Any]:
    """The path and body of a request that is about what was made."""
    if route.name in REQUESTS:
        path, body = REQUESTS[route.name]
        return path.format(**made), filled(body, made)
    path = route.path.format(**{name: in_path(route, name).format(**made) for name in route.parameters})
    return path + (f"?{ASKED[route.name]}" if route.name in ASKED else ""), None


def request_with(where: Where, own: Mapping[str, str], foreign: Mapping[str, str]) -> tuple[str, Any]:
    """The same with something foreign in one place, and with what is one's own in all others."""
    route, name = where.route, where.name
    path, body = request_of(route, own)
    match where.part:
        case "path":
            segments = path.split("?")[0].split("/")
            segments[route.path.split("/").index(f"{{{name}}}")] = in_path(route, name).format(**foreign)
            return "/".join(segments) + path[len(path.split("?")[0]) :], body
        case "query":
            asked = [BESIDE.get((route.name, name), ""), f"{name}={QUERIES[name].format(**foreign)}"]
            if name not in path:
                asked.append(path.partition("?")[2])
            return f"{path.partition('?')[0]}?{'&'.join(filter(None, asked))}", body
        case _:
            change = OTHER_BODIES.get((route.name, name)) or BODIES[name]
            return path, _laid_over(body or {}, _numbered(filled(change, foreign)))


def fields_of(route: Route) -> list[str]:
    """The fields of a route's body in which texts, whole numbers or anything at all may stand."""
    if route.body is None:
        return []
    schema = route.body.model_json_schema()
    return list(dict.fromkeys(_leaves(schema, schema.get("$defs", {}), "", ())))


def _leaves(schema: Any, shared: Any, name: str, above: tuple[str, ...]) -> Iterator[str]:
    if "$ref" in schema:
        of = schema["$ref"].rpartition("/")[2]
        if of not in above:
            yield from _leaves(shared[of], shared, name, (*above, of))
        return
    choices = [one for kind in ("anyOf", "oneOf", "allOf") for one in schema.get(kind, ())]
    for one in choices:
        yield from _leaves(one, shared, name, above)
    below = f"{name}/" if name else ""
    for inner, of in schema.get("properties", {}).items():
        yield from _leaves(of, shared, below + inner, above)
    if schema.get("type") == "array" and schema.get("items"):
        yield from _leaves(schema["items"], shared, f"{below}*", above)
    elif (
        not choices and not {"properties", "enum", "const"} & set(schema) and schema.get("type") not in _NO_ID
    ):
        yield name


def _numbered(value: Any) -> Any:
    """The same with a number where a field takes no text."""
    if not isinstance(value, dict):
        return value
    return {name: int(of) if name == "scholarId" else _numbered(of) for name, of in value.items()}


_NO_ID = ("boolean", "null")


def in_path(route: Route, name: str) -> str:
    """What stands for a parameter of the path."""
    return OTHER_PATHS.get((route.name, name)) or PATHS[name]


def _laid_over(body: Any, change: Any) -> Any:
    if not (isinstance(body, dict) and isinstance(change, dict)):
        return change
    whole = {**body, **{name: _laid_over(body.get(name), value) for name, value in change.items()}}
    return {name: value for name, value in whole.items() if value is not None}
