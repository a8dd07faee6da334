"""Records as they stand on the wire: camelCase, in a fixed order, absent where there is nothing and never null."""

from collections.abc import Mapping
from typing import Any

from setright.corrections import (
    MOVE_TOLD,
    Correction,
    CorrectionEvent,
    CorrectionWithCopy,
    Disagreement,
    SubjectTally,
)
from setright.events import LoggedEvent
from setright.faces.http.envelope import STATUS, error_of
from setright.identity import IssuedToken, Me, Member, Project, Token, User
from setright.kernel.clock import to_wire
from setright.runs import BatchOutcome, Run, RunInFull
from setright.subjects import Subject, SubjectInFull

Wire = dict[str, Any]


def present(whole: Wire) -> Wire:
    """The same without what is None."""
    return {name: value for name, value in whole.items() if value is not None}


def time(moment: int | None) -> str | None:
    """A moment as on the wire, None where there is none."""
    return None if moment is None else to_wire(moment)


def ordered(value: Mapping[str, Any] | None, names: tuple[str, ...]) -> Wire | None:
    """The named fields of a stored object, in this order."""
    return None if value is None else {name: value[name] for name in names if value.get(name) is not None}


def who(kind: str, identifier: str) -> Wire:
    """A principal as on the wire."""
    return {"kind": kind, "id": identifier}


def what_ran(of: Run | Correction | SubjectTally | Disagreement) -> Wire:
    """The agent or flow that something is about, at a version."""
    subject = of.subject
    return {"kind": subject.kind, "id": subject.id, "version": subject.version}


def correction(made: Correction) -> Wire:
    """A correction as the contract orders it."""
    said = made.said.get
    return present(
        {
            "id": made.id,
            "tenantId": made.tenant_id,
            "projectId": made.project_id,
            "runId": made.run_id,
            "subject": what_ran(made),
            "decisions": made.decisions,
            "shouldCall": said("shouldCall"),
            "mustNotCall": said("mustNotCall"),
            "answer": made.answer,
            "shouldSay": said("shouldSay"),
            "why": said("why"),
            "items": said("items"),
            "correctorGroupId": made.corrector_group_id,
            "expert": made.expert or None,
            "madeBy": who(made.made_by_kind, made.made_by_id),
            "participantId": made.participant_id,
            "callsMatch": said("callsMatch"),
            "callsOrder": said("callsOrder"),
            "answerMatch": said("answerMatch"),
            "evidence": said("evidence"),
            **_standing(made),
        }
    )


def _standing(made: Correction) -> Wire:
    """Where a correction stands."""
    return {
        "status": made.status,
        "sortedTo": made.sorted_to,
        "sorted": ordered(made.sorted, ("by", "reason", "at")),
        "link": ordered(made.link, ("kind", "id")),
        "fixedIn": ordered(made.fixed_in, ("version", "how", "by", "at")),
        "reopenedIn": ordered(made.reopened_in, ("version", "how", "by", "at")),
        "statusNote": ordered(made.status_note, ("text", "by", "at")),
        "createdAt": to_wire(made.created_at),
        "updatedAt": to_wire(made.updated_at),
        "unregisteredAt": time(made.unregistered_at),
        "supersededBy": made.superseded_by,
        "blind": made.blind,
        "adjudicates": made.adjudicates or None,
        "adjudicatedBy": made.adjudicated_by,
        "contentErasedAt": time(made.content_erased_at),
    }


def correction_with_copy(found: CorrectionWithCopy) -> Wire:
    """A correction with the copy of its run, and in each item the value to which its pointer leads."""
    whole = correction(found.correction)
    if found.values:
        whole["items"] = [
            {**item, "value": found.values[item["key"]]} if item["key"] in found.values else item
            for item in whole["items"]
        ]
    if found.copy:
        whole["copy"] = found.copy
    return whole


def run(made: Run) -> Wire:
    """A run without its content."""
    return present(
        {
            "id": made.id,
            "tenantId": made.tenant_id,
            "projectId": made.project_id,
            "subject": what_ran(made),
            "status": made.status,
            "participantId": made.participant_id,
            "tags": made.tags,
            "callCount": made.call_count,
            "recordedBy": who(made.recorded_by_kind, made.recorded_by_id),
            "createdAt": to_wire(made.created_at),
            "finishedAt": time(made.finished_at),
            "contentExpiredAt": time(made.content_expired_at),
            "contentErasedAt": time(made.content_erased_at),
        }
    )


def run_in_full(found: RunInFull) -> Wire:
    """A run with its content and a page of its calls; an output or input that is null is null here."""
    whole = run(found.run)
    content = found.content
    if content is not None:
        whole["input"] = content.input
        if content.messages is not None:
            whole["messages"] = content.messages
        whole["calls"] = found.calls
        if content.has_output:
            whole["output"] = content.output
        if content.answer is not None:
            whole["answer"] = content.answer
    if found.calls_next is not None:
        whole["callsNext"] = found.calls_next
    return whole


