"""Rules in force as a block in the file that a coding agent reads."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from setright.hooks import blocks
from setright.hooks.blocks import MARKDOWN
from setright.hooks.inert import inert
from setright.hooks.install import Change

_SPECIAL = re.compile(r"[\\`<>\[\]]")
_FIRST = re.compile(r"([#+*~-])|([0-9]+)([.)])")


class Target(NamedTuple):
    """Where the rules of a format stand, and how a new file there begins."""

    file: str
    head: str = ""


TARGETS: Final[Mapping[str, Target]] = {
    "claude": Target("CLAUDE.md"),
    "agents": Target("AGENTS.md"),
    "cursor": Target(
        ".cursor/rules/corrections.mdc",
        "---\ndescription: Adopted corrections for this project\nglobs:\nalwaysApply: true\n---\n",
    ),
    "copilot": Target(".github/copilot-instructions.md"),
}
TITLE: Final = "Adopted corrections for this project:"


def exported(form: str, folder: Path, rules: Sequence[str]) -> Change:
    """What writing the rules changes: a block of ours in the file of the format, and not a byte beside it.

    Without rules the block goes, and with it a file that was ours. Raises `blocks.Broken` and UnicodeDecodeError.
    """
    target = TARGETS[form]
    file = folder / target.file
    before = file.read_bytes() if file.exists() else None
    text = None if before is None else before.decode()
    lines = [TITLE, "", *(f"- {markdown(rule)}" for rule in rules)]
    if rules:
        after = blocks.put(text, MARKDOWN, lines, target.head)
    else:
        after = None if text is None else blocks.take_out(text, MARKDOWN, target.head)
    return Change(file, before, None if after is None else after.encode())


def markdown(rule: str) -> str:
    """The words of a rule on one line, such that markdown shows them as they are."""
    escaped = _SPECIAL.sub(r"\\\g<0>", inert(rule))
    return (
        _FIRST.sub(lambda at: f"\\{at[1]}" if at[1] else f"{at[2]}\\{at[3]}", escaped, count=1)
        if _FIRST.match(escaped)
        else escaped
    )
