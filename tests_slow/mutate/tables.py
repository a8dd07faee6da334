"""Changes of a table: an entry left out, or one of its words another; nothing that cosmic-ray would think of."""

import ast
from collections.abc import Iterator

WHO = 3  # of a move: who may make it, in words for people


def table_changes(source: str) -> Iterator[tuple[str, str]]:
    """The name of each change, and the source with it."""
    tree = _without_types(ast.parse(source))
    for node in ast.walk(tree):
        for part, nothing in _entries(node):
            yield "LeaveOut", _replaced(source, part, part, nothing)
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                yield "LeaveOut", _replaced(source, key or value, value, "**{}")
    for word in _words(tree):
        yield "OtherWord", _replaced(source, word, word, repr(f"{word.value} too"))


def _without_types(tree: ast.Module) -> ast.Module:
    """A table without the words that only a type checker reads: those of which no tuple is made."""
    read = {
        node.args[0].id
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "get_args"
        and isinstance(node.args[0], ast.Name)
    }
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Literal["))
        or ast.unparse(node.targets[0]) in read
    ]
    return tree


def _entries(node: ast.AST) -> Iterator[tuple[ast.expr | ast.keyword, str]]:
    """What can be left out of a tuple or a call, each with what then stands in its place."""
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        yield from ((element, "*()") for element in node.elts)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        # Without others the file could not be loaded, and no test would be needed to notice it.
        optional = [one for one in node.keywords if node.func.id.startswith("_") or one.arg == "final"]
        yield from ((keyword, "**{}") for keyword in optional)


def _words(tree: ast.Module) -> Iterator[ast.Constant]:
    """The texts that programs read: neither docstrings, nor parts of longer texts, nor what tells people who may."""
    for_people: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr | ast.Assign):
            for_people.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            for_people.update(node.values)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Move":
            for_people.update(node.args[WHO : WHO + 1])
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in for_people:
            yield node


def _replaced(source: str, first: ast.expr | ast.keyword, last: ast.expr | ast.keyword, text: str) -> str:
    """The source with a text in the place of what stands from the first to the end of the last."""
    lines = source.splitlines(keepends=True)
    assert last.end_lineno is not None
    assert last.end_col_offset is not None
    before = "".join(lines[: first.lineno - 1]) + _cut(lines[first.lineno - 1], first.col_offset)[0]
    after = _cut(lines[last.end_lineno - 1], last.end_col_offset)[1] + "".join(lines[last.end_lineno :])
    return before + text + after


def _cut(line: str, offset: int) -> tuple[str, str]:
    """A line before and after an offset, which counts bytes."""
    raw = line.encode()
    return raw[:offset].decode(), raw[offset:].decode()
