"""The pages about security name tests and pages that are there, and leave out no requirement."""

import re

import pytest

from tests.house.test_seed_page import missing
from tests.house.tree import ROOT

FOLDER = ROOT / "docs" / "security"
PAGES = {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.md"))}
ROW = re.compile(r"^\| (V[0-9]+\.[0-9]+\.[0-9]+) \| ([a-z ]+) \| (.+) \|$", re.MULTILINE)
PAGE = re.compile(r"(?<![\w/])((?:docs|tests)/[\w/.-]+\.(?:md|py)|SECURITY\.md)")
OF_LEVELS_1_AND_2 = 253
STANDS = {"held", "not there", "operator", "open"}


@pytest.mark.parametrize("name", PAGES)
def test_every_test_that_is_named_is_there(name: str) -> None:
    assert missing(PAGES[name], ROOT) == []


@pytest.mark.parametrize("name", PAGES)
def test_every_file_that_is_named_is_there(name: str) -> None:
    assert [file for file in PAGE.findall(PAGES[name]) if not (ROOT / file).exists()] == []


def test_every_requirement_stands_somewhere_and_names_what_holds_it_or_why_not() -> None:
    rows = ROW.findall(PAGES["asvs.md"])
    assert len({number for number, _, _ in rows}) == len(rows) == OF_LEVELS_1_AND_2
    assert {stands for _, stands, _ in rows} == STANDS
    assert [number for number, stands, by in rows if stands == "held" and not PAGE.search(by)] == []
