"""Every route, called by a second tenant with a first tenant's ids wherever an id can stand, is as if nothing were there.

For each there is a twin of the request, with ids of the same shape that nobody has: both are answered alike.
"""

import re
from dataclasses import dataclass
from typing import Any, get_args

import pytest

from setright.app.catalog import Operation
from setright.faces.http.route import Route
from setright.faces.http.table import ROUTES
from tests.http.support import Api, Caller
from tests.http.writes import REQUESTS, made_things

SECRET = "Marthe Quivering lives above the bakery"
OURS = {"default": "theirs-project", "refunds": "theirs-agent", "known": "theirs-run"}
MINE = [route for route in ROUTES if isinstance(route, Route)]
ULID = re.compile(r"(?<=_)[0-7][0-9A-HJKMNP-TV-Z]{25}")
NOT_THE_SAME = (
    (re.compile(r"[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "TIME"),
    (re.compile(r"(nobody|theirs)-"), ""),
    (re.compile(r'"(seq|secret|nextCursor|etag|requestId)":("[^"]*"|\d+)'), r'"\1":'),
    (re.compile(r"srt_\S+"), "TOKEN"),
    (re.compile(r"tenant-\d+-\d+"), "TENANT"),
)
OF_PATH = {
    "projectId": "theirs-project",
    "runId": "theirs-run",
    "agentId": "theirs-agent",
    "flowId": "theirs-flow",
    "tool": "theirs-tool",
    "principalId": "{member}",
    "userId": "{user}",
    "tokenId": "{token}",
    "correctionId": "{correction}",
    "correctorGroupId": "{group}",
    "testRunId": "{testRun}",
    "queueId": "{queue}",
    "claimId": "{claim}",
    "waitingCorrectionId": "{held}",
    "pinId": "{pin}",
    "jobId": "{job}",
    "lessonId": "{lesson}",
    "erasureId": "{erasure}",
    "legalHoldId": "{hold}",
    "passingId": "{passing}",
}


@dataclass(frozen=True, slots=True)
class Tenants:
    """The ids of what a first tenant made, and the admins of two others who know these ids."""

    made: dict[str, str]
    second: Caller
    third: Caller

    @property
    def ids(self) -> list[str]:
        """Those ids that are nobody else's; numbers are counted in each tenant for itself."""
        return [value for value in self.made.values() if ULID.search(value)]


@pytest.fixture(scope="module")
def tenants(api: Api) -> Tenants:
    """A first tenant in which there is something of every kind, and two in which there is nothing."""
    first = api.tenant()
    made = made_things(first)
    words = {"participantId": "theirs-participant", "input": SECRET, "output": SECRET, "answer": SECRET}
    first.post("/v1/projects", {"id": "theirs-project", "name": SECRET})
    subject = {"kind": "agent", "id": "theirs-agent", "version": "v1"}
    first.run("theirs-run", projectId="theirs-project", subject=subject, **words)
    first.run("theirs-flow-run", subject={"kind": "flow", "id": "theirs-flow", "version": "1"}, **words)
    first.correction("theirs-run", why=SECRET, shouldSay=SECRET)
    first.lesson(whatHappened=SECRET, rule=SECRET)
    made["erasure"] = first.post("/v1/erasures", {"participantId": "nobody", "reason": SECRET}).json()["id"]
    made["passing"] = first.post("/v1/retention-passings").json()["id"]
    return Tenants(made, api.tenant(), api.tenant())


def renamed(text: str) -> str:
    """A text with the ids of the first tenant's own choice in the place of those that every tenant has."""
    for name, theirs in OURS.items():
        text = re.sub(rf"(?<![\w-]){name}(?![\w-])", theirs, text)
    return text


def filled(value: Any, made: dict[str, str]) -> Any:
    """A body, or a path, with the first tenant's ids wherever there is one."""
    if isinstance(value, dict):
        return {name: filled(inner, made) for name, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, made) for inner in value]
    return renamed(value.format(**made)) if isinstance(value, str) else value


def of_nobody(value: Any) -> Any:
    """The same with ids that nobody has."""
    if isinstance(value, dict):
        return {name: of_nobody(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [of_nobody(inner) for inner in value]
    if not isinstance(value, str):
        return value
    return ULID.sub("01KE5MCQ8000000000000000ZZ", value).replace("theirs-", "nobody-")


def request_of(route: Route, made: dict[str, str]) -> tuple[str, Any]:
    """The path and body of a request with an id of the first tenant in every place."""
    if isinstance(route.does, Operation) and route.name in REQUESTS:
        path, body = REQUESTS[route.name]
        return filled(path, made), filled(body, made)
    path = route.path.format(
        **{name: OF_PATH.get(name, f"theirs-{name}").format(**made) for name in route.parameters}
    )
    asked = {
        field.alias or name: OF_QUERY[name].format(**made)
        for name, field in route.query.model_fields.items()
        if name in OF_QUERY and str in get_args(field.annotation)
    }
    return path + ("?" + "&".join(f"{name}={value}" for name, value in asked.items()) if asked else ""), None


OF_QUERY = {
    "project_id": "theirs-project",
    "run_id": "theirs-run",
    "agent_id": "theirs-agent",
    "participant_id": "theirs-participant",
    "corrector_group_id": "{group}",
    "duplicate_of": "{lesson}",
    "from_correction_id": "{correction}",
    "against": "{testRun}",
    "agent": "theirs-agent",
    "made_by": "{user}",
}


def told(answer: Any) -> tuple[int, str]:
    """What an answer tells, without what differs from one request to the next."""
    text = answer.text
    for pattern, instead in NOT_THE_SAME:
        text = pattern.sub(instead, text)
    return answer.status_code, text


@pytest.mark.parametrize("route", MINE, ids=lambda route: route.name)
def test_ids_of_another_tenant_are_as_if_they_were_nobodys(tenants: Tenants, route: Route) -> None:
    path, body = request_of(route, tenants.made)
    anything = {"if-match": "*"} if route.method == "PATCH" else {}
    answer = tenants.second.send(route.method, path, body, headers=anything)
    twin = tenants.third.send(route.method, of_nobody(path), of_nobody(body), headers=anything)
    assert told(answer) == told(twin)
    assert SECRET not in answer.text
    sent = f"{path} {body}"
    assert [one for one in tenants.ids if one in answer.text and one not in sent] == []


@pytest.mark.parametrize(
    "route",
    [route for route in MINE if route.method == "GET" and not route.parameters],
    ids=lambda route: route.name,
)
def test_a_list_shows_nothing_of_another_tenant(tenants: Tenants, route: Route) -> None:
    shown = tenants.second.get(route.path).text
    assert "theirs-" not in shown
    assert SECRET not in shown
    assert [value for value in tenants.ids if value in shown] == []
