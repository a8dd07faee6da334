"""How lessons look on the wire."""

from typing import Any, Literal

from setright.events import LoggedEvent
from setright.faces.http import schemas, shapes
from setright.faces.http.samples import AT, LATER, PROJECT, TENANT, WHAT_RAN, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, ShouldCall, Time, absent
from setright.faces.http.shapes import Wire, present, time, who
from setright.kernel.clock import to_wire
from setright.lessons import (
    KindWord,
    LessonEvent,
    NoticedWord,
    Recorded,
    SeverityWord,
    Similar,
    StatusWord,
    Updated,
)
from setright.lessons import Lesson as LessonRecord


class Lesson(Shape):
    """What an agent was corrected about, the rule that came of it, and where that stands."""

    id: str
    tenant_id: str
    project_id: str = absent("Where it counts; absent for the whole account.")
    agent: str = absent("Whom it is for; absent for every agent.")
    kind: KindWord
    severity: SeverityWord
    noticed_by: NoticedWord
    what_happened: str
    expected: str = absent("What the agent should have done.")
    rule: str = absent("What the agent is told from now on, once it is adopted.")
    status: StatusWord
    evidence: list[str] = absent("Links or citations.")
    session: str = absent("The session in which it happened.")
    broken_again: int
    duplicate_of: str = absent("With status duplicate: the lesson that it repeats.")
    supersedes: list[str] = absent("The lessons whose rules this one took the place of.")
    until: Time = absent("Until when the rule counts.")
    must_not_call: list[ShouldCall] = absent("Calls that the rule forbids.")
    from_correction_id: str = absent("The correction of a run that it comes from.")
    recorded_by: Principal
    adopted_by: Principal = absent("Who put the rule in force.")
    adopted_at: Time = absent("When.")
    verified_by: Principal = absent("The person who verified the rule.")
    verified_at: Time = absent("When.")
    person_decides: bool = absent(
        "True where only a person adopts it, because a person dismissed or retired it and no person took that back."
    )
    created_at: Time
    updated_at: Time
    content_erased_at: Time = absent("When what it said was erased; its rule is in force no more.")
    stops: int = absent(
        "How many calls its rule stopped; only when one lesson is read, and only where there were any."
    )


class SimilarRule(Shape):
    """A rule in force that is like this one, and the words in which they differ."""

    id: str
    project_id: str = absent("Where it counts; absent for the whole account.")
    agent: str = absent("Whom it is for; absent for every agent.")
    rule: str
    status: StatusWord
    likeness: float
    only_here: list[str]
    only_there: list[str]
    numbers: list[str] = absent("The numbers among these words.")
    negations: list[str] = absent("The negations among these words.")
    differs_only_in: Literal["negation", "number"] = absent("That this is all in which they differ.")


class UpdatedLesson(Lesson):
    """A lesson as a change left it."""

    similar_rules: list[SimilarRule] = absent(
        "Where a rule was put in force: the five in force that are nearest."
    )
    waits_for_person: bool = absent(
        "True where nothing was changed: the rule differs from one in force only in a negation or a number, and a "
        "person says what is meant."
    )

    sessions_still_have_it: int = absent(
        "Where this retired it: how many sessions of the last 90 days were told its rule, and go on with it."
    )


class RecordedLesson(Lesson):
    """A lesson as it was recorded."""

    similar_rules: list[SimilarRule] = absent(
        "The five rules in force that are nearest; absent without a rule."
    )
    recurrence_of: str = absent("The earlier lesson whose rule was broken again: it recurred.")


class LessonEventShape(schemas.Event):
    """Something that happened to a lesson."""

    rule: str = absent("The words in which this put the rule.")
    until: Time = absent("Until when the rule counted then.")
    must_not_call: list[ShouldCall] = absent("The calls that it forbade then.")


