"""A linter of what coding agents read, on homes into which Setright was installed for every client."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from setright.hooks.clients import CLIENTS, Wish
from tests.hooks.test_install import BRACES, LOCAL, OVER_HTTP, REMOTE, WHOLE, Sample
from tests_slow.conformance import tools

LINTER = tools.ROOT / ".venv-conformance" / "bin" / "agnix"
HOMES: Mapping[str, Mapping[str, str]] = {"none": {}, "full": WHOLE, "braces": BRACES}
WISHES = {"local": LOCAL, "remote": REMOTE, "http": OVER_HTTP}
Found = set[tuple[str, str, str]]


def found(home: Path) -> Found:
    """What the linter calls wrong in a home: the rule, the file, and what it says."""
    assert LINTER.is_file(), "./dev conformance makes its environment"
    told = tools.run(LINTER, "--format", "json", home, folder=home.parent)
    whole = json.loads(told.stdout)
    return {
        (one["rule"], one["file"], one["message"]) for one in whole["diagnostics"] if one["level"] != "info"
    }


@pytest.mark.parametrize("everywhere", [False, True], ids=["project", "home"])
@pytest.mark.parametrize("wish", WISHES.values(), ids=WISHES)
@pytest.mark.parametrize("files", HOMES.values(), ids=HOMES)
def test_what_is_installed_adds_nothing_wrong(
    tmp_path: Path, files: Mapping[str, str], wish: Wish, everywhere: bool
) -> None:
    sample = Sample(tmp_path)
    sample.fill(files)
    before = found(sample.home)
    for client in CLIENTS:
        sample.install(client, wish, everywhere=everywhere)
    assert found(sample.home) - before == set()
    assert files or not found(sample.home)


def test_the_linter_sees_what_is_wrong(tmp_path: Path) -> None:
    sample = Sample(tmp_path)
    sample.fill({".claude/settings.json": '{"hooks": {"SessionBegin": [{"hooks": [{"type": "comand"}]}]}}'})
    assert found(sample.home)
