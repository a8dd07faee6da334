"""Rules in force go into a block of ours, and out again."""

from pathlib import Path

import pytest

from setright.hooks.rule_export import TARGETS, exported, markdown

RULES = ["Never force-push.", "# Use <b>tabs</b> `always`"]


@pytest.mark.parametrize("form", TARGETS)
@pytest.mark.parametrize("before", [None, "", "# Mine\r\n\r\n- be kind", "# Mine\n"])
def test_the_block_comes_changes_and_goes_to_the_byte(tmp_path: Path, form: str, before: str | None) -> None:
    file = tmp_path / TARGETS[form].file
    file.parent.mkdir(parents=True, exist_ok=True)
    if before is not None:
        file.write_bytes(before.encode())
    begins = TARGETS[form].head if before is None else before
    for rules in (RULES, RULES, ["Another."]):
        change = exported(form, tmp_path, rules)
        assert change.after is not None
        file.write_bytes(change.after)
        assert all(markdown(rule).encode() in change.after for rule in rules)
        assert change.after.startswith(begins.encode())
        assert exported(form, tmp_path, rules).after == change.after
    gone = exported(form, tmp_path, []).after
    assert gone == (None if before is None else before.encode())


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ("Use `x` and <y> [z] \\n", "Use \\`x\\` and \\<y\\> \\[z\\] \\\\n"),
        ("# heading", "\\# heading"),
        ("1. first", "1\\. first"),
        ("- bullet", "\\- bullet"),
        ("two\nlines\u202e", "two lines"),
        ("it is 5. May", "it is 5. May"),
    ],
)
def test_no_rule_acts_as_markdown(rule: str, shown: str) -> None:
    assert markdown(rule) == shown