def lesson(made: LessonRecord) -> Wire:
    """A lesson as the contract orders it."""
    adopted, verified = made.adopted, made.verified
    return present(
        {
            "id": made.id,
            "tenantId": made.tenant_id,
            "projectId": made.project_id,
            "agent": made.agent or None,
            "kind": made.kind,
            "severity": made.severity,
            "noticedBy": made.noticed_by,
            "whatHappened": made.what_happened,
            "expected": made.expected,
            "rule": made.rule,
            "status": made.status,
            "evidence": made.evidence or None,
            "session": made.session,
            "brokenAgain": made.broken_again,
            "duplicateOf": made.duplicate_of,
            "supersedes": made.supersedes or None,
            "until": time(made.until),
            "mustNotCall": made.must_not_call or None,
            "fromCorrectionId": made.from_correction_id,
            "recordedBy": who(*made.recorded_by),
            "adoptedBy": None if adopted is None else who(adopted.kind, adopted.id),
            "adoptedAt": None if adopted is None else to_wire(adopted.at),
            "verifiedBy": None if verified is None else who(verified.kind, verified.id),
            "verifiedAt": None if verified is None else to_wire(verified.at),
            "personDecides": made.ended or None,
            "createdAt": to_wire(made.created_at),
            "updatedAt": to_wire(made.updated_at),
            "contentErasedAt": time(made.content_erased_at),
            "stops": made.stops or None,
        }
    )


def recorded(made: Recorded) -> Wire:
    """A lesson as it was recorded."""
    earlier = made.recurrence_of
    similar = None if made.lesson.rule is None else [similar_rule(one) for one in made.similar]
    told = {"similarRules": similar, "recurrenceOf": None if earlier is None else earlier.id}
    return present({**lesson(made.lesson), **told})


def similar_rule(one: Similar) -> Wire:
    """A rule in force that is like another one."""
    differs = one.difference
    return present(
        {
            "id": one.id,
            "projectId": one.project_id,
            "agent": one.agent or None,
            "rule": one.rule,
            "status": one.status,
            "likeness": round(one.likeness, 3),
            "onlyHere": differs.here,
            "onlyThere": differs.there,
            "numbers": differs.numbers or None,
            "negations": differs.negations or None,
            "differsOnlyIn": differs.only,
        }
    )


def updated(made: Updated) -> Wire:
    """A lesson as a change left it."""
    told = {
        "similarRules": [similar_rule(one) for one in made.similar] or None,
        "waitsForPerson": made.waits_for_person or None,
        "sessionsStillHaveIt": made.still_had_by,
    }
    return present({**lesson(made.lesson), **told})


def event(logged: LoggedEvent) -> Wire:
    """Something that happened to a lesson, with the words in which it put the rule."""
    words = logged.wording if isinstance(logged, LessonEvent) else None
    if words is None:
        return shapes.event(logged)
    return present(
        {
            **shapes.event(logged),
            "rule": words.rule,
            "until": time(words.until),
            "mustNotCall": words.must_not_call or None,
        }
    )


_SAID: Sample = {
    "projectId": PROJECT["id"],
    "agent": WHAT_RAN["id"],
    "kind": "instruction",
    "severity": "high",
    "noticedBy": "person",
    "whatHappened": "It refused a refund without looking at the date of the order.",
    "expected": "Look up the order first.",
    "rule": "Look up the order before you refuse a refund.",
}
NEW_LESSON: Sample = {
    **_SAID,
    "evidence": ["https://example.org/refund-rules"],
    "session": "chat-7",
    "until": "2036-01-05T01:00:00Z",
    "mustNotCall": [{"tool": "reject_refund", "args": {"reason": "too late"}}],
}
LESSON: Sample = {
    "id": "les_01KE5MCQ80000000000000000E",
    "tenantId": TENANT,
    **_SAID,
    "status": "open",
    "evidence": NEW_LESSON["evidence"],
    "session": "chat-7",
    "brokenAgain": 0,
    "until": "2036-01-05T01:00:00.000000Z",
    "mustNotCall": NEW_LESSON["mustNotCall"],
    "recordedBy": WHO,
    "createdAt": AT,
    "updatedAt": AT,
}
RECORDED: Sample = {**LESSON, "similarRules": []}
CHANGE: Sample = {"status": "adopted", "rule": "Look up the order, and its date, before you refuse a refund."}
ADOPTED: Sample = {
    **LESSON,
    **CHANGE,
    "adoptedBy": WHO,
    "adoptedAt": LATER,
    "updatedAt": LATER,
}
EVENT: Sample = {
    "seq": 9,
    "at": LATER,
    "by": WHO,
    "kind": "lesson.adopted",
    "subject": {"kind": "lesson", "id": LESSON["id"]},
    "projectId": PROJECT["id"],
    "changed": ["status", "rule", "adoptedBy"],
    "rule": CHANGE["rule"],
}
EXAMPLE_PATH: dict[str, Any] = {"lessonId": LESSON["id"]}
