"""How the tests of this room record and read runs."""

from typing import Any

from setright import events, runs
from setright.kernel.actor import Actor
from setright.kernel.fields import validate
from setright.runs import Finish, NewCalls, NewRun, RecordedRun, Run, RunInFull
from setright.storage import Tx
from tests.support.ledger import Ledger

SUBJECT = {"kind": "agent", "id": "billing", "version": "v1"}


def body(**changes: Any) -> dict[str, Any]:
    """A run on the wire; a change that is ... leaves the field out."""
    whole = {"projectId": "default", "subject": SUBJECT, **changes}
    return {name: value for name, value in whole.items() if value is not ...}


def record(ledger: Ledger, actor: Actor, **changes: Any) -> RecordedRun:
    """Record a run, and its events, in a committed transaction."""

    def write(tx: Tx) -> RecordedRun:
        recorded = runs.record_run(tx, validate(NewRun, body(**changes)))
        events.append(tx)
        return recorded

    return ledger.write(write, actor)


def finish(ledger: Ledger, actor: Actor, run_id: str, **end: Any) -> Run:
    """Finish a run, and log that, in a committed transaction."""

    def write(tx: Tx) -> Run:
        run = runs.finish_run(tx, run_id, validate(Finish, end))
        events.append(tx)
        return run

    return ledger.write(write, actor)


def append(ledger: Ledger, actor: Actor, run_id: str, position: int, *calls: Any) -> Run:
    """Append calls to a run, and log that, in a committed transaction."""

    def write(tx: Tx) -> Run:
        new = validate(NewCalls, {"position": position, "calls": list(calls)})
        run = runs.append_calls(tx, run_id, new.position, new.calls)
        events.append(tx)
        return run

    return ledger.write(write, actor)


def read(ledger: Ledger, actor: Actor, run_id: str, after: int = 0, limit: int = 100) -> RunInFull:
    """Read a run in full."""
    return ledger.read(lambda at: runs.get_run(at, run_id, after, limit), actor)


def happened(ledger: Ledger, actor: Actor, run_id: str) -> list[str]:
    """The kinds of a run's events."""
    return [event.kind for event in ledger.read(lambda at: events.history(at, run_id), actor).data]


def call(tool: str, **more: Any) -> dict[str, Any]:
    """A call as it is kept."""
    return {"tool": tool, "args": {}, **more}
