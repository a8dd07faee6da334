"""What may not be found out by measuring is compared by hmac.compare_digest, and nowhere by == or `in`."""

import ast
from collections.abc import Iterator

import pytest

from tests.house.tree import SRC, listed

WORDS = {"digest", "hash", "hashed", "hashes", "hexdigest", "password", "secret", "secrets", "signature"}
NO_SECRETS = {
    "events/verifying.py": "hashes of ids that stand beside them",
    "faces/cli/hidden.py": "what one person typed twice",
    "knowledge/importing.py": "hashes of texts that were published",
    "lessons/sessions.py": "hashes of briefings",
    "proof/results.py": "hashes of what runners hand in",
    "runs/operations.py": "hashes of what runs hold",
    "storage/backup.py": "checksums of a backup, which its manifest tells",
    "storage/kept.py": "hashes of bodies, compared for whoever sent them",
}
"""Files that compare hashes of contents, and why what they compare is no secret."""


def name_of(node: ast.expr) -> str:
    """What a value is called, as far as its expression says."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Call):
        return name_of(node.func)
    if isinstance(node, ast.Subscript):
        key = node.slice
        return (
            key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else name_of(node.value)
        )
    return ""


def is_secret(node: ast.expr) -> bool:
    parts = name_of(node).lower().strip("_").split("_")
    return bool(WORDS & set(parts)) or parts[-1] == "token"


def is_sql(node: ast.expr) -> bool:
    """A column, or a value that the database is given: such an == makes a statement and compares nothing."""
    return name_of(node) == "bindparam" or (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id.startswith("_")
    )


def comparisons(text: str) -> Iterator[int]:
    """The lines in which something that is called a secret is compared by an operator."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Compare):
            continue
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            equals = isinstance(operator, ast.Eq | ast.NotEq)
            among = isinstance(operator, ast.In | ast.NotIn) and is_secret(left)
            plain = isinstance(left, ast.Constant) or isinstance(right, ast.Constant)
            sql = is_sql(left) and is_sql(right)
            if (equals or among) and not plain and not sql and (is_secret(left) or is_secret(right)):
                yield node.lineno


def found() -> dict[str, list[int]]:
    """The lines by file of the package."""
    seen = {path.relative_to(SRC).as_posix(): path.read_text("utf-8") for path in SRC.rglob("*.py")}
    told = {name: list(comparisons(text)) for name, text in seen.items()}
    return {name: lines for name, lines in sorted(told.items()) if lines}


def test_no_secret_is_compared_by_an_operator() -> None:
    faults = [f"{name}:{line}" for name, lines in found().items() if name not in NO_SECRETS for line in lines]
    assert not faults, listed(faults)


def test_what_was_looked_at_is_there() -> None:
    assert set(NO_SECRETS) <= set(found())


@pytest.mark.parametrize(
    "line",
    [
        "row['secret_hash'] == presented.secret_hash",
        "stored != given_token",
        "hash_of(text) == kept",
        "password in ('a', b)",
        "a < 1 or x.digest() == y",
    ],
)
def test_such_a_comparison_is_found(line: str) -> None:
    assert list(comparisons(line)) == [1]


@pytest.mark.parametrize(
    "line",
    [
        "hmac.compare_digest(secret, other)",
        "_A.key_hash == bindparam('key')",
        "token is None",
        "token_id == x",
        "secret == ''",
    ],
)
def test_and_nothing_else(line: str) -> None:
    assert not list(comparisons(line))
