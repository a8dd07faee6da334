"""The commands about review queues: runs that people judge, each without seeing what the others say."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import typer

from setright.client import ReviewClaim, ReviewItem, ReviewQueue
from setright.faces.cli import lists, names, reviewers
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.options import InProject, Key, Project, Since, ago
from setright.faces.cli.out import moment
from setright.faces.cli.reviewers import QueueName
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Review queues: runs that people judge, each without seeing what the others say.")
State = Literal["waiting", "claimed", "complete", "disagreed", "adjudicated", "dropped"]


def _row(found: ReviewQueue) -> Sequence[object]:
    return (
        found.id,
        found.name,
        found.status,
        found.project_id,
        _about(found),
        found.reviewers_per_item,
        moment(found.created_at),
    )


def _item(found: ReviewItem) -> Sequence[object]:
    return (
        found.run_id,
        found.state,
        ", ".join(found.differs or ()),
        "; ".join(_claim(claim) for claim in found.claims),
        moment(found.began_at),
    )


def _claim(found: ReviewClaim) -> str:
    return f"{found.state} by {names.told(found.reviewer)}"


LOOKS = lists.Looks(
    ("ID", "NAME", "STATUS", "PROJECT", "RUNS", "REVIEWERS", "MADE"),
    _row,
    "There are no review queues like that; setright review create makes one.",
)
ITEMS = lists.Looks(
    ("RUN", "STATE", "DISAGREED ON", "REVIEWERS", "BEGUN"),
    _item,
    "No runs like that were handed out; setright review claim hands out the next.",
)


@dataclass(frozen=True, slots=True)
class Which:
    """Which finished runs of the project a queue is about; it never changes."""

    agent: Annotated[str | None, typer.Option(metavar="ID", help="Only runs of this agent.")] = None
    flow: Annotated[str | None, typer.Option(metavar="ID", help="Only runs of this flow.")] = None
    subject_version: Annotated[
        str | None, typer.Option(metavar="VERSION", help="With --agent or --flow: only at this version.")
    ] = None
    ended: Annotated[Literal["completed", "failed"] | None, typer.Option(help="Only runs that ended so.")] = (
        None
    )
    since: Since = None


@dataclass(frozen=True, slots=True)
class Terms:
    """How a queue hands out its runs."""

    sample_rate: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="The share that is reviewed, 0 to 1.")
    ] = None
    reviewers: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="How many reviewers judge each run, 1 to 5.")
    ] = None
    claim_seconds: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="How long a reviewer may take before another gets the run."),
    ] = None
    min_reviewer_role: Annotated[
        Literal["standard", "senior", "admin"] | None,
        typer.Option(help="Only members with this reviewer role or a higher one."),
    ] = None


@command(app, "list", OF_LEDGER)
def list_queues(
    desk: Desk,
    wanted: lists.Wanted,
    project: Project = None,
    status: Annotated[Literal["open", "closed"] | None, typer.Option(help="Only these.")] = None,
) -> None:
    """List the review queues of the projects that you may read, newest first."""
    project_id = names.project_or_all(desk.client, project)
    page = desk.client.review_queues.page
    lists.show(desk.out, page, LOOKS, wanted, project_id=project_id, status=status)


@command(app, "create", OF_LEDGER)
def create(
    desk: Desk,
    name: Annotated[str, typer.Argument(metavar="NAME", help="How it is called among people.")],
    project: InProject,
    which: Which,
    terms: Terms,
    key: Key = None,
) -> None:
    """Make a queue of a project's finished runs for people to judge; needs the role admin there.

    setright review create 'Refunds of the week' --project shop --agent refunds --reviewers 2
    """
    made = desk.client.review_queues.create(
        key=key,
        name=name,
        project_id=names.project(desk.client, project),
        filter=_filter(which) or None,
        **_terms(terms),
    )
    _show(desk, made)


@command(app, "show", OF_LEDGER)
def show(desk: Desk, queue: QueueName) -> None:
    """Show a review queue, and how many of its runs stand where."""
    _show(desk, desk.client.review_queues.get(names.review_queue(desk.client, queue)))


@command(app, "change", OF_LEDGER)
def change(
    desk: Desk,
    queue: QueueName,
    terms: Terms,
    name: Annotated[str | None, typer.Option(metavar="TEXT", help="Another name.")] = None,
    any_reviewer: Annotated[
        bool, typer.Option("--any-reviewer", help="From now on no reviewer role is needed.")
    ] = False,
    if_match: Annotated[
        str | None,
        typer.Option(metavar="ETAG", help="Only this state of it; without, whatever state it is in."),
    ] = None,
    key: Key = None,
) -> None:
    """Change what a review queue asks for from now on; which runs it is about never changes."""
    if any_reviewer and terms.min_reviewer_role is not None:
        raise Cannot("--any-reviewer lifts the reviewer role; give it without one.", kind="usage")
    changes = _terms(terms)
    if name is not None:
        changes["name"] = name
    if any_reviewer:
        changes["min_reviewer_role"] = None
    if not changes:
        raise Cannot(
            "Say what changes.", advice=[f"setright review change {queue!r} --reviewers 2"], kind="usage"
        )
    queue_id = names.review_queue(desk.client, queue)
    _show(desk, desk.client.review_queues.change(queue_id, if_match=if_match, key=key, **changes))


@command(app, "close", OF_LEDGER)
def close(desk: Desk, queue: QueueName, key: Key = None) -> None:
    """Close a review queue for good: unfinished reviews end, and what was said in them is shown."""
    _show(desk, desk.client.review_queues.close(names.review_queue(desk.client, queue), key=key))


@command(app, "items", OF_LEDGER)
def items(
    desk: Desk,
    queue: QueueName,
    wanted: lists.Wanted,
    state: Annotated[State | None, typer.Option(help="Only runs whose review stands so.")] = None,
) -> None:
    """List the runs of a queue that were handed out, newest first, and how far their reviews are."""
    queue_id = names.review_queue(desk.client, queue)

    def page(**asked: Any) -> Any:
        return desk.client.review_queues.items_page(queue_id, **asked)

    lists.show(desk.out, page, ITEMS, wanted, state=state)


command(app, "claim", OF_LEDGER)(reviewers.claim)
command(app, "answer", OF_LEDGER)(reviewers.answer)
command(app, "release", OF_LEDGER)(reviewers.release)
command(app, "skip", OF_LEDGER)(reviewers.skip)
command(app, "adjudicate", OF_LEDGER)(reviewers.adjudicate)


def _filter(which: Which) -> dict[str, Any]:
    if which.agent is not None and which.flow is not None:
        raise Cannot("A queue is about one agent or one flow: give --agent or --flow.", kind="usage")
    subject_id = which.agent if which.flow is None else which.flow
    if subject_id is None and which.subject_version is not None:
        raise Cannot("--subject-version goes with --agent or --flow: a version of what?", kind="usage")
    kind = "agent" if which.flow is None else "flow"
    subject = {"kind": kind, "id": subject_id, "version": which.subject_version}
    wanted = {
        "subject": None if subject_id is None else subject,
        "status": which.ended,
        "since": ago("--since", which.since),
    }
    return {name: value for name, value in wanted.items() if value is not None}


def _terms(terms: Terms) -> dict[str, Any]:
    said: dict[str, Any] = {
        "sample_rate": terms.sample_rate,
        "reviewers_per_item": terms.reviewers,
        "claim_seconds": terms.claim_seconds,
        "min_reviewer_role": terms.min_reviewer_role,
    }
    return {name: value for name, value in said.items() if value is not None}


def _show(desk: Desk, found: ReviewQueue) -> None:
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    counts: dict[str, int] = found.raw.get("counts", {})
    desk.out.fields(
        {
            "id": found.id,
            "name": found.name,
            "status": found.status,
            "project": found.project_id,
            "runs": _about(found),
            "reviewers of each": found.reviewers_per_item,
            "reviewer role": found.min_reviewer_role,
            "a claim lasts": f"{found.claim_seconds} seconds",
            "made": moment(found.created_at),
            "closed": moment(found.closed_at) or None,
            **counts,
        }
    )


def _about(found: ReviewQueue) -> str:
    """Which runs a queue is about, in a few words."""
    chosen, parts = found.filter, [f"{found.sample_rate:.12g} of"] if found.sample_rate != 1 else []
    parts.append(chosen.status or "all")
    if chosen.subject is not None:
        parts.append(f"of {names.told(chosen.subject)} {chosen.subject.version or ''}".rstrip())
    if chosen.since is not None:
        parts.append(f"since {moment(chosen.since)}")
    return " ".join(parts)
