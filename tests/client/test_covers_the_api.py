"""The client knows every operation of the server, everything that can be said to it, and everything it answers."""

import inspect
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest

from setright.client import Setright
from setright.client.records import Record
from setright.client.values import camel

VERBS = {
    "me": "me",
    "readLimits": "limits",
    "createProject": "projects.create",
    "listProjects": "projects.page",
    "getProject": "projects.get",
    "renameProject": "projects.rename",
    "listMembers": "projects.members.page",
    "putMember": "projects.members.put",
    "removeMember": "projects.members.remove",
    "createUser": "users.create",
    "listUsers": "users.page",
    "getUser": "users.get",
    "changeUser": "users.change",
    "disableUser": "users.disable",
    "inviteUser": "users.invite",
    "signIn": "sessions.create",
    "setPassword": "sessions.set_password",
    "listSessions": "sessions.page",
    "endSession": "sessions.end",
    "createToken": "tokens.create",
    "listTokens": "tokens.page",
    "getToken": "tokens.get",
    "revokeToken": "tokens.revoke",
    "rotateToken": "tokens.rotate",
    "deployAgent": "agents.deploy",
    "listAgentDeploys": "agents.deploys_page",
    "deployFlow": "flows.deploy",
    "listFlowDeploys": "flows.deploys_page",
    "pinVersion": "projects.pins.create",
    "listPins": "projects.pins.page",
    "unpinVersion": "projects.pins.lift",
    "listRunning": "projects.running_page",
    "listToolEffects": "projects.tools.page",
    "setToolEffect": "projects.tools.put",
    "dropToolEffect": "projects.tools.remove",
    "listJobs": "jobs.page",
    "getJob": "jobs.get",
    "listTraces": "traces.page",
    "getTrace": "traces.get",
    "cancelJob": "jobs.cancel",
    "retryJob": "jobs.retry",
    "createErasure": "erasures.create",
    "listErasures": "erasures.page",
    "getErasure": "erasures.get",
    "createLegalHold": "erasures.place_hold",
    "listLegalHolds": "erasures.holds_page",
    "releaseLegalHold": "erasures.release_hold",
    "getProjectRetention": "retention.of_project",
    "changeProjectRetention": "retention.change_project",
    "getRetention": "retention.of_account",
    "changeRetention": "retention.change_account",
    "getReadLog": "run_reads.log",
    "keepReadLog": "run_reads.keep_log",
    "listRunReads": "run_reads.page",
    "readDue": "retention.due",
    "beginPassing": "retention.begin",
    "listPassings": "retention.page",
    "getPassing": "retention.get",
    "recordRun": "runs.create",
    "recordRuns": "runs.create_many",
    "listRuns": "runs.page",
    "getRun": "runs.get",
    "appendCalls": "runs.append_calls",
    "finishRun": "runs.finish",
    "recordCorrection": "corrections.create",
    "listWaitingCorrections": "corrections.waiting.page",
    "getWaitingCorrection": "corrections.waiting.get",
    "withdrawCorrection": "corrections.waiting.withdraw",
    "listCorrections": "corrections.page",
    "getCorrection": "corrections.get",
    "changeCorrection": "corrections.change",
    "summarizeCorrections": "corrections.summary",
    "readAgreement": "corrections.agreement",
    "unregisterCorrection": "corrections.unregister",
    "correctionHistory": "corrections.history_page",
    "createCorrectorGroup": "corrector_groups.create",
    "listCorrectorGroups": "corrector_groups.page",
    "getCorrectorGroup": "corrector_groups.get",
    "changeCorrectorGroup": "corrector_groups.change",
    "retireCorrectorGroup": "corrector_groups.retire",
    "createTestRun": "test_runs.create",
    "listTestRuns": "test_runs.page",
    "getTestRun": "test_runs.get",
    "listVerdicts": "test_runs.verdicts_page",
    "summarizeTestRun": "test_runs.summary",
    "claimCases": "test_runs.claim",
    "renewLease": "test_runs.renew",
    "submitResults": "test_runs.submit",
    "finishTestRun": "test_runs.finish",
    "cancelTestRun": "test_runs.cancel",
    "createReviewQueue": "review_queues.create",
    "listReviewQueues": "review_queues.page",
    "getReviewQueue": "review_queues.get",
    "changeReviewQueue": "review_queues.change",
    "closeReviewQueue": "review_queues.close",
    "claimRun": "review_queues.claim",
    "answerClaim": "review_queues.answer",
    "releaseClaim": "review_queues.release",
    "skipClaim": "review_queues.skip",
    "listReviewItems": "review_queues.items_page",
    "adjudicateItem": "review_queues.adjudicate",
    "recordArtifact": "artifacts.record",
    "listArtifacts": "artifacts.page",
    "getArtifact": "artifacts.get",
    "listArtifactLines": "artifacts.lines_page",
    "recordLesson": "lessons.record",
    "listLessons": "lessons.page",
    "getLesson": "lessons.get",
    "lessonHistory": "lessons.history_page",
    "updateLesson": "lessons.update",
    "deleteLesson": "lessons.delete",
    "readBriefing": "lessons.briefing",
    "countStops": "lessons.count_stops",
    "createScholar": "scholars.create",
    "listScholars": "scholars.page",
    "getScholar": "scholars.get",
    "changeScholar": "scholars.change",
    "claimScholar": "scholars.claim",
    "listScholarClaims": "scholars.claims_page",
    "approveScholarClaim": "scholars.approve",
    "rejectScholarClaim": "scholars.reject",
    "withdrawScholarClaim": "scholars.withdraw",
    "listAnnotationRuns": "annotations.runs_page",
    "getAnnotationRun": "annotations.run",
    "getAnnotation": "annotations.get",
    "acceptAnnotation": "annotations.accept",
    "rejectAnnotation": "annotations.reject",
    "listInteractions": "interactions.page",
    "getInteraction": "interactions.get",
    "submitCorrection": "interactions.correct",
    "rateInteraction": "interactions.rate",
    "listOutputs": "interactions.outputs_page",
    "getOutput": "interactions.output",
    "searchKnowledge": "knowledge.search",
    "summarizeArtifact": "knowledge.summary",
    "interpretToken": "knowledge.interpret",
    "interpretWordAt": "knowledge.interpret_at",
    "readEvents": "events.page",
    "listAgents": "agents.page",
    "getAgent": "agents.get",
    "patchAgent": "agents.patch",
    "listFlows": "flows.page",
    "getFlow": "flows.get",
    "patchFlow": "flows.patch",
}

