"""Rules that one Python file keeps or breaks, each a function from a file to its faults."""

import ast
import re
from collections.abc import Iterator

from tests.house.tree import Source, is_source

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTION_LINES = 40
OPERATION_LINES = 30
FORBIDDEN_WORDS = {"base", "data", "helper", "helpers", "impl", "info", "manager", "service", "util", "utils"}
# Spelled in two halves, so that this file keeps its own rule.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|NotImplemented" r"Error")
SWITCHED_OFF = re.compile(r"\b(mark\.(ski" r"p|xfa" r"il)|pytest\.(ski" r"p|xfa" r"il|importor" r"skip))\b")

# The few places where an import inside a function is right, and why. A path may end in a slash: a folder.
IMPORTS_IN_FUNCTIONS = {
    "src/setright/storage/open.py": "only the engine that is used, and the migration tool only when it is needed",
    "src/setright/hooks/guard.py": "of most calls no rule speaks, and then nothing is loaded to compare them",
    "src/setright/faces/cli/": "a command loads what it needs when it runs, so that --help answers at once",
}
# The few places where a test may be left out, and why.
MAY_SKIP = {
    "src/setright/client/runner/as_pytest.py": "to a user's pytest, what is not known is neither passed nor failed",
    "tests/conftest.py": "the data fixture: the reference data stands beside the repository, not in it",
}


def file_too_long(source: Source) -> list[str]:
    """A file of the package has at most 400 lines, a test file 500."""
    limit = 400 if is_source(source) else 500
    lines = len(source.text.splitlines())
    return [f"{source.path}: {lines} lines, at most {limit}"] if lines > limit else []


def functions(tree: ast.AST) -> Iterator[Function]:
    """Yield every function of a file, also methods and functions in functions."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def lines_of(function: Function) -> int:
    """Count the lines of a function from def to its end, without decorators."""
    return (function.end_lineno or function.lineno) - function.lineno + 1


def function_too_long(source: Source) -> list[str]:
    """A function has at most 40 lines."""
    return [
        f"{source.where(function)}: {function.name} has {lines_of(function)} lines, at most {FUNCTION_LINES}"
        for function in functions(source.tree)
        if is_source(source) and lines_of(function) > FUNCTION_LINES
    ]


def module_docstring(source: Source) -> list[str]:
    """A module of the package says in one sentence what it is."""
    if not is_source(source):
        return []
    text = " ".join((ast.get_docstring(source.tree) or "").split())
    if not text:
        return [f"{source.path}: no docstring; say in one sentence what the module is"]
    if not text.endswith(".") or re.search(r"[.!?] +[A-Z]", text):
        return [f"{source.path}: the docstring must be one sentence: {text!r}"]
    return []


def public_docstrings(source: Source) -> list[str]:
    """Every public class, function and method of the package has a docstring."""
    return list(_undocumented(source, source.tree.body)) if is_source(source) else []


def _undocumented(source: Source, body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if not isinstance(node, Function | ast.ClassDef) or node.name.startswith("_") or _is_overload(node):
            continue
        if not ast.get_docstring(node):
            yield f"{source.where(node)}: {node.name} has no docstring"
        if isinstance(node, ast.ClassDef):
            yield from _undocumented(source, node.body)


def _is_overload(node: Function | ast.ClassDef) -> bool:
    return any(
        ast.unparse(decorator).split(".")[-1] in {"overload", "setter"} for decorator in node.decorator_list
    )


def words_of(name: str) -> set[str]:
    """Split a name of either spelling into its lower-case words."""
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)}


def forbidden_words(source: Source) -> list[str]:
    """No class, module or folder is named by a word that says nothing."""
    if not is_source(source):
        return []
    names = [(source.path, part.removesuffix(".py")) for part in source.parts]
    names += [
        (source.where(node), node.name) for node in ast.walk(source.tree) if isinstance(node, ast.ClassDef)
    ]
    return [
        f"{where}: {name} says {word!r}, which says nothing"
        for where, name in names
        for word in sorted(words_of(name) & FORBIDDEN_WORDS)
    ]


def typing_only_imports(source: Source) -> list[str]:
    """Nothing is imported for the type checker only: what is named is imported."""
    return [
        f"{source.where(node)}: TYPE_CHECKING"
        for node in ast.walk(source.tree)
        if (isinstance(node, ast.Name) and node.id == "TYPE_CHECKING")
        or (isinstance(node, ast.Attribute) and node.attr == "TYPE_CHECKING")
    ]


def imports_in_functions(source: Source) -> list[str]:
    """No import of the package stands in a function, but in the places listed above."""
    if not is_source(source) or any(source.path.startswith(place) for place in IMPORTS_IN_FUNCTIONS):
        return []
    return [
        f"{source.where(node)}: import inside {function.name}"
        for function in functions(source.tree)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]


def unfinished(source: Source) -> list[str]:
    """Nothing is left for later, and no test is switched off."""
    faults = [
        f"{source.path}:{number}: unfinished: {line.strip()}"
        for number, line in enumerate(source.text.splitlines(), 1)
        if UNFINISHED.search(line)
    ]
    if source.path not in MAY_SKIP:
        faults += [
            f"{source.path}:{number}: switched off: {line.strip()}"
            for number, line in enumerate(source.text.splitlines(), 1)
            if SWITCHED_OFF.search(line)
        ]
    return faults


def operations_are_plain(source: Source) -> list[str]:
    """A public function of operations.py is synchronous, takes tx first and has at most 30 lines."""
    if not is_source(source) or source.parts[-1] != "operations.py":
        return []
    faults: list[str] = []
    for node in source.tree.body:
        if not isinstance(node, Function) or node.name.startswith("_"):
            continue
        first = next(iter([*node.args.posonlyargs, *node.args.args]), None)
        if isinstance(node, ast.AsyncFunctionDef):
            faults.append(f"{source.where(node)}: {node.name} is async")
        if first is None or first.arg != "tx":
            faults.append(f"{source.where(node)}: {node.name} must take tx first")
        if lines_of(node) > OPERATION_LINES:
            faults.append(
                f"{source.where(node)}: {node.name} has {lines_of(node)} lines, at most {OPERATION_LINES}"
            )
    return faults


def operations_look_at_nothing_else(source: Source) -> list[str]:
    """An operation reads no clock, no settings and no file, logs nothing and never commits."""
    if not is_source(source) or source.parts[-1] not in {"operations.py", "reactions.py"}:
        return []
    elsewhere = {"datetime", "logging", "os", "random", "secrets", "socket", "structlog", "time", "uuid"}
    faults = [
        f"{source.where(node)}: imports {name}"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in _imported(node)
        if name in elsewhere
    ]
    return faults + [
        f"{source.where(node)}: calls {node.func.attr}"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"commit", "rollback"}
    ]


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [(node.module or "").split(".")[0]]
    return [alias.name.split(".")[0] for alias in node.names]


RULES = (
    file_too_long,
    function_too_long,
    module_docstring,
    public_docstrings,
    forbidden_words,
    typing_only_imports,
    imports_in_functions,
    unfinished,
    operations_are_plain,
    operations_look_at_nothing_else,
)
