"""A call of every tool that goes well, where an id can stand in it, and what it needs of its caller."""

from collections.abc import Mapping
from typing import Any

from setright.faces.mcp.tool import Tool
from tests.http.writes import filled

CALLS: dict[str, dict[str, Any]] = {
    "corrections_rules": {"space_id": "{project}"},
    "corrections_record": {
        "kind": "drift",
        "what_happened": "It saved over a newer version.",
        "noticed_by": "person",
        "space_id": "{project}",
    },
    "corrections_list": {"space_id": "{project}"},
    "corrections_update": {"correction_id": "{lesson}", "status": "adopted"},
    "decisions_list_spaces": {},
    "run_get": {"run_id": "{run}"},
    "run_correct": {"run_id": "{run}", "answer": "wrong", "should_say": "yes"},
    "semantic_search": {"q": "lugal"},
    "summarize_artifact": {"p_number": "{artifact}"},
    "interpret_token": {"p_number": "{artifact}", "token_id": "o.1.1"},
    "submit_correction": {
        "interaction_id": "{interaction}",
        "claim": "It is no house.",
        "correction": "a temple",
    },
}
"""Each tool's arguments, with what `made_things` made."""

PLACES: dict[str, dict[str, Any]] = {
    "account_id": {"account_id": "{tenant}"},
    "agent": {"agent": "{agent}"},
    "correction_id": {"correction_id": "{lesson}"},
    "corrector_group_id": {"corrector_group_id": "{group}"},
    "duplicate_of": {"status": "duplicate", "duplicate_of": "{lesson}"},
    "from_correction_id": {"space_id": "", "from_correction_id": "{correction}"},
    "idempotency_key": {"idempotency_key": "{key}"},
    "interaction_id": {"interaction_id": "{interaction}"},
    "p_number": {"p_number": "{artifact}"},
    "page_token": {"page_token": "{pageToken}"},
    "participant_id": {"participant_id": "{participant}"},
    "run_id": {"run_id": "{run}"},
    "scholar_id": {"scholar_id": "{scholar}"},
    "session": {"session": "{sitting}"},
    "space_id": {"space_id": "{project}"},
}
"""What is sent for an id, by the name of the argument."""

WORDS = """
    answer answer_match calls_match calls_order claim correction decisions evidence expected focus items kind limit
    line mode must_not_call noticed_by page_size position q rule severity should_call should_say status token_id types
    until what_happened why
""".split()  # noqa: SIM905
"""What else may be sent; a word of a text is named within the text, whose id stands beside it."""

NEEDS = {
    "read": "corrections_rules corrections_list run_get",
    "write": "corrections_record corrections_update run_correct",
    "shows what may be read": "decisions_list_spaces",
    "the scope": "semantic_search summarize_artifact interpret_token submit_correction",
}
"""The least role in the project that a tool needs, to the tools; for their scopes see the table of tools."""


def call_of(tool: Tool, made: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of a call that is about what was made."""
    return filled(CALLS[tool.name], made)


def call_with(tool: Tool, place: str, own: Mapping[str, str], foreign: Mapping[str, str]) -> dict[str, Any]:
    """The same with something foreign in one place."""
    return {**call_of(tool, own), **filled(PLACES[place], foreign)}


def need_of(tool: Tool) -> str:
    """The least that a tool needs; a test says which tool has no row."""
    return next((need for need, names in NEEDS.items() if tool.name in names.split()), "")