BY_ANOTHER_VERB = {"recordCorrection": {"whenRunMissing", "projectId"}}
"""What only another verb of the client says, here `corrections.hold`."""


class Api:
    """The OpenAPI document as the server gives it."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._schemas = document["components"]["schemas"]
        paths = [methods for path, methods in document["paths"].items() if path.startswith("/v1/")]
        self.operations = {one["operationId"]: one for methods in paths for one in methods.values()}

    def resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema itself where it is a reference to one."""
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rpartition("/")[2]]
        return schema

    def can_be_said(self, operation: dict[str, Any]) -> set[str]:
        """Every field of the body and every parameter of path and query."""
        names = {one["name"] for one in operation.get("parameters", []) if one["in"] != "header"}
        return names | set(self._content(operation.get("requestBody", {})).get("properties", {}))

    def answered(self, operation: dict[str, Any]) -> dict[str, Any]:
        """The schema of a successful answer; of a list, of its entries."""
        good = next(answer for status, answer in operation["responses"].items() if status[0] == "2")
        whole = self._content(good)
        return whole.get("properties", {}).get("data", {}).get("items", whole)

    def unknown(self, schema: dict[str, Any], record: type[Record], place: str = "") -> Iterator[str]:
        """The places of an answer for which a record has no field, all the way down."""
        hints = get_type_hints(record)
        known = {camel(field.name): hints[field.name] for field in fields(record)}
        for name, inner in self.resolved(schema).get("properties", {}).items():
            if name not in known:
                yield f"{place}/{name}"
            elif (below := record_in(known[name])) is not None:
                yield from self.unknown(self.resolved(inner).get("items", inner), below, f"{place}/{name}")

    def _content(self, message: dict[str, Any]) -> dict[str, Any]:
        content = message.get("content", {})
        return self.resolved(content["application/json"]["schema"]) if content else {}


def record_in(hint: Any) -> type[Record] | None:
    """The record in an annotation such as `Page[Run]`, `Token | None` or `tuple[Item, ...]`."""
    if isinstance(hint, type) and issubclass(hint, Record):
        return hint
    return next((found for part in get_args(hint) if (found := record_in(part))), None)


def verb_for(operation_id: str) -> inspect.Signature:
    thing: Any = Setright("http://127.0.0.1:1", "secret")
    for name in VERBS[operation_id].split("."):
        thing = getattr(thing, name)
    return inspect.signature(thing)


@pytest.fixture(scope="module")
def api(real_client: Setright) -> Api:
    return Api(real_client.openapi())


def test_every_operation_has_a_verb_and_every_verb_an_operation(api: Api) -> None:
    assert set(VERBS) == set(api.operations)


def test_a_verb_takes_all_that_can_be_said_to_its_operation(api: Api) -> None:
    for name, operation in api.operations.items():
        taken = {camel(parameter) for parameter in verb_for(name).parameters} | BY_ANOTHER_VERB.get(
            name, set()
        )
        assert api.can_be_said(operation) - taken == set(), name


def test_a_verb_knows_all_that_its_operation_answers(api: Api) -> None:
    for name, operation in api.operations.items():
        record = record_in(verb_for(name).return_annotation)
        if record is not None:
            assert list(api.unknown(api.answered(operation), record)) == [], name
