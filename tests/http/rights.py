"""What each route needs of its caller, and the callers who have one step less."""

from dataclasses import dataclass

from sqlalchemy import Table, bindparam, select

from setright.app.schema import TABLES
from setright.faces.http.route import Route
from setright.kernel.actor import SCOPES
from setright.storage import Snapshot, Sql
from tests.http.support import Caller
from tests.http.writes import made_things

TOKEN, OWN, SCOPE = "a token", "shows what may be read", "the scope"
READ, WRITE, ADMIN = "read", "write", "admin"
SOME_ADMIN, TENANT = "admin of any project", "admin of the tenant"
PERSON, PERSON_OR_ADMIN = "a person", "a person or the scope admin"

NEEDS = {
    TOKEN: "listProjects me readLimits listTokens listSessions createToken",
    OWN: """
        listRuns listCorrections listCorrectorGroups getCorrectorGroup listReviewQueues summarizeCorrections
        readAgreement listWaitingCorrections readEvents listAgents listFlows
        listTestRuns listLessons readBriefing listTraces
    """,
    SCOPE: """
        createScholar listScholars getScholar claimScholar listScholarClaims withdrawScholarClaim listAnnotationRuns
        getAnnotationRun getAnnotation listInteractions getInteraction submitCorrection rateInteraction listOutputs
        getOutput searchKnowledge summarizeArtifact interpretToken interpretWordAt recordArtifact listArtifacts
        getArtifact listArtifactLines acceptAnnotation rejectAnnotation
    """,
    READ: """
        getRun getCorrection correctionHistory getReviewQueue listReviewItems getAgent getFlow getWaitingCorrection
        listPins listRunning listToolEffects getTestRun listVerdicts summarizeTestRun getLesson lessonHistory
        countStops getProject listMembers listAgentDeploys listFlowDeploys getProjectRetention getReadLog getTrace
    """,
    WRITE: """
        recordRun recordRuns appendCalls finishRun recordCorrection claimRun answerClaim releaseClaim skipClaim
        patchAgent patchFlow createTestRun claimCases renewLease submitResults finishTestRun cancelTestRun
        recordLesson updateLesson deleteLesson changeCorrection unregisterCorrection withdrawCorrection
        deployAgent deployFlow pinVersion unpinVersion setToolEffect dropToolEffect
    """,
    ADMIN: """
        createReviewQueue changeReviewQueue closeReviewQueue adjudicateItem renameProject putMember removeMember
        changeProjectRetention keepReadLog listRunReads
    """,
    SOME_ADMIN: "listUsers getUser",
    TENANT: """
        createCorrectorGroup changeCorrectorGroup retireCorrectorGroup changeScholar approveScholarClaim
        rejectScholarClaim createProject createUser changeUser disableUser inviteUser endSession getToken rotateToken revokeToken listJobs
        getJob cancelJob retryJob createErasure listErasures getErasure createLegalHold listLegalHolds releaseLegalHold
        getRetention changeRetention readDue beginPassing listPassings getPassing
    """,
}
"""The least that a caller needs, to the routes that need it; for a scope see `app/catalog.py`."""

PERSONAL = {
    PERSON: "deleteLesson acceptAnnotation rejectAnnotation createToken inviteUser",
    PERSON_OR_ADMIN: """
        changeCorrection unregisterCorrection withdrawCorrection deployAgent deployFlow pinVersion unpinVersion
        setToolEffect dropToolEffect
    """,
}
"""What services do not do, or only with the scope admin; corrections, where they are not their own."""

NOT_IN_PROJECT = ("outsider",)
STEPS = {
    TOKEN: (),
    OWN: (),
    SCOPE: (),
    READ: NOT_IN_PROJECT,
    WRITE: (*NOT_IN_PROJECT, "reader", "reader of all"),
    ADMIN: (*NOT_IN_PROJECT, "reader", "reader of all", "writer", "writer of all"),
    SOME_ADMIN: (*NOT_IN_PROJECT, "reader", "reader of all", "writer", "writer of all"),
    TENANT: (*NOT_IN_PROJECT, "reader", "writer", "admin", "reader of all", "writer of all"),
}
"""Who has less than is needed."""
_READERS = ("reader", "reader of all")
OTHERWISE: dict[str, dict[str, str]] = {
    **{
        name: {"outsider": "agent-not-found"}
        for name in ["getAgent", "patchAgent", "deployAgent", "listAgentDeploys"]
    },
    **{
        name: {"outsider": "flow-not-found"}
        for name in ["getFlow", "patchFlow", "deployFlow", "listFlowDeploys"]
    },
    **{name: dict.fromkeys(_READERS, "review-claim-not-found") for name in ("releaseClaim", "skipClaim")},
    "recordRuns": dict.fromkeys(("outsider", *_READERS), ""),
    "countStops": {"outsider": ""},
}
"""What is told instead of `permission-denied`: agents and flows are of all the projects that have them, claims are of
who made them, and what is sent in batches is answered entry by entry, which is told by an empty text."""
ENOUGH = {
    TOKEN: "outsider",
    OWN: "reader",
    SCOPE: "outsider",
    READ: "reader",
    WRITE: "writer",
    ADMIN: "admin",
    SOME_ADMIN: "admin",
    TENANT: "owner",
}
"""Who has just what is needed."""


