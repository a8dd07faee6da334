"""A tenant in which corrections are held: short ways to hold them, to finish runs, and to see what became of both."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from setright import corrections, events, runs
from setright.app.reactions import react
from setright.corrections import (
    Correction,
    CorrectionFilters,
    NewCorrection,
    WaitingCorrection,
    WaitingCorrectionNow,
    WaitingFilters,
)
from setright.kernel.actor import Actor
from setright.kernel.fields import validate
from setright.runs import Finish, NewRun, Run
from setright.storage import Tx
from tests.identity.conftest import Room

SUBJECT = {"kind": "agent", "id": "Support", "version": "v1"}
WRONG_ANSWER = {"answer": "wrong", "shouldSay": "14 days"}
_NUMBERS = count(1)


def new_id() -> str:
    """An id that no run has."""
    return f"ticket-{next(_NUMBERS)}"


def a_run(run_id: str | None, **changes: Any) -> NewRun:
    """A finished run; `output=...` leaves it running."""
    body = {"id": run_id, "projectId": "default", "subject": SUBJECT, "output": {"hits": ["a"]}, **changes}
    return validate(NewRun, {name: value for name, value in body.items() if value is not ...})


@dataclass(frozen=True, slots=True)
class Holding(Room):
    """One tenant; whoever is not named acts as its admin."""

    def whole(self, verb: Callable[..., Any], *arguments: Any, by: Actor | None = None) -> Any:
        """The result of an operation as one call: with its reactions and its events."""

        def work(tx: Tx) -> Any:
            result = verb(tx, *arguments)
            react(tx)
            events.append(tx)
            return result

        return self.ledger.write(work, by or self.admin)

    def hold(
        self, run_id: str, project: str | None = "default", by: Actor | None = None, **body: Any
    ) -> WaitingCorrection | Correction:
        """What comes of a correction that may wait for its run."""
        wanted = validate(NewCorrection, {"runId": run_id, **(body or WRONG_ANSWER)})
        return self.whole(corrections.record_or_hold, wanted, project, by=by)

    def held(self, run_id: str, by: Actor | None = None, **more: Any) -> WaitingCorrection:
        """A correction that waits."""
        made = self.hold(run_id, by=by, **more)
        assert isinstance(made, WaitingCorrection)
        return made

    def run(self, run_id: str | None, by: Actor | None = None, **changes: Any) -> Run:
        """A run, finished unless told otherwise."""
        return self.whole(runs.record_run, a_run(run_id, **changes), by=by).run

    def finish(self, run_id: str, by: Actor | None = None, **end: Any) -> Run:
        """The run, finished."""
        ended = validate(Finish, end or {"output": {"hits": ["a"]}})
        return self.whole(runs.finish_run, run_id, ended, by=by)

    def now(self, made: WaitingCorrection) -> WaitingCorrectionNow:
        """A held correction as it is now."""
        return self.ask(corrections.get_waiting, made.id)

    def became(self, made: WaitingCorrection) -> Correction:
        """The correction that a held one has become."""
        return self.ask(corrections.get_correction, made.id).correction

    def refusal(self, made: WaitingCorrection) -> tuple[str, Any]:
        """With which code and details a held one was refused."""
        now = self.now(made).correction
        assert (now.state, now.request) == ("refused", made.request)
        told = now.refusal or {}
        assert told["message"]
        assert told["at"]
        return told["code"], told.get("details")

    def waiting(self, by: Actor | None = None, **filters: Any) -> list[str]:
        """The ids of the held ones that a list shows, those held first first."""
        page = self.ask(corrections.list_waiting, WaitingFilters(**filters), None, 100, by=by)
        return [one.correction.id for one in reversed(page.data)]

    def recorded(self, **filters: Any) -> list[Correction]:
        """The corrections of the tenant, the oldest first; superseded ones too."""
        wanted = CorrectionFilters(include_unregistered=True, **filters)
        return list(reversed(self.ask(corrections.list_corrections, wanted, None, 100).data))

    def story(self, correction_id: str) -> list[tuple[str, str]]:
        """What happened to a correction, and by whom."""
        told = self.ask(events.history, correction_id).data
        return [(event.kind, event.by_id) for event in told]
