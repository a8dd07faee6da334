"""How a briefing is handed to each coding agent."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from setright.hooks.inert import inert

LONGEST: Final = 9_000
PRINTED: Final = ("text", "claude")
AS_JSON: Final = ("gemini", "vscode", "cursor")
FORMATS: Final = (*PRINTED, *AS_JSON)
# The words in which the server writes each: as plain text, or such that no markdown acts.
WORDS: Final = {
    "text": "text",
    "claude": "claude",
    "gemini": "markdown",
    "vscode": "markdown",
    "cursor": "markdown",
}


def shaped(text: str, form: str) -> str:
    """What is printed for a briefing; of an empty one nothing, or `{}` where the agent wants JSON."""
    told = text.strip()
    if form in AS_JSON:
        return json.dumps(_JSON[form](told) if told else {}) + "\n"
    return f"{told}\n" if told else ""


def noted(text: str, note: str) -> str:
    """The briefing with a line below it, whole lines left out at its end where both do not fit."""
    lines = text.rstrip().splitlines()
    while lines and sum(len(line) + 1 for line in lines) + len(note) + 1 > LONGEST:
        lines.pop()
    return "\n".join([*lines, "", note]) if lines else ""


def explained(document: Mapping[str, Any]) -> str:
    """Why each rule is in the briefing, and of the lessons that were asked for why it is in or out."""
    told = {str(rule["id"]): ("in", _why_in(rule), str(rule["rule"])) for rule in document["rules"]}
    for one in document.get("explained", ()):
        words = told.get(str(one["lessonId"]), ("", "", ""))[2]
        told[str(one["lessonId"])] = ("in" if one["isIn"] else "out", str(one["why"]), words)
    lines = [
        f"{lesson} {where}: {inert(why)} {inert(words)}".rstrip()
        for lesson, (where, why, words) in told.items()
    ]
    left_out = document.get("leftOut", 0)
    if left_out:
        lines.append(
            f"{left_out} more are in force and have no room. Name a lesson to learn why it is in or out."
        )
    return "\n".join(lines)


def _why_in(rule: Mapping[str, Any]) -> str:
    whom = "this agent" if rule.get("agent") else "every agent"
    where = f"project {rule['projectId']}" if rule.get("projectId") else "the whole account"
    broken = f" It was broken again {rule['brokenAgain']} times." if rule.get("brokenAgain") else ""
    return f"It is {rule['status']}, for {whom}, in {where}.{broken}"


def _of_session(told: str) -> Mapping[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": told}}


_JSON: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
    "gemini": _of_session,
    "vscode": _of_session,
    "cursor": lambda told: {"additional_context": told},
}
