"""What corrections need of a run: a look at it under a lock, a hold on its content, and that content."""

import threading
import time

import pytest

from setright import runs
from setright.kernel.actor import Actor
from setright.runs import RunCopy, RunToCorrect
from setright.storage import Sql, Tx
from tests.runs.support import SUBJECT, append, call, finish, read, record
from tests.support.ledger import Ledger


def look(ledger: Ledger, actor: Actor, run_id: str, *, with_output: bool = False) -> RunToCorrect | None:
    """What a correction sees of a run."""
    return ledger.write(lambda tx: runs.to_correct(tx, run_id, with_output=with_output, hold=True), actor)


def test_a_correction_sees_where_a_run_stands_and_its_output_only_when_asked(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r", subject={**SUBJECT, "id": "Billing"}, output={"a": [1]})
    seen = look(ledger, admin, "r")
    assert seen == RunToCorrect(
        "r", "default", "agent", "billing", "Billing", "v1", "completed", None, None, None, None, False
    )
    asked = look(ledger, admin, "r", with_output=True)
    assert asked is not None
    assert (asked.output, asked.has_output) == ({"a": [1]}, True)


def test_an_output_that_is_null_is_told_from_none(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="null", output=None)
    record(ledger, admin, id="none", status="failed")
    found = [look(ledger, admin, run_id, with_output=True) for run_id in ("null", "none")]
    assert [(run.output, run.has_output) for run in found if run] == [(None, True), (None, False)]


def test_a_run_of_another_tenant_is_not_there(ledger: Ledger) -> None:
    ours, theirs = ledger.tenant(), ledger.tenant()
    run = record(ledger, ours.admin).run
    assert look(ledger, ours.admin, run.id.removeprefix("run_")) is not None
    assert look(ledger, theirs.admin, run.id) is None
    assert ledger.read(lambda at: runs.copy_of(at, run.id), theirs.admin) is None


@pytest.mark.parametrize("with_output", [False, True])
def test_a_look_costs_one_statement_without_the_output(
    ledger: Ledger, with_output: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r", output=1)
    asked: list[Sql] = []
    one = Tx.one

    def counting(tx: Tx, sql: Sql, **values: object) -> object:
        asked.append(sql)
        return one(tx, sql, **values)

    monkeypatch.setattr(Tx, "one", counting)
    look(ledger, admin, "r", with_output=with_output)
    assert len(asked) == 1 + with_output


def test_the_copy_is_kept_once_and_shows_every_call(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    calls = [call(f"t{number}") for number in range(120)]
    record(ledger, admin, id="r", input={"q": 1}, calls=calls[:50])
    append(ledger, admin, "r", 50, *calls[50:])
    finish(ledger, admin, "r", output="done")
    ledger.write(lambda tx: runs.keep_copy(tx, "r"), admin)
    kept_at = read(ledger, admin, "r").run.copy_kept_at
    assert kept_at is not None
    ledger.write(lambda tx: runs.keep_copy(tx, "r"), admin)
    assert read(ledger, admin, "r").run.copy_kept_at == kept_at
    copy = ledger.read(lambda at: runs.copy_of(at, "r"), admin)
    assert copy == RunCopy({"q": 1}, calls, "done", True, "done")


def test_while_a_correction_looks_the_run_waits_and_then_shows_what_was_decided(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    record(ledger, tenant.admin, id="r")
    finishing = threading.Event()

    def slowly(tx: Tx) -> None:
        tx.actor = tenant.admin
        end = runs.Finish.model_validate({"output": {"a": 1}})
        runs.finish_run(tx, "r", end)
        finishing.set()
        time.sleep(0.2)

    def after(tx: Tx) -> RunToCorrect | None:
        tx.actor = tenant.admin
        return runs.to_correct(tx, "r", with_output=True, hold=True)

    ended = ledger.store.write(slowly)
    assert finishing.wait(20)
    seen = ledger.store.write(after).result(20)
    ended.result(20)
    assert seen is not None
    assert (seen.status, seen.output, seen.has_output) == ("completed", {"a": 1}, True)
