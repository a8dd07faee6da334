"""Rules are read out of the files of coding agents, each once, with its place, and nothing that is no rule."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.hooks import rule_files
from setright.hooks.blocks import MARKDOWN, put
from setright.hooks.rule_files import CannotRead

WHOLE = f"""\
---
description: x
globs: "*.py"
---
# Rules

Always answer in French.
Use tabs.

## Code

- Run the tests before you commit,
  and read what they say.
* [ ] Never force-push.
+ [x] Ask before you delete.
  1. First look at the file.
  2) Then at its history.

```sh
- not a rule
# nor this
```

Setext heading
--------------

> Quoted lines count too.

    indented code is none

~~~
- nor this ```
~~~

<!-- a comment
- over lines -->
- use TABS
- "Use tabs."
***
| a | table |
|---|---|
Last line<!-- hidden -->.
{MARKDOWN.begin}
- ours
{MARKDOWN.end}
- ``` is no fence in `` a line ``
"""


def texts(file: Path) -> list[str]:
    return [rule.text for rule in rule_files.read(file).rules]


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, newline="")
    return file


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_bullet_and_every_line_is_a_rule_with_its_place(tmp_path: Path, newline: str) -> None:
    found = rule_files.read(written(tmp_path, "CLAUDE.md", WHOLE.replace("\n", newline)))
    assert [(rule.line, rule.text) for rule in found.rules] == [
        (7, "Always answer in French."),
        (8, "Use tabs."),
        (12, "Run the tests before you commit, and read what they say."),
        (14, "Never force-push."),
        (15, "Ask before you delete."),
        (16, "First look at the file."),
        (17, "Then at its history."),
        (27, "Quoted lines count too."),
        (42, "Last line."),
        (46, "``` is no fence in `` a line ``"),
    ]
    assert found.repeated == 2
    assert found.rules[0].place == "CLAUDE.md:7"


def test_includes_are_followed_where_they_stand_and_each_once(tmp_path: Path) -> None:
    written(tmp_path, "AGENTS.md", "- of agents\n@CLAUDE.md\n@docs/more.md\n")
    written(tmp_path, "docs/more.md", "- more\n- @../AGENTS.md\n- see @deep.md, it says more\n")
    written(tmp_path, "docs/deep.md", "deep\n")
    file = written(tmp_path, "CLAUDE.md", "first\n@AGENTS.md\n`@docs/code.md`\nlast\n")
    written(tmp_path, "docs/code.md", "never read\n")
    found = rule_files.read(file)
    assert [(rule.place, rule.text) for rule in found.rules] == [
        ("CLAUDE.md:1", "first"),
        ("AGENTS.md:1", "of agents"),
        ("docs/more.md:1", "more"),
        ("docs/more.md:3", "see @deep.md, it says more"),
        ("docs/deep.md:1", "deep"),
        ("CLAUDE.md:3", "`@docs/code.md`"),
        ("CLAUDE.md:4", "last"),
    ]
    assert found.notes == []


def test_no_include_leaves_the_folder(tmp_path: Path) -> None:
    written(tmp_path, "secret.md", "secret\n")
    project = tmp_path / "project"
    file = written(
        project,
        "CLAUDE.md",
        "@../secret.md\n@link.md\n@/etc/hostname\n@~/x.md\n@gone.md\nwrite to me@../secret.md\n",
    )
    (project / "link.md").symlink_to(tmp_path / "secret.md")
    found = rule_files.read(file)
    assert [rule.text for rule in found.rules] == ["write to me@../secret.md"]
    assert [note.partition(": ")[2] for note in found.notes] == [
        "@../secret.md is outside of the folder",
        "@link.md is outside of the folder",
        "@/etc/hostname is outside of the folder",
        "@~/x.md is outside of the folder",
        "@gone.md is not there",
    ]


def test_a_large_file_is_read(tmp_path: Path) -> None:
    lines = [f"- rule number {number} about {'x' * 40}" for number in range(4_000)]
    assert len(texts(written(tmp_path, "AGENTS.md", "\n".join(lines)))) == 4_000


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", []),
        ("\ufeff- one", ["one"]),
        ("```\n- never closed", []),
        ("<!-- never closed\n- x", []),
        ("---\nno: end\n- x", ["no: end", "x"]),
        ("- a\n\n  more of a\n\nnot of a", ["a", "more of a", "not of a"]),
        ("- a\n      indented\n", ["a indented"]),
        ("````\n```\n- x\n```\n````\n- y", ["y"]),
        ("- \u202ea\u200b b\x00", ["a b"]),
        ("...\n- ---\n", []),
        ("#hashtag rule\n# \n#", ["#hashtag rule"]),
        ("a\r\n- b\r\n", ["a", "b"]),
    ],
)
def test_odd_texts(tmp_path: Path, text: str, rules: list[str]) -> None:
    assert texts(written(tmp_path, "x.md", text)) == rules


@pytest.mark.parametrize(("content", "reason"), [(b"\xff", "not UTF-8"), (None, "No such file")])
def test_what_cannot_be_read_is_told(tmp_path: Path, content: bytes | None, reason: str) -> None:
    if content is not None:
        (tmp_path / "x.md").write_bytes(content)
    with pytest.raises(CannotRead, match=reason):
        rule_files.read(tmp_path / "x.md")


@given(st.text(st.sampled_from("ab `~-*#<>!@.\n\t|=_\\1)"), max_size=60))
def test_any_text_is_read_and_every_rule_stands_on_its_line(text: str) -> None:
    lines = text.splitlines()
    for entry in rule_files.entries(text):
        assert entry.text
        assert entry.text.split()[0][-1:] in lines[entry.line - 1]


def test_what_we_write_is_not_read_back(tmp_path: Path) -> None:
    file = written(tmp_path, "CLAUDE.md", put("- mine\n", MARKDOWN, ["- ours"]))
    assert texts(file) == ["mine"]
