"""Every column in which words can stand is either emptied by an erasure, as is seen, or was looked at by somebody."""

import pytest
from sqlalchemy import Text

from setright.app.schema import TABLES
from tests.erasure.said import ANN, SENTENCE, Said

NO_WORDS = ("_id", "_kind", "_key", "_hash", "_version", "status", "state", "_by", "lease", "blind")
"""How columns end that hold ids, words of our own or hashes."""
LOOKED_AT = {
    "annotation_contests": "ids",
    "annotation_marks": "a cause, in a word of ours",
    "artifact_lines": "lines of a text that was published",
    "artifact_sources": "licences",
    "artifact_tokens": "words of a text that was published",
    "artifacts": "texts that were published",
    "interaction_citations": "ids",
    "output_citations": "ids",
    "scholars": "scholars as they are cited",
    "search_entries": "words of texts that were published",
    "search_vectors": "what these words mean; dropped with them",
    "tenant_numbers": "numbers",
    "agreement_counts": "figures by aspect",
    "agreement_pairs": "raters by their ids, which an erasure renames",
    "agreement_units": "keys of items, which are ids of the app's own and never a text",
    "correction_counts": "figures by version",
    "corrector_groups": "named by admins, as roles are",
    "erasures": "why somebody was erased; the id of who was goes at the end",
    "event_heads": "a hash",
    "events": "names of fields, never what stands in them",
    "evidence_moves": "ids and verdicts",
    "jobs": "arguments are ids, failures are codes and messages of ours",
    "kept_answers": "withheld as a whole by the ids that they speak of",
    "legal_holds": "what a lawyer wants kept, with its reason",
    "lesson_counts": "figures by agent",
    "lesson_firsts": "hashes of what was said",
    "lesson_sessions": "the hash of a briefing, by the session",
    "lesson_served": "the hash of a briefing",
    "marks": "the ledger's own secrets",
    "members": "roles",
    "newest_verdicts": "ids and verdicts",
    "pins": "why a version is pinned, said of versions by who operates them",
    "projects": "named by admins",
    "read_logs": "whether reads are logged",
    "recurring_jobs": "jobs of ours",
    "retention_cuts": "a kind of content, with figures",
    "retention_passings": "figures by kind of content",
    "review_fronts": "ids",
    "review_items": "aspects in which reviewers differ",
    "review_queues": "named by admins, with what they choose runs by",
    "run_reads": "ids, and the route by which a run was read",
    "rule_word_counts": "words of rules in force, counted down with them",
    "subject_projects": "where an agent was seen",
    "subject_versions": "versions",
    "subjects": "agents, named and described by who builds them",
    "tenant_limits": "numbers",
    "traces": "ids, and messages of ours about why a trace is no run",
    "tenants": "named by who operates the ledger",
    "test_runs": "what corrections were chosen by: groups, ids, times",
    "tool_effects": "names of tools",
    "version_changes": "why a version was deployed, said of versions by who operates them",
}
"""Tables with columns that look as if words stood in them, and why no words of a person that can be erased do."""

APART = {
    "annotation_decisions.verdict": "accepted or rejected",
    "annotation_runs.method": "how readings came about, in a word of who imports",
    "annotation_runs.publication": "taken out with the words of the run",
    "annotation_runs.source_name": "the name of a corpus",
    "annotation_runs.source_type": "a word of ours",
    "annotations.confidence": "a number",
    "annotations.extent": "places in a text",
    "annotations.field": "a word of ours",
    "annotations.target": "a place in a text",
    "case_results.hash": "goes with what it is the hash of",
    "corrections.adjudicates": "ids",
    "corrections.answer": "right or wrong",
    "corrections.decisions": "right or wrong",
    "corrections.fixed_in": "a version, with who pinned it by id",
    "corrections.link": "a kind and an id",
    "corrections.place": "an id",
    "corrections.reopened_in": "a version, with who pinned it by id",
    "corrections.sorted_to": "a desk",
    "interaction_feedback.message": "a sentence of ours",
    "interaction_feedback.rating": "up or down",
    "interactions.target": "a place in a text",
    "interactions.tool": "a word of ours",
    "outputs.how": "a word of ours",
    "scholar_claims.reason": "why an admin approved, taken out with the words of who said it",
    "lessons.agent": "the name of an agent",
    "lessons.duplicate_of": "an id",
    "lessons.severity": "a word of ours",
    "lessons.supersedes": "ids",
    "rule_words.word": "dropped when the rule leaves force, as an erased one does",
    "test_cases.correction_ids": "ids",
    "tokens.name": "the pseudonym's, once the user is erased (test_names)",
    "tokens.role": "a role",
    "tokens.scopes": "scopes",
    "users.role": "a role",
    "verdicts.answer": "right or wrong",
    "verdicts.decisions": "right or wrong",
    "verdicts.items": "right or wrong",
    "verdicts.reason": "a code of ours",
    "verdicts.rule": "how it was held, in words of ours",
    "verdicts.verdict": "right or wrong",
    "verdicts.wrong_aspect": "an aspect",
    "waiting_corrections.refusal": "emptied but for its code",
}
"""Columns in which the story below says nothing, and why no words are left in them."""


def test_every_column_with_words_is_emptied_or_was_looked_at(said: Said) -> None:
    marthe = said.user()
    correction = said.corrected(said.run(), by=marthe)
    said.tested(correction)
    said.taught(by=marthe, fromCorrectionId=correction.id)
    said.held("later", participantId=ANN)
    said.read(marthe)
    said.traced()
    seen = set(said.places(SENTENCE, ANN, "Marthe", "marthe@", "marthe"))
    said.erased(participantId=ANN)
    said.erased(userId=marthe.id, words="erase")
    assert said.places(SENTENCE, ANN, "Marthe", "marthe@") == []
    left = [
        f"{table.name}.{column.name}"
        for table in TABLES
        for column in table.c
        if isinstance(column.type, Text)
        and column.name not in ("id", "kind")
        and not column.name.endswith(NO_WORDS)
        and table.name not in LOOKED_AT
        and f"{table.name}.{column.name}" not in seen
    ]
    assert set(left) == set(APART)


@pytest.mark.parametrize("name", sorted(LOOKED_AT))
def test_what_was_looked_at_is_there(name: str) -> None:
    assert name in {table.name for table in TABLES}
