"""How a briefing is handed to each coding agent."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

LONGEST: Final = 9_000
PRINTED: Final = ("text", "claude")
AS_JSON: Final = ("gemini", "vscode", "cursor")
FORMATS: Final = (*PRINTED, *AS_JSON)
# How the server writes the words for each: as plain text, or such that no markdown in them acts.
WORDS: Final = {form: form if form in PRINTED else "markdown" for form in FORMATS}


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


def _of_session(told: str) -> Mapping[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": told}}


_JSON: Mapping[str, Callable[[str], Mapping[str, Any]]] = {
    "gemini": _of_session,
    "vscode": _of_session,
    "cursor": lambda told: {"additional_context": told},
}
