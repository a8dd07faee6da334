"""Every operation and query of the product by name, with the scope that it needs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from setright import (
    corrections,
    erasure,
    events,
    exchange,
    identity,
    jobs,
    knowledge,
    lessons,
    proof,
    retention,
    reviews,
    runs,
    subjects,
)
from setright.app.limits import read_limits
from setright.events import EventPage
from setright.kernel.paging import Page, Place
from setright.storage import Snapshot, Tx


@dataclass(frozen=True, slots=True)
class Operation:
    """A write: `verb(tx, **arguments)` runs in one transaction; an empty `scope` needs only a valid token.

    `draft(snapshot, **arguments)` is what a model may word of its answer; the verb takes that as `worded`. One that
    `seeks` is given as `near` what is nearest in meaning to what is `asked`.
    """

    name: str
    scope: str
    verb: Callable[..., Any]
    draft: Callable[..., knowledge.Draft | None] | None = None
    seeks: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A read: `read(snapshot, **arguments)` sees one consistent state; an empty `scope` needs only a valid token.

    `note` says what is to be written because of what was read, if anything: by itself, and nobody waits for it.
    """

    name: str
    scope: str
    read: Callable[..., Any]
    note: Callable[[Any], Callable[[Tx], None] | None] | None = None


def read_feed(at: Snapshot, after: int, limit: int, project_id: str | None) -> EventPage:
    """The feed of events, of one project if asked, which must exist."""
    if project_id is not None:
        project_id = identity.find_project(at, project_id).id
    return events.feed(at, after, limit, project_id)


def list_artifact_lines(
    at: Snapshot, artifact_id: str, after: Place | None, limit: int
) -> Page[knowledge.Line]:
    """The lines of an artifact in their order."""
    knowledge.get_artifact(at, artifact_id)
    lines, following = knowledge.read_lines(at, artifact_id, 0 if after is None else after.moment, limit)
    return Page(lines, None if following is None else Place(following, ""))


