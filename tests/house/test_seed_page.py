"""The page that goes through the first contract names, for each of its sentences, tests that are there."""

import ast
import re
from pathlib import Path

from tests.house.tree import ROOT

PAGE = (ROOT / "docs" / "reference" / "seed-correct-a-run.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
LATER = 2


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


def test_every_test_that_is_named_is_there() -> None:
    assert missing(PAGE, ROOT) == []


def test_every_sentence_names_a_test_and_nothing_else() -> None:
    assert len(rows(PAGE)) > 60
    for says, held in rows(PAGE):
        assert NAMED.sub("", held).replace("<br>", "") == "", says


def test_what_comes_later_is_counted_so_that_none_is_added_unseen() -> None:
    assert sum("*later*" in says for says, _ in rows(PAGE)) == LATER


def test_a_test_that_is_gone_is_found(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("def test_here() -> None: ...\n")
    page = "`tests/test_a.py::test_here` `tests/test_a.py::test_gone` `tests/test_b.py::test_here`"
    assert missing(page, tmp_path) == ["tests/test_a.py::test_gone", "tests/test_b.py::test_here"]
