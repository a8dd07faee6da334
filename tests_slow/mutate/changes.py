"""Every changed form of a file that cosmic-ray makes, a JSON object a line; it runs in the environment of cosmic-ray.

`python changes.py FILE`. What is no Python any more, or changes nothing but annotations, docstrings and which
arguments may be named, is left out; each is given once. To what cosmic-ray makes come changes of tables, for files
that are one (see tables.py).
"""

import ast
import importlib
import json
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

from tables import table_changes


def main() -> None:
    """Print the changes of one file."""
    file = Path(sys.argv[1])
    source = file.read_text("utf-8")
    seen = {meaning(source)}
    made = [*changes(source), *(table_changes(source) if file.name == "lifecycle.py" else ())]
    for operator, changed in made:
        marked = meaning(changed)
        if marked is not None and marked not in seen:
            seen.add(marked)
            print(json.dumps({"operator": operator, "change": told(source, changed), "source": changed}))


def changes(source: str) -> Iterator[tuple[str, str]]:
    """The name of each operator, and what it makes of the source at each place where it can."""
    plugins: Any = importlib.import_module("cosmic_ray.plugins")
    mutate: Any = importlib.import_module("cosmic_ray.mutating").mutate_code
    for name in sorted(plugins.operator_names()):
        operator = plugins.get_operator(name)
        kinds = operator.arguments() if hasattr(operator, "arguments") else ()
        if kinds:
            continue  # it wants arguments of its own, and makes nothing without them
        occurrence = 0
        while (changed := mutate(source, operator(), occurrence)) is not None:
            yield name.partition("/")[2], changed
            occurrence += 1


def meaning(source: str) -> str | None:
    """The program without annotations, docstrings and the ways to pass arguments; None where it is none."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.arguments):
            node.args, node.posonlyargs, node.kwonlyargs = (
                [*node.posonlyargs, *node.args, *node.kwonlyargs],
                [],
                [],
            )
            node.defaults, node.kw_defaults = [*node.defaults, *filter(None, node.kw_defaults)], []
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return ast.dump(tree)


def told(source: str, changed: str) -> str:
    """The lines that were changed, with their number."""
    lines = list(unified_diff(source.splitlines(), changed.splitlines(), lineterm="", n=0))[2:]
    place = lines[0].split()[1].removeprefix("-").partition(",")[0]
    return f"line {place}: " + " => ".join(line[1:].strip() for line in lines[1:])


if __name__ == "__main__":
    main()
