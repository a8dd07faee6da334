"""The floors hold, and each contract can be broken."""

import tomllib
from typing import Any

import grimp
import pytest
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

from tests.house.contracts import Direct, FrontDoors
from tests.house.tree import ROOT

TYPES = {"direct": Direct, "front_doors": FrontDoors, "layers": LayersContract}
CONTRACTS: dict[str, dict[str, Any]] = {
    contract["id"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
}
EDGES_THAT_BREAK = [
    ("floors", "setright.kernel.ids", "setright.storage"),
    ("floors", "setright.kernel.ids", "setright.matching.calls"),
    ("floors", "setright.runs.operations", "setright.corrections"),
    ("floors", "setright.lessons.operations", "setright.reviews"),
    ("floors", "setright.app.perform", "setright.faces.http"),
    ("floors", "setright.storage.engine", "setright.events"),
    ("floors", "setright.faces.http", "setright.testing"),
    ("client", "setright.client.http", "setright.kernel.ids"),
    ("client", "setright.client.http", "setright.runs"),
    ("client", "setright.client.http", "setright.demo"),
    ("client", "setright.client.http", "setright.app"),
    ("hooks", "setright.hooks.brief", "setright.client"),
    ("hooks", "setright.hooks.brief", "httpx2"),
    ("demo", "setright.demo.story", "setright.runs"),
    ("demo", "setright.demo", "setright.app.assemble"),
    ("outside", "setright.outside.http", "setright.storage"),
    ("outside", "setright.outside.http", "setright.matching"),
    ("matching", "setright.matching.calls", "setright.kernel.fields"),
    ("matching", "setright.matching.calls", "jsonpointer"),
    ("faces", "setright.faces.http.routes", "setright.storage"),
    ("faces", "setright.faces.cli.main", "setright.storage.engine"),
    ("rooms", "setright.runs.operations", "starlette"),
    ("rooms", "setright.events.queries", "httpx2"),
    ("rooms", "setright.storage.engine", "typer"),
    ("rooms", "setright.corrections.operations", "mcp"),
    ("rooms", "setright.identity.operations", "jinja2"),
    ("front-doors", "setright.corrections.operations", "setright.runs.store"),
    ("front-doors", "setright.app.perform", "setright.identity.tables"),
    ("front-doors", "setright.faces.http.routes", "setright.corrections.model"),
]
EDGES_THAT_ARE_RIGHT = [
    ("floors", "setright.demo.story", "setright.client"),
    ("floors", "setright.corrections.operations", "setright.runs"),
    ("client", "setright.client.http", "httpx2"),
    ("client", "setright.client.http", "setright.matching.calls"),
    ("hooks", "setright.hooks.brief", "json"),
    ("demo", "setright.demo.story", "setright.client"),
    ("outside", "setright.outside.http", "setright.kernel.errors"),
    ("faces", "setright.faces.http.routes", "setright.app.perform"),
    ("rooms", "setright.runs.operations", "pydantic"),
    ("front-doors", "setright.corrections.operations", "setright.runs"),
    ("front-doors", "setright.runs.operations", "setright.runs.store"),
    ("front-doors", "setright.app.schema", "setright.runs.tables"),
]


def contract(name: str) -> Contract:
    told = CONTRACTS[name]
    options = {
        key: str(value) if isinstance(value, bool) else value
        for key, value in told.items()
        if key not in {"id", "name", "type"}
    }
    return TYPES[told["type"]](told["name"], {"root_packages": ["setright"]}, options)


def graph(importer: str, imported: str) -> grimp.ImportGraph:
    """A package of two modules, the first of which imports the second."""
    made = grimp.ImportGraph()
    made.add_module("setright")
    for module in (importer, imported):
        parts = module.split(".")
        for length in range(1, len(parts) + 1):
            name = ".".join(parts[:length])
            if name not in made.modules:
                made.add_module(name, is_squashed=parts[0] != "setright")
    made.add_import(importer=importer, imported=imported, line_number=1, line_contents="import it")
    return made


@pytest.mark.parametrize(("name", "importer", "imported"), EDGES_THAT_BREAK)
def test_a_forbidden_import_is_found(name: str, importer: str, imported: str) -> None:
    assert not contract(name).check(graph(importer, imported), verbose=False).kept


@pytest.mark.parametrize(("name", "importer", "imported"), EDGES_THAT_ARE_RIGHT)
def test_a_right_import_is_let_through(name: str, importer: str, imported: str) -> None:
    assert contract(name).check(graph(importer, imported), verbose=False).kept


def test_nothing_may_stand_beside_the_floors() -> None:
    made = graph("setright.runs.operations", "setright.storage")
    made.add_module("setright.extras")
    assert not contract("floors").check(made, verbose=False).kept


def test_every_contract_was_shown_broken() -> None:
    assert {name for name, _, _ in EDGES_THAT_BREAK} == set(CONTRACTS)
