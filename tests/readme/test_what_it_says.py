"""What the README says about files, commands and sizes is so."""

import re

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

from tests.house.tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
LINUX = {**default_environment(), "sys_platform": "linux", "platform_machine": "x86_64"} | {
    "python_version": "3.11",
    "python_full_version": "3.11.7",
    "platform_python_implementation": "CPython",
    "implementation_name": "cpython",
    "platform_system": "Linux",
    "os_name": "posix",
}


def installs(name: str) -> int:
    """How many packages a requirement file installs where the README counted, setright included."""
    text = (ROOT / "requirements" / name).read_text()
    lines = [line.rstrip(" \\") for line in text.splitlines() if re.match(r"[A-Za-z0-9]", line)]
    wanted = [Requirement(line) for line in lines]
    return 1 + sum(one.marker is None or one.marker.evaluate(LINUX) for one in wanted)


@pytest.mark.parametrize(
    ("command", "file"), [("setright", "base.txt"), ("'setright[server]'", "server.txt")]
)
def test_the_number_of_packages_is_right(command: str, file: str) -> None:
    found = re.search(rf"^\| `pip install {re.escape(command)}`[^|]*\| (\d+) \|", README, re.MULTILINE)
    assert found
    assert int(found.group(1)) == installs(file)


@pytest.mark.parametrize("text", [README, ARCHITECTURE], ids=["README", "ARCHITECTURE"])
def test_every_link_leads_somewhere(text: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", text)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_file_that_architecture_names_is_there() -> None:
    named = re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", ARCHITECTURE)
    assert len(named) > 20
    places = [ROOT / "src" / "setright", ROOT]
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_the_first_commands_are_the_two_of_setting_up() -> None:
    first = README.split("```")[1].split()
    assert first == ["./dev", "demo", "./dev", "test"]
