"""The OpenAPI document: valid, complete, and true of the server that hands it out."""

import json
import re
from collections import defaultdict
from typing import Any

import jsonschema
import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from setright.faces.http.codes import kinds_by_code
from setright.faces.http.docs_page import STYLE
from setright.faces.http.envelope import STATUS
from setright.faces.http.openapi import codes_of, document
from setright.faces.http.route import Route
from setright.faces.http.routes.server import WELCOME
from setright.faces.http.table import ROUTES
from setright.faces.http.wire.cases import CLAIMED
from setright.faces.http.wire.waiting import HELD
from tests.http.support import Api, Caller

DOCUMENT = document(ROUTES)
OPERATIONS = {
    operation["operationId"]: (method, path, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}


def resolved(schema: Any) -> dict[str, Any]:
    """A schema of the document that stands alone."""
    return {**schema, "components": DOCUMENT["components"]}


def check(value: Any, schema: Any) -> None:
    jsonschema.Draft202012Validator(
        resolved(schema), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    ).validate(value)


def test_the_document_is_valid() -> None:
    OpenAPIV31SpecValidator(DOCUMENT).validate()
    json.dumps(DOCUMENT)


def test_the_server_hands_it_out(lone_api: Api) -> None:
    answer = lone_api.client.get("/openapi.json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json() == json.loads(json.dumps(DOCUMENT))


def test_every_code_of_the_table_exists_and_has_its_status_in_the_document() -> None:
    kinds = kinds_by_code()
    for route in ROUTES:
        _, _, operation = OPERATIONS[route.name]
        codes = codes_of(route) if isinstance(route, Route) else route.refuses
        for code in codes:
            told = operation["responses"][str(STATUS[kinds[code]])]
            assert f"`{code}`" in told["description"], (route.name, code)


def contents() -> list[tuple[str, Any, Any]]:
    """Every example of the document with its schema."""
    found: list[tuple[str, Any, Any]] = []
    for name, (_, _, operation) in OPERATIONS.items():
        parts = [operation.get("requestBody", {}), *operation["responses"].values()]
        entries = [content for part in parts for content in part.get("content", {}).values()]
        found += [(name, one["example"], one["schema"]) for one in entries if "example" in one]
        found += [
            (name, one["example"], one["schema"])
            for one in operation.get("parameters", [])
            if "example" in one
        ]
    return found


def test_every_example_fits_its_schema() -> None:
    examples = contents()
    for name, example, schema in examples:
        try:
            check(example, schema)
        except jsonschema.ValidationError as fault:
            raise AssertionError(f"{name}: {fault.message}") from fault
    assert len(examples) > 200


def test_every_body_and_every_answer_with_content_has_an_example() -> None:
    for name, (_, path, operation) in OPERATIONS.items():
        if not path.startswith("/v1/"):
            continue
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for content in part.get("content", {}).values():
                assert "example" in content, name


NAMES = """
    createProject getProject listProjects renameProject
    createUser getUser listUsers inviteUser SESSION listSessions endSession
    putMember listMembers
    me readLimits
    createCorrectorGroup listCorrectorGroups getCorrectorGroup changeCorrectorGroup retireCorrectorGroup
    createToken getToken listTokens rotateToken
    recordRun recordRuns listRuns getRun START appendCalls finishRun
    HOLD listWaitingCorrections getWaitingCorrection withdrawCorrection
    recordCorrection listCorrections summarizeCorrections readAgreement getCorrection correctionHistory readEvents
    listAgents getAgent patchAgent
    createTestRun cancelTestRun createTestRun getTestRun listTestRuns
    claimCases renewLease submitResults listVerdicts summarizeTestRun finishTestRun
    recordLesson listLessons getLesson updateLesson lessonHistory readBriefing countStops deleteLesson
    createScholar listScholars getScholar changeScholar claimScholar listScholarClaims
    approveScholarClaim withdrawScholarClaim CLAIMED_SCHOLAR rejectScholarClaim
    TEXT searchKnowledge summarizeArtifact interpretToken interpretWordAt READ
    listInteractions getInteraction submitCorrection rateInteraction listAnnotationRuns getAnnotationRun
    LAYERED getAnnotation rejectAnnotation acceptAnnotation listOutputs getOutput
    recordArtifact listArtifacts getArtifact listArtifactLines
    changeCorrection unregisterCorrection
    FLOW listFlows getFlow patchFlow
    deployAgent listAgentDeploys deployFlow listFlowDeploys
    pinVersion listPins listRunning unpinVersion
    setToolEffect listToolEffects dropToolEffect
    JOB listJobs getJob cancelJob retryJob
    TRACED listTraces getTrace
    createReviewQueue listReviewQueues getReviewQueue changeReviewQueue REVIEWED claimRun answerClaim
    DISAGREED adjudicateItem CLAIM releaseClaim CLAIM skipClaim listReviewItems closeReviewQueue
    createErasure listErasures getErasure createLegalHold listLegalHolds releaseLegalHold
    changeProjectRetention getProjectRetention changeRetention getRetention readDue beginPassing listPassings getPassing
    keepReadLog getReadLog listRunReads
    changeUser removeMember disableUser revokeToken
"""
STORY = NAMES.split()
SAMPLES_REVIEWED = {"projectId": "support", "output": {"decision": "paid"}, "answer": "Yes."}
SAMPLES_RUN = {"projectId": "support", "subject": {"kind": "agent", "id": "refunds", "version": "v1"}}
MADE = {
    "pinVersion": "pinId",
    "createTestRun": "testRunId",
    "createUser": "userId",
    "createErasure": "erasureId",
    "createLegalHold": "legalHoldId",
    "beginPassing": "passingId",
    "createToken": "tokenId",
    "recordCorrection": "correctionId",
}
MADE |= {"createCorrectorGroup": "correctorGroupId", "createReviewQueue": "queueId", "claimRun": "claimId"}


def reviewed(caller: Caller, _made: dict[str, str]) -> None:
    """Runs that nobody has corrected."""
    for number in range(2):
        caller.run(f"reviewed-{number}", **SAMPLES_REVIEWED)


def disagreed(caller: Caller, made: dict[str, str]) -> None:
    """Another reviewer says something else of the run that the caller judged."""
    other = caller.user("dee", "write")
    claim = other.claim({"id": made["queueId"]})
    other.judge(claim, answer="right")
    made["runId"] = claim["runId"]


def claimed(caller: Caller, made: dict[str, str]) -> None:
    """The caller has another run."""
    made["claimId"] = caller.claim({"id": made["queueId"]})["id"]


def text(caller: Caller, made: dict[str, str]) -> None:
    """The text that the examples ask about, the tokens of which are words."""
    caller.text("brick-1")
    made["theirToken"] = made.pop("tokenId")


def read(_caller: Caller, made: dict[str, str]) -> None:
    """From here on tokens are those of callers again."""
    made["tokenId"] = made.pop("theirToken")


def claimed_scholar(caller: Caller, made: dict[str, str]) -> None:
    """The caller has asked once more to speak as the scholar of the examples."""
    made["scholarClaimId"] = caller.post("/v1/scholars/1/claims").json()["id"]


def session(caller: Caller, made: dict[str, str]) -> None:
    """The caller is signed in, too."""
    made["sessionId"] = caller.session()[0]


def layered(caller: Caller, made: dict[str, str]) -> None:
    """A reading that is contested, a scholar as whom the caller speaks, and an answer that is kept."""
    told = caller.get("/v1/artifacts/brick-1/tokens/o.1.1/interpretation").json()
    made["annotationId"] = next(one for one in told["citations"] if one["value"] == "king")["annotationId"]
    caller.post("/v1/scholars/1/claims", {"userId": caller.id})
    made["outputId"] = caller.get("/v1/outputs").json()["data"][0]["id"]


def traced(caller: Caller, made: dict[str, str]) -> None:
    """An exporter has sent a span."""
    made["traceId"] = caller.trace("support")


STEPS = {
    "TRACED": traced,
    "LAYERED": layered,
    "SESSION": session,
    "CLAIMED_SCHOLAR": claimed_scholar,
    "TEXT": text,
    "READ": read,
    "REVIEWED": reviewed,
    "DISAGREED": disagreed,
    "CLAIM": claimed,
}
MADE |= {"recordLesson": "lessonId", "claimScholar": "scholarClaimId"}


def play(caller: Caller) -> dict[str, Any]:
    """Every example of the document sent in the order of the story; the answers by operation."""
    answers: dict[str, Any] = {}
    made: dict[str, str] = {}
    for name in STORY:
        if name == "START":
            assert caller.post("/v1/runs", {**SAMPLES_RUN, "id": "refund-1043"}).status_code == 201
            continue
        if name == "HOLD":
            held = caller.post("/v1/corrections?whenRunMissing=hold&projectId=support", HELD["request"])
            check(
                held.json(),
                OPERATIONS["recordCorrection"][2]["responses"]["202"]["content"]["application/json"][
                    "schema"
                ],
            )
            made["waitingCorrectionId"] = held.json()["id"]
            continue
        if name == "FLOW":
            subject = {**SAMPLES_RUN["subject"], "kind": "flow"}
            assert caller.post("/v1/runs", {**SAMPLES_RUN, "subject": subject}).status_code == 201
            continue
        if name == "JOB":
            made["jobId"] = caller.job()
            continue
        if name in STEPS:
            STEPS[name](caller, made)
            continue
        method, path, operation = OPERATIONS[name]
        any_state = {"if-match": "*"} if method == "patch" else {}
        answers[name] = answer = caller.send(
            method.upper(), *_filled(path, operation, made), headers=any_state
        )
        assert answer.status_code < 300, (name, answer.text)
        if name in MADE:
            made[MADE[name]] = answer.json()["id"]
            made.setdefault("principalId", answer.json()["id"])
        if name == "claimCases":
            made |= {"lease": answer.json()["lease"], "case": answer.json()["cases"][0]["id"]}
    return answers


def _filled(path: str, operation: dict[str, Any], made: dict[str, str]) -> tuple[str, Any]:
    """The path with its examples, the query with its own, and the body's example."""
    query: list[str] = []
    for one in operation.get("parameters", []):
        if one["in"] == "path":
            path = path.replace(f"{{{one['name']}}}", str(made.get(one["name"]) or one["example"]))
        elif one["in"] == "query" and "example" in one:
            values = one["example"] if isinstance(one["example"], list) else [one["example"]]
            query += [f"{one['name']}={value}" for value in values]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
    if "lease" in made:
        told = json.dumps(body).replace(CLAIMED["lease"], made["lease"])
        body = json.loads(told.replace(CLAIMED["cases"][0]["id"], made["case"]))
    return f"{path}?{'&'.join(query)}" if query else path, body


def test_the_story_has_every_operation() -> None:
    mine = {route.name for route in ROUTES if isinstance(route, Route)}
    assert mine == set(STORY) - {"START", "HOLD", "FLOW", "JOB", *STEPS}


def test_the_server_takes_every_example_and_answers_as_the_document_says(api: Api) -> None:
    for name, answer in play(api.tenant()).items():
        told = OPERATIONS[name][2]["responses"][str(answer.status_code)]
        if answer.status_code == 204:
            assert "content" not in told
            continue
        check(answer.json(), told["content"]["application/json"]["schema"])
        known = set(_fields(told["content"]["application/json"]["schema"]))
        assert set(answer.json()) <= known, (name, set(answer.json()) - known)
        _no_null(name, answer.json())
        for header in answer.headers:
            if header in ("etag", "location", "retry-after"):
                assert header in {sent.lower() for sent in told["headers"]}, (name, header)


def _fields(schema: Any) -> dict[str, Any]:
    if "$ref" in schema:
        return _fields(DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    return schema["properties"]


def _no_null(name: str, value: Any) -> None:
    """Absent means absent: only what a caller sent as null is null, and the examples send none."""
    if isinstance(value, dict):
        for inner in value.values():
            _no_null(name, inner)
    elif isinstance(value, list):
        for inner in value:
            _no_null(name, inner)
    else:
        assert value is not None, name


@pytest.mark.parametrize("name", ["NewCorrection", "NewRun", "NewToken"])
def test_the_schema_of_a_body_and_its_model_agree_on_what_is_refused(lone: Caller, name: str) -> None:
    (operation,) = [
        operation
        for _, _, operation in OPERATIONS.values()
        if operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        == {"$ref": f"#/components/schemas/{name}"}
    ]
    example = operation["requestBody"]["content"]["application/json"]["example"]
    schema = {"$ref": f"#/components/schemas/{name}"}
    path = next(path for _, path, one in OPERATIONS.values() if one is operation)
    for field in _fields(schema):
        broken = {**example, field: {"unknown": []}}
        told = lone.post(path, broken).status_code
        fits = jsonschema.Draft202012Validator(resolved(schema)).is_valid(broken)
        assert fits or told == 400, field


def test_times_are_texts_in_the_document() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["NewToken"]["properties"]["expiresAt"]["anyOf"][0]["type"] == "string"
    since = [one for one in OPERATIONS["listCorrections"][2]["parameters"] if one["name"] == "since"]
    assert since[0]["schema"] == {"type": "string", "format": "date-time"}


def test_the_page_shows_every_operation_and_needs_nothing_from_elsewhere(lone_api: Api) -> None:
    answer = lone_api.client.get("/docs", headers={"accept": "text/html"})
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = answer.text
    for name, (method, path, _) in OPERATIONS.items():
        assert f'id="{name}"' in page
        assert f"<code>{method.upper()} {path}</code>" in page
    assert STYLE in page
    assert "sha256-" in answer.headers["content-security-policy"]
    assert "<script" not in page
    assert not re.search(r"(src|href)=\"(?!#|/openapi\.json)", page)
    for target in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{target}"' in page, target


def test_the_welcome_points_to_what_is_there(lone_api: Api) -> None:
    assert lone_api.client.get("/").json() == WELCOME
    for path in (WELCOME["docs"], WELCOME["openapi"]):
        assert lone_api.client.get(path).status_code == 200


def test_no_two_routes_share_a_tag_by_accident() -> None:
    tags: dict[str, set[str]] = defaultdict(set)
    for route in ROUTES:
        tags[route.tag].add(route.path.split("/")[1])
    assert all(roots == {"v1"} for tag, roots in tags.items() if tag != "server")
