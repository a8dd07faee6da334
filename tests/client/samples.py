"""What a server answers about one run, one correction and one event."""

from typing import Any

MOMENT = "2026-11-30T10:00:00.123456Z"

SUBJECT = {"kind": "agent", "id": "refunds", "version": "v1"}

RUN: dict[str, Any] = {
    "id": "run_1",
    "tenantId": "ten_1",
    "projectId": "default",
    "subject": SUBJECT,
    "status": "completed",
    "input": {"order": 7},
    "calls": [{"tool": "refund", "args": {"order_id": 7}, "startedAt": MOMENT}],
    "output": None,
    "createdAt": MOMENT,
}

CORRECTION: dict[str, Any] = {
    "id": "cor_1",
    "tenantId": "ten_1",
    "projectId": "default",
    "runId": "run_1",
    "subject": SUBJECT,
    "decisions": "wrong",
    "shouldCall": [{"tool": "refund", "args": {}}],
    "madeBy": {"kind": "user", "id": "usr_1"},
    "status": "with-owner",
    "sortedTo": "owner",
    "sorted": {"by": {"kind": "rule"}, "at": MOMENT},
    "createdAt": MOMENT,
    "updatedAt": MOMENT,
}


def event(seq: int) -> dict[str, Any]:
    """The event with that number."""
    return {
        "seq": seq,
        "at": MOMENT,
        "by": {"kind": "user", "id": "usr_1"},
        "kind": "correction.recorded",
        "subject": {"kind": "correction", "id": "cor_1"},
        "changed": ["status"],
    }
