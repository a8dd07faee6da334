"""The examples of the OpenAPI document: one small story of a refund that went wrong."""

from typing import Any

Sample = dict[str, Any]

AT = "2026-01-05T01:00:00.000000Z"
LATER = "2026-01-05T02:00:00.000000Z"
TENANT = "ten_01KE5MCQ800000000000000000"
WHO: Sample = {"kind": "user", "id": "usr_01KE5MCQ800000000000000001"}
WHAT_RAN: Sample = {"kind": "agent", "id": "refunds", "version": "v1"}

NEW_PROJECT: Sample = {"id": "support", "name": "Support"}
PROJECT: Sample = {**NEW_PROJECT, "tenantId": TENANT, "createdAt": AT, "updatedAt": AT}

NEW_USER: Sample = {"name": "maria", "email": "maria@example.org"}
USER: Sample = {
    "id": "usr_01KE5MCQ800000000000000002",
    "tenantId": TENANT,
    **NEW_USER,
    "createdAt": AT,
    "updatedAt": AT,
}

MEMBER_ROLE: Sample = {"kind": "user", "role": "write", "reviewerRole": "senior"}
MEMBER: Sample = {
    "projectId": PROJECT["id"],
    "kind": "user",
    "id": USER["id"],
    "name": USER["name"],
    "role": "write",
    "reviewerRole": "senior",
    "addedAt": AT,
}

NEW_TOKEN: Sample = {
    "kind": "service",
    "name": "refund agent",
    "projectId": PROJECT["id"],
    "role": "write",
    "scopes": ["corrections:read", "corrections:write"],
    "expiresAt": "2036-01-05T01:00:00Z",
}
TOKEN: Sample = {
    "id": "tok_01KE5MCQ800000000000000003",
    "tenantId": TENANT,
    **NEW_TOKEN,
    "createdBy": WHO,
    "createdAt": AT,
    "expiresAt": "2036-01-05T01:00:00.000000Z",
}
ISSUED_TOKEN: Sample = {
    **TOKEN,
    "secret": "srt_01KE5MCQ800000000000000003" + "0" * 43 + "000000",
}
ME: Sample = {
    **WHO,
    "tenantId": TENANT,
    "tenantName": "local",
    "name": "admin",
    "role": "admin",
    "scopes": ["admin"],
    "projects": [{"id": PROJECT["id"], "role": "admin"}],
}

CALLS: list[Sample] = [
    {"tool": "find_order", "args": {"order": "A-17"}, "result": {"paid": 40, "daysAgo": 9}},
    {"tool": "reject_refund", "args": {"order": "A-17"}, "result": "ok"},
]
NEW_RUN: Sample = {
    "id": "refund-1042",
    "projectId": PROJECT["id"],
    "subject": WHAT_RAN,
    "input": {"question": "Can I send back order A-17?"},
    "calls": CALLS,
    "output": {"decision": "rejected", "days": 30},
    "answer": "No, 30 days are over.",
    "participantId": "customer-7",
    "tags": ["refund"],
}
_WHAT_STANDS: Sample = {
    "tenantId": TENANT,
    "projectId": PROJECT["id"],
    "subject": WHAT_RAN,
}
RUN: Sample = {
    "id": NEW_RUN["id"],
    **_WHAT_STANDS,
    "status": "completed",
    "participantId": "customer-7",
    "tags": ["refund"],
    "callCount": 2,
    "recordedBy": WHO,
    "createdAt": AT,
    "finishedAt": AT,
}
RUN_IN_FULL: Sample = {
    **RUN,
    "input": NEW_RUN["input"],
    "calls": CALLS,
    "output": NEW_RUN["output"],
    "answer": NEW_RUN["answer"],
}
NEW_CALLS: Sample = {"position": 0, "calls": CALLS[:1]}
RUNNING: Sample = {
    "id": "refund-1043",
    **_WHAT_STANDS,
    "status": "running",
    "callCount": 1,
    "recordedBy": WHO,
    "createdAt": AT,
}
FINISH: Sample = {"status": "completed", "output": {"decision": "paid"}, "answer": "Yes, within 14 days."}
FINISHED: Sample = {**RUNNING, "status": "completed", "finishedAt": LATER}

_SAID: Sample = {
    "decisions": "wrong",
    "shouldCall": [{"tool": "pay_refund", "args": {"order": "A-17"}}],
    "mustNotCall": ["reject_refund"],
    "answer": "wrong",
    "shouldSay": "Yes, within 14 days.",
    "why": "The order was 9 days old.",
    "items": [{"key": "decision", "pointer": "/decision", "verdict": "wrong"}],
    "answerMatch": {"how": "contains", "values": ["14 days"]},
    "evidence": ["https://example.org/refund-rules"],
}
CHANGE: Sample = {
    "status": "being-fixed",
    "sortedTo": "developer",
    "reason": "the tool is wrong",
    "statusNote": "on it",
}
NEW_CORRECTION: Sample = {"runId": RUN["id"], **_SAID}
CORRECTION: Sample = {
    "id": "cor_01KE5MCQ800000000000000004",
    "tenantId": TENANT,
    "projectId": PROJECT["id"],
    "runId": RUN["id"],
    "subject": WHAT_RAN,
    **{name: said for name, said in _SAID.items() if name not in ("answerMatch", "evidence")},
    "madeBy": WHO,
    "answerMatch": _SAID["answerMatch"],
    "evidence": _SAID["evidence"],
    "status": "with-owner",
    "sortedTo": "owner",
    "sorted": {"by": {"kind": "rule"}, "at": LATER},
    "createdAt": LATER,
    "updatedAt": LATER,
}
COPY: Sample = {name: NEW_RUN[name] for name in ("input", "calls", "output", "answer")}
EVENT: Sample = {
    "seq": 7,
    "at": LATER,
    "by": WHO,
    "kind": "correction.recorded",
    "subject": {"kind": "correction", "id": CORRECTION["id"]},
    "projectId": PROJECT["id"],
    "changed": ["status"],
    "about": RUN["id"],
}

SUBJECT_CHANGES: Sample = {"name": "Refunds", "description": "Decides whether an order can be sent back."}
SUBJECT: Sample = {**WHAT_RAN, "createdAt": AT, "updatedAt": AT}
del SUBJECT["version"]
VERSIONS: list[Sample] = [{"version": "v1", "firstSeenAt": AT}]
