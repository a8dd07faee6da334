"""The table of reactions: no event leads back to itself, and news only goes up."""

import importlib
import pkgutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

import pytest

import setright
from setright.app import reactions as table
from setright.app.reactions import REACTIONS, Reaction
from setright.kernel.events import Event
from setright.kernel.lifecycle import Lifecycle
from setright.storage import Tx
from tests.corrections.holding import Holding, new_id
from tests.house.tree import ROOT
from tests.proof.proving import Proving
from tests.support.ledger import Ledger

Table = Mapping[str, tuple[Reaction, ...]]


def in_order(table: Table) -> list[str]:
    """The events so that each comes after those that lead to it; refused where there is a circle."""
    sorter = TopologicalSorter[str]()
    for kind, reactions in table.items():
        for reaction in reactions:
            for led_to in reaction.announces:
                sorter.add(led_to, kind)
    return list(sorter.static_order())


def rooms_of_events() -> dict[str, str]:
    """Which room announces an event, by the tables of moves."""
    return {move.event: room.partition(".")[2] for room, life in lives() for move in life.moves}


def lives() -> Iterator[tuple[str, Lifecycle]]:
    for package in pkgutil.iter_modules(setright.__path__, "setright."):
        try:
            module = importlib.import_module(f"{package.name}.lifecycle")
        except ModuleNotFoundError:
            continue
        yield from ((package.name, life) for life in vars(module).values() if isinstance(life, Lifecycle))


def floors() -> list[set[str]]:
    """The floors of the package from the top down, each with the rooms that are on it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers: Sequence[str] = next(contract["layers"] for contract in contracts if "layers" in contract)
    return [
        {room.strip(" ()").removeprefix("setright.") for room in layer.replace(":", "|").split("|")}
        for layer in layers
    ]


def floor_of(room: str) -> int:
    return next(number for number, rooms in enumerate(floors()) if room in rooms)


def test_no_reaction_leads_back_to_itself() -> None:
    in_order(REACTIONS)


def test_a_circle_would_be_found() -> None:
    def leads_to(kind: str) -> tuple[Reaction, ...]:
        return (Reaction(lambda tx, told: None, frozenset({kind})),)

    with pytest.raises(CycleError):
        in_order({"a.b": leads_to("c.d"), "c.d": leads_to("a.b")})
    with pytest.raises(CycleError):
        in_order({"a.b": leads_to("a.b")})


def test_what_reactions_lead_to_is_declared(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    led_to: dict[str, set[str]] = {kind: set() for kind in REACTIONS}

    def noting(kind: str, reaction: Reaction) -> Reaction:
        def does(tx: Tx, told: Sequence[Event]) -> None:
            announced = len(tx.events)
            reaction.does(tx, told)
            led_to[kind] |= {event.kind for event in tx.events[announced:]}

        return Reaction(does)

    watched = {kind: tuple(noting(kind, one) for one in reactions) for kind, reactions in REACTIONS.items()}
    monkeypatch.setattr(table, "REACTIONS", watched)
    room, run_id = Holding(ledger, ledger.tenant()), new_id()
    for _ in range(2):
        room.held(run_id)
    room.held(run_id, items=[{"key": "a", "pointer": "/nowhere", "verdict": "wrong"}])
    room.run(run_id)
    proving = Proving(ledger, ledger.tenant())
    proving.run("v1")
    proving.unpin(proving.pin("v1"))
    proving.deploy("v1")
    declared = {
        kind: set[str]().union(*(one.announces for one in reactions)) for kind, reactions in REACTIONS.items()
    }
    assert led_to["run.finished"] == declared["run.finished"]
    assert all(led_to[kind] <= declared[kind] for kind in REACTIONS), led_to


def test_a_room_reacts_only_to_rooms_below_it_and_announces_only_its_own() -> None:
    announced_by = rooms_of_events()
    for kind, reactions in REACTIONS.items():
        for reaction in reactions:
            room = reaction.does.__module__.split(".")[1]
            assert floor_of(room) < floor_of(announced_by[kind]), kind
            assert {announced_by[led_to] for led_to in reaction.announces} <= {room}, kind
