"""Every row of docs/matching.md is what matching decides, and every reason stands there."""

import json
from pathlib import Path
from typing import Any

import pytest

from setright.matching import RULE, WHY_NOT_EVALUATED, WHY_WRONG, hold

PAGE = (Path(__file__).parents[2] / "docs" / "matching.md").read_text("utf-8")
HEAD = "| said | corrected run | new version | effects | verdict | why |"


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split(" | ")]


def rows() -> list[list[str]]:
    """The rows of every table of decisions on the page."""
    tables = PAGE.split(HEAD)[1:]
    return [cells(line) for table in tables for line in table.strip().partition("\n\n")[0].splitlines()[1:]]


def value(cell: str) -> Any:
    return json.loads(cell.strip("`")) if cell.strip() else None


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_the_row_is_what_is_decided(row: list[str]) -> None:
    said, stored, new, effects, verdict, why = row
    found = hold(value(said), value(stored) or {}, value(new) or {}, value(effects))
    reasons = {one.reason for one in found.aspects if one.verdict == found.verdict and one.reason}
    told = f"{found.verdict} `{', '.join(sorted(reasons))}`" if reasons else found.verdict
    assert (told, found.explanation) == (verdict, why)


def test_there_are_rows_for_every_reason() -> None:
    told = " ".join(row[4] for row in rows())
    assert len(rows()) > 50
    assert [reason for reason in [*WHY_WRONG, *WHY_NOT_EVALUATED] if f"`{reason}`" not in told] == []


def test_the_reasons_and_the_rule_are_told_as_they_are() -> None:
    table = [cells(line) for line in PAGE.partition("## Reasons")[2].strip().splitlines()[2:]]
    wrong = [[f"`{reason}`", "wrong", text] for reason, text in WHY_WRONG.items()]
    unknown = [[f"`{reason}`", "not-evaluated", text] for reason, text in WHY_NOT_EVALUATED.items()]
    assert table == wrong + unknown
    assert f"this is rule version {RULE}." in PAGE