def batch(outcomes: list[BatchOutcome]) -> Wire:
    """What became of each run of a batch, in its order."""
    return {"results": [_outcome(outcome) for outcome in outcomes]}


def _outcome(outcome: BatchOutcome) -> Wire:
    if outcome.refusal is not None:
        refusal = outcome.refusal
        return {"index": outcome.index, "status": STATUS[refusal.kind], "error": error_of(refusal)}
    shown = None if outcome.run is None else run(outcome.run)
    return {"index": outcome.index, "status": 201 if outcome.created else 200, "run": shown}


def event(logged: LoggedEvent) -> Wire:
    """An event of the log."""
    return present(
        {
            "seq": logged.seq,
            "at": to_wire(logged.at),
            "by": who(logged.by_kind, logged.by_id),
            "kind": logged.kind,
            "subject": who(logged.subject_kind, logged.subject_id),
            "projectId": logged.project_id,
            "changed": logged.changed,
            "about": logged.about,
        }
    )


def correction_event(logged: LoggedEvent) -> Wire:
    """Something that happened to a correction, with what a move of it changed."""
    standing: Mapping[str, Any] = logged.standing if isinstance(logged, CorrectionEvent) else {}
    return {**event(logged), **{name: standing[name] for name in MOVE_TOLD if name in standing}}


def subject(found: Subject) -> Wire:
    """An agent or a flow."""
    return present(
        {
            "kind": found.kind,
            "id": found.id,
            "name": found.name,
            "description": found.description,
            "ownerId": found.owner_id,
            "latestVersion": found.latest_version,
            "createdAt": to_wire(found.created_at),
            "updatedAt": to_wire(found.updated_at),
        }
    )


def subject_in_full(found: SubjectInFull) -> Wire:
    """An agent or a flow with its versions in order."""
    versions = [
        present(
            {
                "version": version.version,
                "firstSeenAt": to_wire(version.first_seen_at),
                "deployedAt": time(version.deployed_at),
            }
        )
        for version in found.versions
    ]
    return {**subject(found.subject), "versions": versions}


def project(found: Project) -> Wire:
    """A project."""
    return {
        "id": found.id,
        "tenantId": found.tenant_id,
        "name": found.name,
        "createdAt": to_wire(found.created_at),
        "updatedAt": to_wire(found.updated_at),
    }


def member(found: Member) -> Wire:
    """A user's or a service token's role in a project."""
    return present(
        {
            "projectId": found.project_id,
            "kind": found.principal_kind,
            "id": found.principal_id,
            "name": found.principal_name,
            "role": found.role.word,
            "reviewerRole": found.reviewer_role,
            "addedAt": to_wire(found.added_at),
        }
    )


def user(found: User) -> Wire:
    """A user of the tenant."""
    return present(
        {
            "id": found.id,
            "tenantId": found.tenant_id,
            "name": found.name,
            "email": found.email,
            "externalId": found.external_id,
            "role": found.role.word if found.role else None,
            "createdAt": to_wire(found.created_at),
            "updatedAt": to_wire(found.updated_at),
            "disabledAt": time(found.disabled_at),
        }
    )


def token(found: Token) -> Wire:
    """A token without its secret."""
    return present(
        {
            "id": found.id,
            "tenantId": found.tenant_id,
            "kind": found.kind,
            "name": found.name,
            "userId": found.user_id,
            "projectId": found.project_id,
            "role": found.role.word if found.role else None,
            "scopes": found.scopes,
            "createdBy": who(found.created_by_kind, found.created_by_id),
            "createdAt": to_wire(found.created_at),
            "rotatedAt": time(found.rotated_at),
            "oldUntil": time(found.old_until),
            "expiresAt": time(found.expires_at),
            "revokedAt": time(found.revoked_at),
        }
    )


def issued_token(made: IssuedToken) -> Wire:
    """A token with its secret, which is shown this once."""
    return {**token(made.token), "secret": made.secret}


def me(found: Me) -> Wire:
    """Who calls, and what it may do; `role` counts in every project, `projects` are those with a role of their own."""
    return present(
        {
            "kind": found.kind,
            "id": found.id,
            "tenantId": found.tenant.id,
            "tenantName": found.tenant.name,
            "name": found.name,
            "role": found.tenant_role.word if found.tenant_role else None,
            "scopes": found.scopes,
            "projects": [{"id": project_id, "role": role.word} for project_id, role in found.roles.items()],
            "token": token(found.token) if found.token else None,
            "sessionId": found.session_id,
        }
    )