ITS_OWN = [
    "answerClaim",
    "releaseClaim",
    "skipClaim",
    "withdrawScholarClaim",
    "acceptAnnotation",
    "rejectAnnotation",
]
"""Routes on which only who made the claim, or speaks as the scholar, has enough: here the owner."""


def need_of(route: Route) -> str:
    """The least that a route needs; a test says which route has no row."""
    return next((need for need, names in NEEDS.items() if route.name in names.split()), TOKEN)


def is_personal(route: Route, how: str) -> bool:
    """Whether a route is one of those that are for persons in this way."""
    return route.name in PERSONAL[how].split()


def has_scope(route: Route) -> bool:
    """Whether a token can be too narrow for a route: by the scope that it names, else by not being whole."""
    return route.does.scope != "" or need_of(route) in (ADMIN, SOME_ADMIN, TENANT) or route.writes


@dataclass(frozen=True, slots=True)
class People:
    """A tenant in which there is something of every kind, its admin, and people who may do less.

    All of them have every scope of a writer, because of a project of their own: what they lack is a role.
    """

    made: dict[str, str]
    owner: Caller
    by_name: dict[str, Caller]

    def without(self, scope: str) -> dict[str, Caller]:
        """The admin, and an admin's service, with tokens that have every scope but one, and admin."""
        scopes = [one for one in SCOPES if one not in (scope, "admin")]
        body = {"kind": "user", "name": "narrowed", "scopes": scopes}
        narrowed = self.owner.post("/v1/tokens", body)
        assert narrowed.status_code == 201, narrowed.text
        return {
            "narrowed": self.owner.with_token(narrowed.json()["secret"]),
            "narrowed service": self.owner.service("admin", scopes=scopes),
        }


def people(owner: Caller) -> People:
    """The people of a fresh tenant."""
    made = made_things(owner)
    owner.post("/v1/projects", {"id": "elsewhere", "name": "Elsewhere"})
    by_name = {
        "outsider": _member(owner, "outsider", None, None),
        "reader": _member(owner, "reader", "read", None),
        "writer": _member(owner, "writer", "write", None),
        "admin": _member(owner, "admin", "admin", None),
        "reader of all": _member(owner, "reader of all", None, "read"),
        "writer of all": _member(owner, "writer of all", None, "write"),
        "owner": owner,
        "service": owner.service("write"),
        "admin's service": owner.service("admin"),
        "nobody": owner.user("nobody"),
    }
    return People({**made, "session": owner.user("guest").session()[0]}, owner, by_name)


def _member(owner: Caller, name: str, role: str | None, of_tenant: str | None) -> Caller:
    person = owner.user(name, of_tenant)
    for project, given in (("elsewhere", "write"), ("default", role)):
        if given is not None:
            path = f"/v1/projects/{project}/members/{person.id}"
            assert owner.send("PUT", path, {"role": given}).status_code < 300
    return person


def everything(caller: Caller) -> dict[str, list[str]]:
    """All rows of a caller's tenant, and those that are no tenant's, to see whether anything changed."""

    def read(at: Snapshot) -> dict[str, list[str]]:
        return {name: sorted(map(str, at.all(sql, tenant=caller.tenant_id))) for name, sql in _ROWS.items()}

    return caller.app.store.read(read).result(20)


def _rows(table: Table) -> Sql:
    whole, column = select(table), table.c.id if table.name == "tenants" else table.c.get("tenant_id")
    return Sql(whole if column is None else whole.where(column == bindparam("tenant")))


_ROWS = {table.name: _rows(table) for table in TABLES}