OPERATIONS = {
    entry.name: entry
    for entry in (
        Operation("record-correction", "corrections:write", corrections.record_or_hold),
        Operation("withdraw-correction", "corrections:write", corrections.withdraw),
        Operation("change-correction", "corrections:write", corrections.change_correction),
        Operation("unregister-correction", "corrections:write", corrections.unregister_correction),
        Operation("create-corrector-group", "corrections:write", corrections.create_group),
        Operation("change-corrector-group", "corrections:write", corrections.change_group),
        Operation("retire-corrector-group", "corrections:write", corrections.retire_group),
        Operation("record-run", "corrections:write", runs.record_run),
        Operation("record-batch", "corrections:write", runs.record_batch),
        Operation("finish-run", "corrections:write", runs.finish_run),
        Operation("append-calls", "corrections:write", runs.append_calls),
        Operation("set-read-log", "", runs.set_read_log),
        Operation("deploy-version", "corrections:write", subjects.deploy_version),
        Operation("pin-version", "corrections:write", subjects.pin_version),
        Operation("unpin-version", "corrections:write", subjects.unpin_version),
        Operation("set-tool-effect", "corrections:write", subjects.set_tool_effect),
        Operation("drop-tool-effect", "corrections:write", subjects.drop_tool_effect),
        Operation("patch-subject", "corrections:write", subjects.patch_subject),
        Operation("create-test-run", "corrections:write", proof.create_test_run),
        Operation("claim-cases", "corrections:write", proof.claim_cases),
        Operation("renew-lease", "corrections:write", proof.renew_lease),
        Operation("submit-results", "corrections:write", proof.submit_results),
        Operation("finish-test-run", "corrections:write", proof.finish_test_run),
        Operation("cancel-test-run", "corrections:write", proof.cancel_test_run),
        Operation("record-lesson", "decisions:write", lessons.record_lesson),
        Operation("update-lesson", "decisions:write", lessons.update_lesson),
        Operation("count-stops", "decisions:write", lessons.count_stops),
        Operation("delete-lesson", "decisions:write", lessons.delete_lesson),
        Operation("create-scholar", "knowledge:write", identity.create_scholar),
        Operation("change-scholar", "knowledge:write", identity.change_scholar),
        Operation("ask-to-speak", "knowledge:write", identity.ask_to_speak),
        Operation("approve-scholar-claim", "knowledge:write", identity.approve_claim),
        Operation("reject-scholar-claim", "knowledge:write", identity.reject_claim),
        Operation("withdraw-scholar-claim", "knowledge:write", identity.withdraw_claim),
        Operation(
            "semantic-search",
            "knowledge:read",
            knowledge.semantic_search,
            knowledge.draft_search,
            seeks=True,
        ),
        Operation(
            "summarize-artifact", "knowledge:read", knowledge.summarize_artifact, knowledge.draft_summary
        ),
        Operation(
            "interpret-token", "knowledge:read", knowledge.interpret_token, knowledge.draft_interpretation
        ),
        Operation("record-artifact", "knowledge:write", knowledge.record_artifact),
        Operation("submit-correction", "knowledge:write", knowledge.submit_correction),
        Operation("ask-for-erasure", "", erasure.ask_for_erasure),
        Operation("place-legal-hold", "", erasure.place_legal_hold),
        Operation("release-legal-hold", "", erasure.release_legal_hold),
        Operation("set-project-retention", "", retention.set_project_retention),
        Operation("set-tenant-retention", "", retention.set_tenant_retention),
        Operation("begin-passing", "", retention.begin_passing),
        Operation("rate-interaction", "knowledge:write", knowledge.rate_interaction),
        Operation("accept-annotation", "knowledge:write", knowledge.accept_annotation),
        Operation("reject-annotation", "knowledge:write", knowledge.reject_annotation),
        Operation("invite-user", "", identity.invite_user),
        Operation("end-session", "", identity.end_session),
        Operation("cancel-job", "", jobs.cancel_job),
        Operation("take-trace-parts", "corrections:write", exchange.take_parts),
        Operation("retry-job", "", jobs.retry_job),
        Operation("create-review-queue", "corrections:write", reviews.create_queue),
        Operation("change-review-queue", "corrections:write", reviews.change_queue),
        Operation("close-review-queue", "corrections:write", reviews.close_queue),
        Operation("claim-run", "corrections:write", reviews.claim_run),
        Operation("answer-claim", "corrections:write", reviews.answer_claim),
        Operation("release-claim", "corrections:write", reviews.release_claim),
        Operation("skip-claim", "corrections:write", reviews.skip_claim),
        Operation("adjudicate-item", "corrections:write", reviews.adjudicate_item),
        Operation("create-project", "", identity.create_project),
        Operation("rename-project", "", identity.rename_project),
        Operation("put-member", "", identity.put_member),
        Operation("remove-member", "", identity.remove_member),
        Operation("create-user", "", identity.create_user),
        Operation("change-user", "", identity.change_user),
        Operation("disable-user", "", identity.disable_user),
        Operation("create-token", "", identity.create_token),
        Operation("revoke-token", "", identity.revoke_token),
        Operation("rotate-token", "", identity.rotate_token),
    )
}
"""Every write by its name; who may manage the tenant is decided by the identity room, from roles and whole tokens."""

