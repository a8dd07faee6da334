"""`db check` on both engines, of texts that were read and corrected: layers fit, versions and numbers are not passed."""

import shutil
from pathlib import Path

import pytest

from tests.backup.places import Places
from tests.backup.test_soundness import change, check
from tests.http.support import Caller


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def read(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger of each engine in which an answer about a text was corrected and decided on; nobody uses it any more."""
    folder = tmp_path_factory.mktemp("read")
    new = request.getfixturevalue("postgres").new_database if request.param == "postgresql" else str
    places = Places(request.param, folder, new, folder)
    made = places.with_schema()
    corrected(places.open(made).tenant())
    places.close()
    return made


def corrected(admin: Caller) -> None:
    """Read a text, correct what was told of it as a scholar, accept the correction, and read it again."""
    summary = f"/v1/artifacts/{admin.text()}/summary"
    admin.post("/v1/scholars", {"name": "A. Scholar"})
    admin.post("/v1/scholars/1/claims", {"userId": admin.id})
    told = admin.get(summary).json()
    said = {"claim": "It is no king.", "correction": "an owner", "scholarId": 1}
    path = f"/v1/interactions/{told['interactionId']}"
    assert admin.post(f"{path}/corrections", said).status_code == 201
    assert admin.post(f"{path}/ratings", {"rating": "down"}).status_code == 200
    owner = next(
        one["annotationId"] for one in admin.get(summary).json()["citations"] if one["value"] == "an owner"
    )
    assert admin.post(f"/v1/annotations/{owner}/accept").status_code == 200
    assert "an owner" in admin.get(summary).json()["summary"]


@pytest.fixture
def url(read: str, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A copy of that ledger, to be spoilt."""
    if read.startswith("sqlite"):
        copy = tmp_path / "ledger.db"
        shutil.copy(read.removeprefix("sqlite:///"), copy)
        return f"sqlite:///{copy}"
    return request.getfixturevalue("postgres").new_database(like=read)


def test_a_ledger_in_which_answers_were_corrected_is_sound(url: str) -> None:
    found = check(url)
    assert found.faults == ()
    (knowledge,) = [finding for finding in found.findings if finding.name == "knowledge"]
    assert (knowledge.ok, knowledge.says) == (True, "each of 12 annotations stands on what it is of")


_KING = "(SELECT contests FROM annotation_contests)"
WRONG: dict[str, tuple[str, str, str]] = {
    "a layer over another field": (
        f"UPDATE annotations SET field = 'lemma' WHERE id = {_KING}",
        "annotation_contests",
        "it contests what is said of something else",
    ),
    "a layer over another word": (
        f"UPDATE annotations SET target = 'o.1.2' WHERE id = {_KING}",
        "annotation_contests",
        "it contests what is said of something else",
    ),
    "a layer that nobody corrected": (
        "UPDATE annotation_runs SET source_name = 'theirs' WHERE source_name = 'user-correction'",
        "annotation_contests",
        "it contests itself, or comes from no correction",
    ),
    "a correction that leaves answers as they were": (
        "DELETE FROM annotation_marks WHERE cause = 'correction'",
        "annotation_contests",
        "so that answers that cite it stay",
    ),
    "a decision that leaves answers as they were": (
        "DELETE FROM annotation_marks WHERE cause = 'decision'",
        "annotation_decisions",
        "so that answers that cite it stay",
    ),
    "a mark of a version to come": (
        "UPDATE annotation_marks SET version = 99 WHERE cause = 'decision'",
        "annotation_marks",
        "a version that its artifact has not come to",
    ),
    "an answer of a version to come": (
        "UPDATE outputs SET version = 99 WHERE superseded_by IS NULL",
        "outputs",
        "a version that its artifact has not come to",
    ),
    "a line on another surface": (
        "UPDATE artifact_lines SET surface = 'r'",
        "artifact_lines",
        "its target is not that of its surface and label",
    ),
    "a line without its label": (
        "UPDATE artifact_lines SET label = NULL",
        "artifact_lines",
        "its target is not that of its surface and label",
    ),
    "a word in another place": (
        "UPDATE artifact_tokens SET position = 9 WHERE position = 2",
        "artifact_tokens",
        "its target is not that of its line and position",
    ),
    "a line that is not found": (
        "DELETE FROM search_entries WHERE line = 0",
        "artifact_lines",
        "no search finds it",
    ),
    "a text that is not found": (
        "DELETE FROM search_entries WHERE line = -1",
        "artifacts",
        "no search finds it",
    ),
    "a run with a number to come": (
        "UPDATE tenant_numbers SET last = 1 WHERE kind = 'annotation-run'",
        "annotation_runs",
        "its number was not given yet: the last one of its kind is 1",
    ),
    "an answer with a number to come": (
        "UPDATE tenant_numbers SET last = 1 WHERE kind = 'interaction'",
        "interactions",
        "its number was not given yet",
    ),
    "feedback without any number given": (
        "DELETE FROM tenant_numbers WHERE kind = 'feedback'",
        "interaction_feedback",
        "the last one of its kind is 0",
    ),
    "a scholar with a number to come": (
        "DELETE FROM tenant_numbers WHERE kind = 'scholar'",
        "scholars",
        "its number was not given yet",
    ),
    "an answer about a text that is not there": (
        "UPDATE interactions SET artifact_id = 'P9'",
        "interactions",
        "points to a row of artifacts that is not there",
    ),
    "a claim that nobody approved": (
        "UPDATE scholar_claims SET decided_at = NULL",
        "scholar_claims",
        "its status is not that of what was decided",
    ),
}


@pytest.mark.parametrize("broken", WRONG)
def test_what_is_wrong_is_found_and_named(url: str, broken: str) -> None:
    statement, table, says = WRONG[broken]
    change(url, statement)
    told = {(fault.table, fault.says) for fault in check(url).faults}
    assert any(found == table and says in words for found, words in told), told


POINTS = {
    "DELETE FROM annotations WHERE value = 'house'": ("interaction_citations", "annotations"),
    "DELETE FROM interactions": ("interaction_feedback", "interactions"),
    "DELETE FROM scholars": ("annotation_runs", "scholars"),
    "DELETE FROM artifacts": ("annotations", "artifacts"),
}


@pytest.mark.parametrize("statement", POINTS)
def test_what_points_to_nothing_is_found(url: str, statement: str) -> None:
    table, to = POINTS[statement]
    change(url, statement)
    told = [finding for finding in check(url).findings if finding.ok is False]
    words = " ".join(finding.says for finding in told)
    assert f"points to a row of {to}" in words or f"{table} row" in words, words


def test_on_sqlite_words_that_are_not_in_the_index_are_found(url: str) -> None:
    if not url.startswith("sqlite"):
        return
    change(url, "DELETE FROM search_words WHERE rowid = (SELECT min(number) FROM search_entries)")
    told = {(fault.table, fault.says) for fault in check(url).faults}
    assert told == {("search_entries", "its words are not in the full-text index")}
