"""The pages that go through the first contracts name, for each of their sentences, tests that are there."""

import ast
import re
from pathlib import Path

import pytest

from tests.house.tree import ROOT

PAGES = {
    name: (ROOT / "docs" / "reference" / f"seed-{name}.md").read_text(encoding="utf-8")
    for name in ("correct-a-run", "submit-correction")
}
SENTENCES = {"correct-a-run": 60, "submit-correction": 20}
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
LATER = {"correct-a-run": 1, "submit-correction": 0}
every_page = pytest.mark.parametrize("name", PAGES)


def rows(page: str) -> list[tuple[str, str]]:
    """What each row says, and what holds it."""
    found = re.findall(r"^\| (.+?) \| (.+?) \|$", page, re.MULTILINE)
    return [row for row in found if row != ("it says", "held by")]


def names_in(path: Path) -> set[str]:
    """The tests of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def missing(page: str, root: Path) -> list[str]:
    """The tests that a page names and that are not there."""
    return [f"{file}::{name}" for file, name in NAMED.findall(page) if name not in names_in(root / file)]


@every_page
def test_every_test_that_is_named_is_there(name: str) -> None:
    assert missing(PAGES[name], ROOT) == []


@every_page
def test_every_sentence_names_a_test_and_nothing_else(name: str) -> None:
    assert len(rows(PAGES[name])) > SENTENCES[name]
    for says, held in rows(PAGES[name]):
        assert NAMED.sub("", held).replace("<br>", "") == "", says


@every_page
def test_what_comes_later_is_counted_so_that_none_is_added_unseen(name: str) -> None:
    assert sum("*later*" in says for says, _ in rows(PAGES[name])) == LATER[name]


def test_a_test_that_is_gone_is_found(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("def test_here() -> None: ...\n")
    page = "`tests/test_a.py::test_here` `tests/test_a.py::test_gone` `tests/test_b.py::test_here`"
    assert missing(page, tmp_path) == ["tests/test_a.py::test_gone", "tests/test_b.py::test_here"]
