"""Whatever people and services do to corrections, in whatever order, the ledger is what a small model says."""

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from setright import corrections, events, runs
from setright.app.reactions import react
from setright.corrections import (
    Correction,
    CorrectionChange,
    CorrectionFilters,
    CorrectorGroupChange,
    NewCorrection,
    NewCorrectorGroup,
    SummaryFilters,
    WaitingCorrection,
    WaitingFilters,
)
from setright.kernel.actor import Actor
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate
from setright.runs import Finish, RecordedRun, Run
from setright.storage import Snapshot, Tx
from tests.corrections.holding import Holding, a_run
from tests.corrections.life import SAYS, Held, Model, One, Place
from tests.support.ledger import Ledger

CHANGES: tuple[dict[str, Any], ...] = (
    {"status": "open"},
    {"status": "being-fixed"},
    {"status": "with-owner"},
    {"status": "wont-fix"},
    {"status": "fixed"},
    {"status": "removed"},
    {"sortedTo": "owner"},
    {"sortedTo": "developer", "reason": "a fault of the tool"},
    {"sortedTo": "developer", "reason": "a fault of the prompt"},
    {"sortedTo": "improve"},
    {"sortedTo": None},
    {"statusNote": "seen"},
    {"statusNote": None},
    {"status": "being-fixed", "statusNote": "at work"},
)
STALE = "changed-meanwhile"
_NUMBERS = count(1)
callers = st.sampled_from(["ada", "bo", "app"])
participants = st.sampled_from([None, None, "p-1"])
groups = st.sampled_from([None, None, "experts", "anybody"])
said = st.sampled_from(sorted(SAYS))
changes = st.sampled_from(CHANGES)
numbers = st.integers(0, 20)


