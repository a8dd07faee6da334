"""The commands of who reviews: take a run, judge it or leave it, and decide where reviewers disagree."""

from typing import Annotated, Any

import typer

from setright.client import ReviewClaim
from setright.faces.cli import corrections, names, runs
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot, No
from setright.faces.cli.options import Key
from setright.faces.cli.out import moment
from setright.faces.cli.saying import Words, words_or_file

QueueName = Annotated[str, typer.Argument(metavar="QUEUE", help="Id or name of the review queue.")]
ClaimId = Annotated[str, typer.Argument(metavar="CLAIM", help="Id of your claim.")]
File = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="The verdict as JSON instead of options; - reads stdin."),
]
SAID = "--answer wrong --should-say 'what was right'"


def claim(
    desk: Desk,
    queue: QueueName,
    run: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Take up again this run, which you released or had no time for."),
    ] = None,
    key: Key = None,
) -> None:
    """Get the next run to judge, with its content; exit code 1 when there is none for you now.

    Nobody is handed a run twice, and none that they corrected before.
    """
    found = desk.client.review_queues.claim(names.review_queue(desk.client, queue), run_id=run, key=key)
    if found is None:
        raise No(
            "There is no run for you to judge in this queue now.",
            advice=[f"setright review show {queue!r} tells how far it is"],
            kind="nothing-to-review",
        )
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    _tell(desk, found)
    desk.out.line("")
    runs.tell(desk.out, found.run)
    desk.out.note(f"> setright review answer {found.queue_id} {found.id} {SAID}")


def answer(
    desk: Desk, queue: QueueName, claim_id: ClaimId, said: Words, file: File = None, key: Key = None
) -> None:
    """Say what was right or wrong with the run of your claim; others see it when all its reviewers have spoken.

    setright review answer QUEUE CLAIM --answer wrong --should-say 'within 14 days'
    """
    body = _body(desk, said, file, "answer QUEUE CLAIM")
    queue_id = names.review_queue(desk.client, queue)
    made = desk.client.review_queues.answer(queue_id, claim_id, key=key, **body)
    corrections.tell(desk, made, ())


def release(desk: Desk, queue: QueueName, claim_id: ClaimId, key: Key = None) -> None:
    """Give a run back for others; you may take it up again."""
    queue_id = names.review_queue(desk.client, queue)
    _show(desk, desk.client.review_queues.release(queue_id, claim_id, key=key))


def skip(desk: Desk, queue: QueueName, claim_id: ClaimId, key: Key = None) -> None:
    """Leave a run to others for good."""
    queue_id = names.review_queue(desk.client, queue)
    _show(desk, desk.client.review_queues.skip(queue_id, claim_id, key=key))


def adjudicate(
    desk: Desk,
    queue: QueueName,
    run: Annotated[str, typer.Argument(metavar="RUN", help="Id of the run on which reviewers disagree.")],
    said: Words,
    file: File = None,
    key: Key = None,
) -> None:
    """Decide where the reviewers of a run disagree, by a correction of your own; needs the role admin.

    setright review adjudicate QUEUE RUN --answer wrong --should-say 'within 14 days'
    """
    body = _body(desk, said, file, "adjudicate QUEUE RUN")
    queue_id = names.review_queue(desk.client, queue)
    corrections.tell(desk, desk.client.review_queues.adjudicate(queue_id, run, key=key, **body), ())


def _body(desk: Desk, said: Words, file: str | None, words: str) -> dict[str, Any]:
    body = words_or_file(said, file)
    if not body:
        raise Cannot(
            "Say what was right or wrong with the run.",
            advice=[f"setright review {words} {SAID}", f"setright review {words} --answer right"],
            kind="usage",
        )
    if said.corrector_group is not None:
        body["correctorGroupId"] = names.corrector_group(desk.client, said.corrector_group)
    if "key" in body:
        raise Cannot("key is no field of a verdict; --key sets the Idempotency-Key.", kind="usage")
    return body


def _show(desk: Desk, found: ReviewClaim) -> None:
    if desk.out.as_json:
        desk.out.document(found.raw)
        return
    _tell(desk, found)


def _tell(desk: Desk, found: ReviewClaim) -> None:
    desk.out.fields(
        {
            "claim": found.id,
            "queue": found.queue_id,
            "run": found.run_id,
            "state": found.state,
            "runs out": moment(found.expires_at) or None,
            "ended": moment(found.ended_at) or None,
        }
    )
