"""Every Python file keeps every rule, and every rule can be broken."""

from collections.abc import Callable

import pytest

from tests.house import rules_of_code as rules
from tests.house.tree import Source, listed, sources

Rule = Callable[[Source], list[str]]

FILE = "src/setright/runs/model.py"
OPERATIONS = "src/setright/runs/operations.py"
LATER = "TO" + "DO"
SKIP = "@pytest.mark.ski" + "p"

BROKEN: list[tuple[Rule, str, str]] = [
    (rules.file_too_long, FILE, "x = 1\n" * 401),
    (rules.file_too_long, "tests/test_x.py", "x = 1\n" * 501),
    (rules.function_too_long, FILE, "def f():\n" + "    x = 1\n" * 40),
    (rules.function_too_long, FILE, "class A:\n    async def f(self):\n" + "        x = 1\n" * 40),
    (rules.module_docstring, FILE, "x = 1\n"),
    (rules.module_docstring, FILE, '"""No full stop"""\n'),
    (rules.module_docstring, FILE, '"""One sentence. And one more."""\n'),
    (rules.public_docstrings, FILE, "def f(): ...\n"),
    (rules.public_docstrings, FILE, "class A:\n    '''An A.'''\n    def f(self): ...\n"),
    (rules.forbidden_words, FILE, "class RunService: ...\n"),
    (rules.forbidden_words, FILE, "class HTTPBase: ...\n"),
    (rules.forbidden_words, "src/setright/runs/run_utils.py", ""),
    (rules.forbidden_words, "src/setright/helpers/model.py", ""),
    (rules.typing_only_imports, FILE, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\n"),
    (rules.typing_only_imports, FILE, "import typing\nif typing.TYPE_CHECKING:\n    import os\n"),
    (rules.imports_in_functions, FILE, "def f():\n    import os\n"),
    (rules.imports_in_functions, FILE, "class A:\n    def f(self):\n        from os import path\n"),
    (rules.unfinished, FILE, f"# {LATER}: later\n"),
    (rules.unfinished, "tests/runs/test_x.py", f"{SKIP}\ndef test_x(): ...\n"),
    (rules.operations_are_plain, OPERATIONS, "def f(actor): ...\n"),
    (rules.operations_are_plain, OPERATIONS, "async def f(tx): ...\n"),
    (rules.operations_are_plain, OPERATIONS, "def f(tx):\n" + "    x = 1\n" * 30),
    (rules.operations_look_at_nothing_else, OPERATIONS, "import time\n"),
    (rules.operations_look_at_nothing_else, OPERATIONS, "from datetime import datetime\n"),
    (rules.operations_look_at_nothing_else, OPERATIONS, "def f(tx):\n    tx.commit()\n"),
]

KEPT: list[tuple[Rule, str, str]] = [
    (rules.file_too_long, FILE, "x = 1\n" * 400),
    (rules.function_too_long, FILE, "def f():\n" + "    x = 1\n" * 39),
    (rules.module_docstring, FILE, '"""One sentence on\ntwo lines, v1.2 included."""\n'),
    (rules.public_docstrings, FILE, "class A:\n    '''An A.'''\n    def _f(self): ...\n"),
    (rules.forbidden_words, FILE, "class Database: ...\nclass Metadata: ...\n"),
    (rules.imports_in_functions, "src/setright/faces/cli/serve.py", "def f():\n    import os\n"),
    (rules.unfinished, "tests/conftest.py", f"pytest{SKIP[-5:]}('no data')\n"),
    (rules.operations_are_plain, OPERATIONS, "def f(tx, actor): ...\ndef _g(): ...\n"),
]


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_every_file_keeps_the_rule(rule: Rule) -> None:
    faults = [fault for source in sources() for fault in rule(source)]
    assert not faults, f"{rule.__doc__}\n{listed(faults)}"


@pytest.mark.parametrize(("rule", "path", "text"), BROKEN)
def test_a_file_that_breaks_the_rule_is_found(rule: Rule, path: str, text: str) -> None:
    assert rule(Source(path, text))


@pytest.mark.parametrize(("rule", "path", "text"), KEPT)
def test_a_file_that_keeps_the_rule_is_left_alone(rule: Rule, path: str, text: str) -> None:
    assert not rule(Source(path, text))


def test_every_rule_was_shown_broken() -> None:
    assert {rule for rule, _, _ in BROKEN} == set(rules.RULES)


def test_the_tree_is_really_read() -> None:
    paths = {source.path for source in sources()}
    assert "src/setright/__init__.py" in paths
    assert "tests/house/test_rules_of_code.py" in paths
