"""`setright rules import` records what a file says, once; `export` writes what is in force, after the diff."""

import json
from pathlib import Path

import pytest

from setright.app.settings import Settings
from setright.faces.cli.in_process import enter
from tests.cli.shell import Shell

FILE = "# Rules\n\n- Answer in French.\n- Use tabs.\n- Use tabs\n@AGENTS.md\n"


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A terminal in a project folder with rules of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "CLAUDE.md").write_text(FILE)
    (tmp_path / "AGENTS.md").write_text(f"- {'long ' * 120}\n")
    return Shell(tmp_path)


def lessons(shell: Shell) -> list[dict[str, str]]:
    entered = enter(Settings(data_folder=str(shell.data)), lambda _text: None)
    with entered.client as client:
        return [dict(lesson.raw) for lesson in client.lessons.list()]


def test_every_rule_becomes_an_open_lesson_with_its_place_and_once(shell: Shell) -> None:
    dry = shell("rules", "import", "CLAUDE.md", "--dry-run").good()
    assert "3 rules would be recorded as open lessons" in dry.out
    assert lessons(shell) == []
    told = shell("rules", "import", "CLAUDE.md", "--agent", "claude-code", "--json").good().json
    assert [one["place"] for one in told["rules"]] == ["CLAUDE.md:3", "CLAUDE.md:4", "AGENTS.md:1"]
    assert told["repeated"] == 1
    made = {lesson["evidence"][0]: lesson for lesson in lessons(shell)}
    assert {lesson["status"] for lesson in made.values()} == {"open"}
    assert made["CLAUDE.md:3"]["rule"] == "Answer in French."
    assert made["CLAUDE.md:3"]["agent"] == "claude-code"
    assert "rule" not in made["AGENTS.md:1"]
    assert made["AGENTS.md:1"]["expected"].startswith("long long")
    again = shell("rules", "import", "CLAUDE.md", "--agent", "Claude-Code", "--json").good().json
    assert (again["rules"], again["alreadyThere"]) == ([], 3)
    assert len(lessons(shell)) == 3


def test_another_agents_lessons_do_not_count(shell: Shell) -> None:
    shell("rules", "import", "CLAUDE.md", "--agent", "a").good()
    assert "3 rules were recorded" in shell("rules", "import", "CLAUDE.md", "--agent", "b").good().out
    shell("rules", "import", "CLAUDE.md").good()
    assert "0 rules were recorded" in shell("rules", "import", "CLAUDE.md", "--agent", "c").good().out


def test_a_file_that_cannot_be_read_is_told(shell: Shell) -> None:
    told = shell("rules", "import", "gone.md")
    assert (told.code, "gone.md: No such file" in told.err) == (2, True)


@pytest.fixture
def in_force(shell: Shell) -> Shell:
    """A terminal on a ledger with two rules in force, one of them for every agent."""
    shell("rules", "import", "CLAUDE.md", "--agent", "a").good()
    entered = enter(Settings(data_folder=str(shell.data)), lambda _text: None)
    with entered.client as client:
        for lesson in client.lessons.list():
            if lesson.rule:
                client.lessons.update(lesson.id, status="adopted")
    return shell


def test_the_diff_is_shown_and_only_yes_writes(in_force: Shell) -> None:
    file = in_force.folder / "AGENTS.md"
    before = file.read_bytes()
    told = in_force("rules", "export", "--format", "agents", "--agent", "a").good()
    assert "+- Answer in French." in told.out
    assert "Nothing was written: --yes writes." in told.out
    assert file.read_bytes() == before
    in_force("rules", "export", "--format", "agents", "--agent", "a", "--yes").good()
    assert file.read_bytes().startswith(before)
    assert b"- Use tabs." in file.read_bytes()
    again = in_force("rules", "export", "--format", "agents", "--agent", "a", "--yes").good()
    assert "Nothing to change" in again.out


def test_what_was_exported_is_not_imported_again(in_force: Shell) -> None:
    in_force("rules", "export", "--format", "claude", "--agent", "a", "--yes").good()
    told = in_force("rules", "import", "CLAUDE.md", "--agent", "a", "--json").good().json
    assert (told["rules"], told["alreadyThere"]) == ([], 3)


def test_without_rules_in_force_the_block_goes(in_force: Shell) -> None:
    (in_force.folder / ".cursor").mkdir()
    in_force("rules", "export", "--format", "cursor", "--agent", "a", "--yes").good()
    assert (in_force.folder / ".cursor/rules/corrections.mdc").exists()
    in_force("rules", "export", "--format", "cursor", "--agent", "b", "--yes").good()
    assert not (in_force.folder / ".cursor").exists()


def test_json_prints_the_rules_and_writes_nothing(in_force: Shell) -> None:
    before = {file: file.read_bytes() for file in in_force.folder.glob("*.md")}
    told = json.loads(in_force("rules", "export", "--format", "json", "--agent", "a").good().out)
    assert {rule["rule"] for rule in told["rules"]} == {"Answer in French.", "Use tabs."}
    assert {file: file.read_bytes() for file in in_force.folder.glob("*.md")} == before


def test_a_block_that_does_not_end_is_refused(in_force: Shell) -> None:
    (in_force.folder / "CLAUDE.md").write_text("<!-- BEGIN corrections (managed) -->\n")
    told = in_force("rules", "export", "--format", "claude", "--agent", "a", "--yes")
    assert (told.code, "CLAUDE.md" in told.err) == (2, True)
    assert in_force("rules", "export", "--format", "word").code == 2
