"""Refusals in words for an assistant: what was wrong, what is allowed, and the next call."""

import re
from collections.abc import Mapping
from typing import Any, cast

from setright.faces.mcp.arguments import ToolFault
from setright.faces.mcp.spelling import place, tool_name
from setright.kernel.errors import Refusal

NEXT: Mapping[str, str] = {
    "lesson-not-found": "Call corrections_list to find ids.",
    "run-not-found": "Ids of runs come from whoever made the run; run_get reads one.",
    "artifact-not-found": "Call semantic_search to find ids.",
    "interaction-not-found": "Every answer of semantic_search, summarize_artifact and interpret_token has its interaction_id.",
    "project-not-found": "Call decisions_list_spaces to find ids.",
    "permission-denied": "Call decisions_list_spaces for the spaces that you may use.",
    "invalid-cursor": "Use the next_page_token of the page before, or leave page_token out.",
    "rate-limited": "Wait a moment, then call again.",
    "similar-rule": "No tool takes `over`: do it with PATCH on /v1/lessons/{id}, or by `setright lessons adopt`.",
    "storage-unavailable": "Wait a moment, then call again with the same arguments.",
    "idempotency-key-in-flight": "Wait a moment, then call again with the same arguments.",
    "idempotency-key-body-mismatch": "Use another idempotency_key for another call.",
}
"""What to do next, by the code of the refusal."""
_NAMED_FIRST = re.compile(r"\A[a-z]+[A-Z][A-Za-z]*(?=: )")
"""A field of the HTTP API at the beginning of a sentence about it."""


def told(refusal: Refusal) -> str:
    """A refusal as the text of a tool's error."""
    faults = cast("list[dict[str, str]]", refusal.details.get("faults", []))
    lines = [_fault(fault) for fault in faults] or [_sentence(refusal)]
    if refusal.retry_after is not None:
        lines.append(f"Retry in {refusal.retry_after} s.")
    if refusal.code in NEXT:
        lines.append(NEXT[refusal.code])
    return " ".join(lines) if not faults else "\n".join(lines)


def fault(refusal: Refusal) -> ToolFault:
    """A refusal as the fault of a call."""
    return ToolFault(told(refusal))


def _sentence(refusal: Refusal) -> str:
    if refusal.code == "invalid-cursor":
        return "page_token: was not made by this list."
    message = _NAMED_FIRST.sub(lambda at: tool_name(at[0]), refusal.message, count=1)
    allowed = refusal.details.get("allowed")
    if isinstance(allowed, list) and allowed:
        return f"{message} Allowed: {', '.join(map(str, cast('list[Any]', allowed)))}."
    return message


def _fault(found: Mapping[str, Any]) -> str:
    where = place(found["pointer"]) if found["pointer"] else "the arguments"
    allowed = f"; allowed: {found['allowed']}" if "allowed" in found else ""
    return f"{where}: {found['fault']}{allowed}."