class WholeLife(RuleBasedStateMachine):
    """An admin, a person and a service who correct the same runs, some of which are not there yet."""

    ledger: Ledger
    finished = Bundle[str]("finished")
    awaited = Bundle[str]("awaited")

    @initialize()
    def begin(self) -> None:
        """A tenant with two people, a service, a second project, and a group that is for people only."""
        self.room = Holding(self.ledger, self.ledger.tenant())
        self.ledger.project(self.room.tenant, "other")
        app = self.room.bearer(self.room.token().secret).actor
        self.callers = {"ada": self.room.admin, "bo": self.room.person("bo", "write"), "app": app}
        self.names = {actor.id: name for name, actor in self.callers.items()}
        self.weights: dict[str | None, float] = {None: 1.0, "experts": 3.0, "anybody": 0.5}
        self.groups: dict[str | None, str | None] = {None: None}
        for name, by in (("experts", {"principalKinds": ["user"]}), ("anybody", None)):
            new = {
                "name": name,
                "scope": {"kind": "tenant"},
                "weight": self.weights[name],
                "assertableBy": by,
            }
            made = self.room.whole(corrections.create_group, validate(NewCorrectorGroup, new))
            self.groups[name] = made.id
        self.model, self.rows = Model(), dict[str, Correction]()

    @rule(target=finished)
    def run(self) -> str:
        """A run that is finished."""
        return self.room.run(f"run-{next(_NUMBERS)}").id

    @rule(target=awaited, running=st.booleans())
    def run_to_come(self, running: bool) -> str:
        """A run that is not finished, or not even there."""
        run_id = f"run-{next(_NUMBERS)}"
        if running:
            self.room.run(run_id, output=...)
        return run_id

    @rule(run_id=finished, caller=callers, participant=participants, says=said, group=groups)
    def correct(
        self, run_id: str, caller: str, participant: str | None, says: str, group: str | None
    ) -> None:
        """Somebody corrects, perhaps for a participant, perhaps under a group."""
        place = (run_id, caller, participant)
        told = self.tried(caller, corrections.record_or_hold, self.wanted(place, says, group))
        refused = self.model.not_under(caller, group)
        if refused:
            assert told == refused
        else:
            self.model.record(told.id, place, says, group)

    @rule(run_id=awaited, caller=callers, participant=participants, says=said, group=groups)
    def hold(self, run_id: str, caller: str, participant: str | None, says: str, group: str | None) -> None:
        """Somebody corrects a run that is to come; without holding it is refused."""
        place = (run_id, caller, participant)
        wanted = self.wanted(place, says, group)
        assert self.tried(caller, corrections.record_or_hold, wanted) in ("run-not-found", "run-not-finished")
        held = self.tried(caller, corrections.record_or_hold, wanted, "default")
        assert isinstance(held, WaitingCorrection)
        self.model.held[held.id] = Held(place, says, group, [("correction.held", caller)])

    @rule(target=finished, run_id=consumes(awaited), ender=callers)
    def end(self, run_id: str, ender: str) -> str:
        """The run comes, or ends, and with it what waits for it."""
        end = validate(Finish, {"output": {"hits": ["a"]}})
        told = self.tried(ender, runs.finish_run, run_id, end)
        if not isinstance(told, Run):
            assert told == "run-not-found"
            assert isinstance(self.tried(ender, runs.record_run, a_run(run_id)), RecordedRun)
        self.model.end(run_id, ender)
        return run_id

    @rule(run_id=consumes(awaited))
    def come_elsewhere(self, run_id: str) -> None:
        """A run of that id comes in another project, unless it is there: what waits for it waits in vain."""
        told = self.tried("ada", runs.record_run, a_run(run_id, projectId="other"))
        assert told == "run-exists" or told.run.project_id == "other"

    @precondition(lambda self: self.model.ones)
    @rule(
        number=numbers, mover=callers, change=changes, known=st.sampled_from(["now", "now", "before", None])
    )
    def move(self, number: int, mover: str, change: dict[str, Any], known: str | None) -> None:
        """Somebody moves a correction by hand, in the state that it is in, or that it was in, or in none."""
        made, one = self.one(number)
        state = self.rows[made].updated_at
        states = None if known is None else frozenset([state if known == "now" else state - 1])
        told = self.tried(mover, *self.change(made, change), states)
        refused = self.model.not_moved(one, mover, change.get("status"))
        if refused != "permission-denied" and known != "now":
            refused = "invalid-parameter" if known is None else STALE
        if refused:
            assert told == refused
        else:
            self.model.move(one, mover, change)

    @precondition(lambda self: self.model.ones)
    @rule(number=numbers, several=st.lists(changes, min_size=2, max_size=3))
    def move_at_once(self, number: int, several: list[dict[str, Any]]) -> None:
        """Several people move one correction at the same moment, each in the state that they read: one of them does."""
        made, one = self.one(number)
        states, story = frozenset([self.rows[made].updated_at]), len(one.story)
        movers = [("ada", "bo")[place % 2] for place in range(len(several))]
        tickets = [
            self.ledger.store.write(self.work(mover, *self.change(made, change), states))
            for mover, change in zip(movers, several, strict=True)
        ]
        for ticket, mover, change in zip(tickets, movers, several, strict=True):
            refused = self.model.not_moved(one, mover, change.get("status"))
            told = _told(ticket.result)
            if told == STALE:
                continue
            assert (told == refused) if refused else isinstance(told, Correction)
            if not refused:
                self.model.move(one, mover, change)
        assert len(one.story) - story <= 1

    @precondition(lambda self: self.model.ones)
    @rule(number=numbers, mover=callers)
    def remove(self, number: int, mover: str) -> None:
        """Somebody takes a correction out for good."""
        made, one = self.one(number)
        told = self.tried(mover, corrections.unregister_correction, made)
        refused = self.model.not_moved(one, mover, None)
        if refused in (None, "already-removed"):
            assert told.status == "removed"
            self.model.remove(one, mover)
        else:
            assert told == refused

    @precondition(lambda self: self.model.held)
    @rule(number=numbers, mover=callers)
    def withdraw(self, number: int, mover: str) -> None:
        """Somebody takes back what waits."""
        made, held = list(self.model.held.items())[number % len(self.model.held)]
        told = self.tried(mover, corrections.withdraw, made)
        if mover == "app" and held.place[1] != "app":
            assert told == "permission-denied"
        else:
            self.model.withdraw(held, mover)

    @rule(group=st.sampled_from(["experts", "anybody"]))
    def retire(self, group: str) -> None:
        """A group is retired while it is in use: what was said under it stays."""
        self.room.whole(corrections.retire_group, self.groups[group])
        self.model.retired.add(group)

    @rule(group=st.sampled_from(["experts", "anybody"]), weight=st.sampled_from([0.0, 0.25, 2.0]))
    def weigh(self, group: str, weight: float) -> None:
        """A group gets another weight, retired or not."""
        change = validate(CorrectorGroupChange, {"weight": weight})
        self.room.whole(corrections.change_group, self.groups[group], change)
        self.weights[group] = weight

    @invariant()
    def the_ledger_is_the_model(self) -> None:
        """Every row, every list, every count and every history is as it should be, in one snapshot."""
        self.ledger.read(self.compare, self.room.admin)

    def compare(self, at: Snapshot) -> None:
        """Hold everything that is read against the model."""
        everything = CorrectionFilters(include_unregistered=True)
        self.rows = {one.id: one for one in corrections.list_corrections(at, everything, None, 100).data}
        ids = [*self.rows, *self.model.held]
        histories = events.histories(at, "correction", ids)
        told = {
            made: [(event.kind, self.names[event.by_id]) for event in histories[made]] for made in histories
        }
        assert {made: self.shown(row, told[made]) for made, row in self.rows.items()} == self.model.ones
        standing = {
            made for made, one in self.model.ones.items() if not one.later and one.status != "removed"
        }
        assert {
            one.id for one in corrections.list_corrections(at, CorrectionFilters(), None, 100).data
        } == standing
        for made, row in self.rows.items():
            assert [event.seq for event in histories[made]] == sorted(
                {event.seq for event in histories[made]}
            )
            assert row.created_at <= row.updated_at <= histories[made][-1].at
        states = WaitingFilters(state=("waiting", "refused", "withdrawn"))
        waiting = [one.correction for one in corrections.list_waiting(at, states, None, 100).data]
        assert {one.id: (one.run_id, one.state, told[one.id]) for one in waiting} == {
            made: (held.place[0], held.state, held.story) for made, held in self.model.held.items()
        }
        self.compare_counts(at)
        assert list(corrections.faults(at, lambda _: None)) == []

    def compare_counts(self, at: Snapshot) -> None:
        """Hold the summary against the model: plain, weighed, and of the experts."""
        for expert in (None, True):
            seen: Counter[str] = Counter()
            weighed: defaultdict[str, float] = defaultdict(float)
            for one in self.model.ones.values():
                if one.later is None and (expert is None or one.expert):
                    seen[one.status] += 1
                    weighed[one.status] += self.weights[one.group]
            found = corrections.summarize(at, SummaryFilters(expert=expert), None, 100)
            counts = {status: tally["corrections"] for status, tally in found.statuses.items()}
            assert {status: one.corrections for status, one in counts.items()} == seen
            assert {status: one.weighted for status, one in counts.items()} == weighed
            assert found.total["corrections"].corrections == seen.total() - seen["removed"]

    def shown(self, row: Correction, story: list[tuple[str, str]]) -> One:
        """A correction as the model has it."""
        made_by = self.names[row.made_by_id]
        group = next(name for name, made in self.groups.items() if made == row.corrector_group_id)
        assert (row.unregistered_at is not None) == (row.superseded_by is not None or row.status == "removed")
        return One(
            place=(row.run_id, made_by, row.participant_id),
            group=group,
            status=row.status,
            desk=row.sorted_to,
            expert=bool(row.expert),
            evidence=row.fixed_in is not None,
            reason=(row.sorted or {}).get("reason"),
            note=(row.status_note or {}).get("text"),
            later=row.superseded_by,
            story=story,
        )

    def one(self, number: int) -> tuple[str, One]:
        """One of the corrections."""
        return list(self.model.ones.items())[number % len(self.model.ones)]

    def wanted(self, place: Place, says: str, group: str | None) -> NewCorrection:
        """The body of a correction."""
        body = {"runId": place[0], **SAYS[says][0], "participantId": place[2]}
        return validate(NewCorrection, {**body, "correctorGroupId": self.groups[group]})

    def change(self, made: str, change: dict[str, Any]) -> tuple[Any, ...]:
        """The operation that moves a correction, and what it takes."""
        return corrections.change_correction, made, validate(CorrectionChange, change)

    def work(self, caller: str, verb: Callable[..., Any], *arguments: Any) -> Callable[[Tx], Any]:
        """A verb of a caller as one transaction."""
        actor: Actor = self.callers[caller]

        def work(tx: Tx) -> Any:
            tx.actor = actor
            result = verb(tx, *arguments)
            react(tx)
            events.append(tx)
            return result

        return work

    def tried(self, caller: str, verb: Callable[..., Any], *arguments: Any) -> Any:
        """What came of a verb, or the code with which it was refused."""
        return _told(self.ledger.store.write(self.work(caller, verb, *arguments)).result)


def _told(result: Callable[[int], Any]) -> Any:
    try:
        return result(30)
    except Refusal as refusal:
        return refusal.code


@pytest.mark.timeout(240)
def test_the_whole_life_is_what_the_model_says(ledger: Ledger) -> None:
    WholeLife.ledger = ledger
    run_state_machine_as_test(
        WholeLife,
        settings=settings(
            max_examples=25,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