QUERIES = {
    entry.name: entry
    for entry in (
        Query("list-corrections", "corrections:read", corrections.list_corrections),
        Query("get-correction", "corrections:read", corrections.read_correction),
        Query("summarize-corrections", "corrections:read", corrections.summarize),
        Query("list-waiting-corrections", "corrections:read", corrections.list_waiting),
        Query("get-waiting-correction", "corrections:read", corrections.get_waiting),
        Query("read-agreement", "corrections:read", corrections.agreement),
        Query("correction-history", "corrections:read", corrections.correction_history),
        Query("list-corrector-groups", "corrections:read", corrections.list_groups),
        Query("get-corrector-group", "corrections:read", corrections.get_group),
        Query("list-runs", "corrections:read", runs.list_runs),
        Query("get-run", "corrections:read", runs.read_run),
        Query("list-run-reads", "", runs.list_reads),
        Query("get-read-log", "", runs.get_read_log),
        Query("read-feed", "corrections:read", read_feed),
        Query("list-deploys", "corrections:read", subjects.list_deploys),
        Query("list-pins", "corrections:read", subjects.list_pins),
        Query("list-running", "corrections:read", proof.list_running),
        Query("list-tool-effects", "corrections:read", subjects.list_tool_effects),
        Query("list-subjects", "corrections:read", subjects.list_subjects),
        Query("get-subject", "corrections:read", subjects.get_subject),
        Query("list-test-runs", "corrections:read", proof.list_test_runs),
        Query("get-test-run", "corrections:read", proof.get_test_run),
        Query("list-lessons", "decisions:read", lessons.list_lessons),
        Query("read-briefing", "decisions:read", lessons.read_briefing, lessons.note_session),
        Query("read-lesson", "decisions:read", lessons.get_lesson),
        Query("lesson-history", "decisions:read", lessons.lesson_history),
        Query("list-scholars", "knowledge:read", identity.list_scholars),
        Query("get-scholar", "knowledge:read", identity.get_scholar),
        Query("list-scholar-claims", "knowledge:read", identity.list_claims),
        Query("list-verdicts", "corrections:read", proof.list_verdicts),
        Query("summarize-test-run", "corrections:read", proof.summarize_test_run),
        Query("list-annotation-runs", "knowledge:read", knowledge.list_annotation_runs),
        Query("get-annotation-run", "knowledge:read", knowledge.get_annotation_run),
        Query("get-annotation", "knowledge:read", knowledge.get_annotation),
        Query("list-interactions", "knowledge:read", knowledge.list_interactions),
        Query("get-interaction", "knowledge:read", knowledge.get_interaction),
        Query("list-outputs", "knowledge:read", knowledge.list_outputs),
        Query("get-output", "knowledge:read", knowledge.get_output),
        Query("list-artifacts", "knowledge:read", knowledge.list_artifacts),
        Query("get-artifact", "knowledge:read", knowledge.get_artifact),
        Query("list-artifact-lines", "knowledge:read", list_artifact_lines),
        Query("list-erasures", "", erasure.list_erasures),
        Query("get-erasure", "", erasure.get_erasure),
        Query("list-legal-holds", "", erasure.list_legal_holds),
        Query("get-project-retention", "", retention.get_project_retention),
        Query("get-tenant-retention", "", retention.get_tenant_retention),
        Query("read-due", "", retention.read_due),
        Query("get-passing", "", retention.get_passing),
        Query("list-passings", "", retention.list_passings),
        Query("list-jobs", "", jobs.list_jobs),
        Query("list-traces", "corrections:read", exchange.list_traces),
        Query("get-trace", "corrections:read", exchange.get_trace),
        Query("get-job", "", jobs.get_job),
        Query("list-review-queues", "corrections:read", reviews.list_queues),
        Query("get-review-queue", "corrections:read", reviews.get_queue),
        Query("list-review-items", "corrections:read", reviews.list_items),
        Query("list-projects", "", identity.list_projects),
        Query("get-project", "", identity.get_project),
        Query("list-members", "", identity.list_members),
        Query("list-users", "", identity.list_users),
        Query("get-user", "", identity.get_user),
        Query("list-sessions", "", identity.list_sessions),
        Query("list-tokens", "", identity.list_tokens),
        Query("get-token", "", identity.get_token),
        Query("me", "", identity.me),
        Query("read-limits", "", read_limits),
    )
}
"""Every read by its name."""
