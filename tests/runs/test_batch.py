"""A batch of runs is told item by item, and a refused one leaves nothing behind."""

from typing import Any

import pytest

from setright import events, runs
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import InvalidBody
from setright.kernel.fields import validate
from setright.runs import BatchOutcome, RunBatch, RunNotFound
from setright.storage import Tx
from setright.subjects import AgentNotFound, get_subject
from tests.runs.support import SUBJECT, body, call, happened, read, record
from tests.support.ledger import Ledger


def send(ledger: Ledger, actor: Actor, *bodies: Any) -> list[BatchOutcome]:
    """Record a batch and its events."""

    checked = validate(RunBatch, {"runs": list(bodies)}).checked()

    def write(tx: Tx) -> list[BatchOutcome]:
        outcomes = runs.record_batch(tx, checked)
        events.append(tx)
        return outcomes

    return ledger.write(write, actor)


def test_each_item_is_told_what_became_of_it(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    ledger.project(tenant, "other")
    writer = ledger.actor(tenant, Role.WRITE)
    record(ledger, writer, id="there", output=1)
    outcomes = send(
        ledger,
        writer,
        body(id="new", output="x", calls=[call("t")]),
        body(id="there", output=1),
        body(id="there", output=2),
        body(id="faulty", subject={**SUBJECT, "id": ""}),
        body(id="elsewhere", projectId="other"),
        body(id="nowhere", projectId="nowhere"),
        body(id="new", output="x", calls=[call("t")]),
        "no run",
        body(id="last"),
    )
    assert [outcome.index for outcome in outcomes] == list(range(9))
    assert [outcome.run and outcome.run.id for outcome in outcomes] == [
        "new",
        "there",
        *[None] * 4,
        "new",
        None,
        "last",
    ]
    assert [outcome.created for outcome in outcomes] == [True, *[False] * 7, True]
    assert [outcome.refusal and outcome.refusal.code for outcome in outcomes] == [
        None,
        None,
        "run-exists",
        "invalid-body",
        "permission-denied",
        "project-not-found",
        None,
        "invalid-body",
        None,
    ]
    assert read(ledger, writer, "new").calls == [call("t")]
    assert happened(ledger, writer, "new") == ["run.finished"]


def test_a_refused_item_leaves_neither_run_nor_subject_nor_event(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r", output=1)
    (outcome,) = send(ledger, admin, body(id="r", output=2, subject={**SUBJECT, "id": "never-seen"}))
    assert outcome.refusal is not None
    with pytest.raises(AgentNotFound):
        ledger.read(lambda at: get_subject(at, "agent", "never-seen"), admin)
    assert happened(ledger, admin, "r") == ["run.finished"]
    with pytest.raises(RunNotFound):
        read(ledger, admin, "never")


@pytest.mark.parametrize("count", [0, 1001])
def test_a_batch_has_one_to_a_thousand_runs(count: int) -> None:
    with pytest.raises(InvalidBody, match="/runs"):
        validate(RunBatch, {"runs": [{}] * count})
