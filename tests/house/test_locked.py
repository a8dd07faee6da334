"""The locked requirements: complete, hashed, light for agents, and free of licences that we may not ship."""

import re
import tomllib
from importlib import metadata
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.house import rules_of_tree as rules
from tests.house.tree import ROOT, listed

BASE, SERVER, ALL = "requirements/base.txt", "requirements/server.txt", "requirements.txt"
EMBED = "requirements/embed.txt"
FILES = [
    BASE,
    SERVER,
    EMBED,
    ALL,
    "requirements/mcp.txt",
    "requirements/lock.txt",
    "requirements/fuzz.txt",
    "requirements/mutate.txt",
    "requirements/peers.txt",
    "requirements/conformance.txt",
    "requirements/supply.txt",
]
MOST_FOR_AN_AGENT = 22


def text(name: str) -> str:
    return (ROOT / name).read_text()


def project() -> dict[str, Any]:
    return tomllib.loads(text("pyproject.toml"))


def licence_of(name: str) -> str:
    if name in rules.READ_BY_HAND:
        return rules.READ_BY_HAND[name]
    told = metadata.metadata(name)
    classifiers = [line for line in told.get_all("Classifier", []) if line.startswith("License")]
    ways = (told.get_all("License-Expression", []), told.get_all("License", []), classifiers)
    return next(("; ".join(way).split("\n")[0] for way in ways if way), "")


def missing(requirements: list[str], pins: dict[str, str]) -> list[str]:
    faults: list[str] = []
    for requirement in map(Requirement, requirements):
        version = pins.get(canonicalize_name(requirement.name))
        if version is None or not requirement.specifier.contains(version):
            faults.append(f"{requirement} is locked as {version}")
    return faults


@pytest.mark.parametrize("name", FILES)
def test_everything_is_pinned_and_hashed(name: str) -> None:
    faults = rules.unhashed(text(name))
    assert not faults, listed(faults)


@pytest.mark.parametrize(
    "bad",
    ["rich>=15\n", "rich==15.0.0\n", "-e .\n", "--some-option x\nrich==15.0.0 \\\n    --hash=sha256:aa\n"],
)
def test_a_loose_requirement_is_found(bad: str) -> None:
    assert rules.unhashed(bad)


def test_what_an_agent_gets_is_light() -> None:
    locked = rules.pins(text(BASE))
    assert 3 <= len(locked) <= MOST_FOR_AN_AGENT, sorted(locked)


def test_the_files_agree() -> None:
    every = rules.pins(text(ALL)).items()
    assert rules.pins(text(BASE)).items() <= rules.pins(text(SERVER)).items() <= every
    assert rules.pins(text(SERVER)).items() <= rules.pins(text(EMBED)).items() <= every


def test_the_files_are_fresh() -> None:
    told = project()
    base, extras = told["project"]["dependencies"], told["project"]["optional-dependencies"]
    server = extras["server"]
    faults = missing(base, rules.pins(text(BASE)))
    faults += missing(base + server, rules.pins(text(SERVER)))
    faults += missing(base + server + extras["embed"], rules.pins(text(EMBED)))
    faults += missing(
        base + server + extras["embed"] + told["dependency-groups"]["dev"], rules.pins(text(ALL))
    )
    assert not faults, listed([*faults, "run ./dev lock"])


def test_a_stale_file_is_found() -> None:
    assert missing(["rich>=15"], {})
    assert missing(["rich>=15"], {"rich": "14.0"})
    assert not missing(["rich>=15"], {"rich": "15.0"})


@pytest.mark.parametrize(("name", "server"), [(BASE, False), (SERVER, True), (EMBED, True)])
def test_licences_of_what_runs(name: str, server: bool) -> None:
    faults = [
        fault
        for package in rules.pins(text(name))
        for fault in rules.licence_fault(package, licence_of(package), server=server)
    ]
    assert not faults, listed(faults)


@pytest.mark.parametrize(
    ("package", "licence", "server"),
    [
        ("krippendorff", "GPL-3.0-or-later", True),
        ("x", "AGPL-3.0-only", True),
        ("x", "License :: OSI Approved :: GNU General Public License v3 (GPLv3)", True),
        ("x", "GNU Affero General Public License", True),
        ("x", "LGPL-3.0-only", True),
        ("psycopg", "LGPL-3.0-only", False),
        ("x", "GNU Lesser General Public License v3", True),
        ("x", "MIT AND GPL-2.0-only", True),
        ("x", "Proprietary", True),
        ("x", "", True),
    ],
)
def test_a_licence_that_we_may_not_ship_is_found(package: str, licence: str, server: bool) -> None:
    assert rules.licence_fault(package, licence, server=server)


@pytest.mark.parametrize("licence", ["MIT", "BSD-3-Clause", "Apache Software License", "MPL-2.0", "Zlib"])
def test_a_free_licence_is_let_through(licence: str) -> None:
    assert not rules.licence_fault("x", licence, server=False)


def test_our_own_licence_stands_in_full() -> None:
    assert project()["project"]["license"] == "Apache-2.0"
    assert re.search(r"Apache License\s+Version 2\.0, January 2004", text("LICENSE"))
    assert "END OF TERMS AND CONDITIONS" in text("LICENSE")
