"""How a briefing looks on the wire, and what hooks stopped because of it."""

from typing import Any

from setright.faces.http.samples import LATER, PROJECT, WHAT_RAN, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, ShouldCall, Time, absent
from setright.faces.http.shapes import Wire, present, time, who
from setright.faces.http.wire.lessons import ADOPTED, LESSON
from setright.kernel.clock import to_wire
from setright.lessons import Briefing as BriefingRecord
from setright.lessons import CountedStops as CountedStopsRecord
from setright.lessons import Explained, KindWord, NoticedWord, OpenLesson, SeverityWord, StatusWord
from setright.lessons import RuleInForce as RuleRecord


class RuleInForce(Shape):
    """A rule that agents follow."""

    id: str
    project_id: str = absent("Where it counts; absent for the whole account.")
    agent: str = absent("Whom it is for; absent for every agent.")
    kind: KindWord
    severity: SeverityWord
    rule: str
    status: StatusWord
    broken_again: int
    until: Time = absent("Until when it counts.")
    must_not_call: list[ShouldCall] = absent("Calls that it forbids.")
    adopted_by: Principal
    adopted_at: Time
    verified_at: Time = absent("When a person verified it; absent where none did.")


class UndecidedLesson(Shape):
    """A lesson that nobody has decided on: data about what happened, no instruction."""

    id: str
    project_id: str = absent("Where it counts; absent for the whole account.")
    agent: str = absent("Whom it is for; absent for every agent.")
    kind: KindWord
    severity: SeverityWord
    noticed_by: NoticedWord
    what_happened: str
    rule: str = absent("A rule that somebody proposed.")
    created_at: Time


class ForbiddenCalls(Shape):
    """What a rule forbids, for a hook that refuses it."""

    id: str
    rule: str
    until: Time = absent("Until when it counts.")
    must_not_call: list[ShouldCall]


class WhyInOrOut(Shape):
    """Why a lesson's rule is in the briefing or not."""

    lesson_id: str
    is_in: bool
    why: str
    rule: str = absent("The rule; absent where there is none.")


class Briefing(Shape):
    """What an agent is told when a session begins."""

    agent: str = absent("Whom it is for; absent where only what is for every agent was asked for.")
    project_id: str = absent("For which project; absent for all that the caller may read.")
    briefing: str
    rules: list[RuleInForce]
    open: list[UndecidedLesson]
    left_out: int
    guard: list[ForbiddenCalls]
    explained: list[WhyInOrOut] = absent("With `explain`: why rules are in or out.")
    explanation: str = absent("With `explain`: the same as text.")


class CountedStops(Shape):
    """What was counted of stopped calls."""

    counted: int
    unknown: list[str] = absent("Lessons that are not there, or that the caller cannot see.")


def briefing(told: BriefingRecord) -> Wire:
    """A briefing as JSON."""
    asked = told.asked
    return present(
        {
            "agent": asked.agent or None,
            "projectId": asked.project_id,
            "briefing": told.text,
            "rules": [rule(one) for one in told.rules],
            "open": [_undecided(one) for one in told.open],
            "leftOut": told.left_out,
            "guard": [_forbids(one) for one in told.guard],
            "explained": [_why(one) for one in told.explained] if asked.explain else None,
            "explanation": told.explanation,
        }
    )


def rule(one: RuleRecord) -> Wire:
    """A rule as a briefing holds it."""
    return present(
        {
            "id": one.id,
            "projectId": one.project_id,
            "agent": one.agent or None,
            "kind": one.kind,
            "severity": one.severity,
            "rule": one.rule,
            "status": one.status,
            "brokenAgain": one.broken_again,
            "until": time(one.until),
            "mustNotCall": one.must_not_call or None,
            "adoptedBy": who(one.adopted_by_kind, one.adopted_by_id),
            "adoptedAt": to_wire(one.adopted_at),
            "verifiedAt": time(one.verified_at),
        }
    )


def stops(found: CountedStopsRecord) -> Wire:
    """What was counted of stopped calls."""
    return present({"counted": found.counted, "unknown": found.unknown or None})


def _undecided(one: OpenLesson) -> Wire:
    return present(
        {
            "id": one.id,
            "projectId": one.project_id,
            "agent": one.agent or None,
            "kind": one.kind,
            "severity": one.severity,
            "noticedBy": one.noticed_by,
            "whatHappened": one.what_happened,
            "rule": one.rule,
            "createdAt": to_wire(one.created_at),
        }
    )


def _forbids(one: RuleRecord) -> Wire:
    calls = one.must_not_call
    return present({"id": one.id, "rule": one.rule, "until": time(one.until), "mustNotCall": calls})


def _why(one: Explained) -> Wire:
    return present({"lessonId": one.lesson_id, "isIn": one.is_in, "why": one.why, "rule": one.rule})


_RULE_NAMES = ("id", "projectId", "agent", "kind", "severity", "rule", "brokenAgain", "until", "mustNotCall")
_RULE: Sample = {name: ADOPTED[name] for name in _RULE_NAMES}
BRIEFING: Sample = {
    "agent": WHAT_RAN["id"],
    "projectId": PROJECT["id"],
    "briefing": f"## Rules for {WHAT_RAN['id']}\n- {ADOPTED['rule']} [high severity]\n",
    "rules": [{**_RULE, "status": "adopted", "adoptedBy": WHO, "adoptedAt": LATER}],
    "open": [],
    "leftOut": 0,
    "guard": [{name: ADOPTED[name] for name in ("id", "rule", "until", "mustNotCall")}],
}
NEW_STOPS: dict[str, Any] = {"stops": [{"lessonId": LESSON["id"], "count": 2}]}
COUNTED: Sample = {"counted": 2}
