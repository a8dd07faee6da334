"""Every row of what was measured and reported has a test that is there."""

import ast

import pytest

from tests.house.tree import ROOT
from tests.mcp.rows import MEASURED, REPORTED


@pytest.mark.parametrize("test", sorted({*MEASURED.values(), *REPORTED.values()}))
def test_the_test_of_a_row_is_there(test: str) -> None:
    path, _, name = test.partition("::")
    module = ast.parse((ROOT / "tests" / path).read_text("utf-8"))
    assert name in {found.name for found in module.body if isinstance(found, ast.FunctionDef)}
