"""The requests that ask about knowledge."""

from typing import Unpack

from setright.client.knowledge_answers import (
    InterpretationAnswer,
    SearchAnswer,
    SearchFields,
    SummaryAnswer,
)
from setright.client.request import Request
from setright.client.values import query, segment


def search(q: str, **how: Unpack[SearchFields]) -> Request[SearchAnswer]:
    """Find artifacts, lines and words, however they are written."""
    return Request[SearchAnswer].get("/v1/search", SearchAnswer.read, query(q=q, **how))


def summary(
    artifact_id: str, *, focus: str | None = None, run_id: str | None = None
) -> Request[SummaryAnswer]:
    """Read what is known of an artifact; `focus` names lines, stretches such as `o.1--o.20`, or words."""
    path = f"{_artifact(artifact_id)}/summary"
    return Request[SummaryAnswer].get(path, SummaryAnswer.read, query(focus=focus, run_id=run_id))


def interpret(artifact_id: str, token_id: str, *, run_id: str | None = None) -> Request[InterpretationAnswer]:
    """Read what a word is taken to be; `token_id` is its surface, line and position, such as `o.1.2`."""
    path = f"{_artifact(artifact_id)}/tokens/{segment('token_id', token_id)}/interpretation"
    return Request[InterpretationAnswer].get(path, InterpretationAnswer.read, query(run_id=run_id))


def interpret_at(
    artifact_id: str, line: str, position: int, *, run_id: str | None = None
) -> Request[InterpretationAnswer]:
    """Read what a word is taken to be, named by its line and its place in it, from 1."""
    asked = query(line=line, position=position, run_id=run_id)
    path = f"{_artifact(artifact_id)}/interpretation"
    return Request[InterpretationAnswer].get(path, InterpretationAnswer.read, asked)


def _artifact(artifact_id: str) -> str:
    return f"/v1/artifacts/{segment('artifact_id', artifact_id)}"
