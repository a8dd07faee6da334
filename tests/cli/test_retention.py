"""Retention on the command line: set, counted first, kept to, reported."""

from tests.cli.shell import Shell


def test_it_is_set_for_a_project_counted_and_kept_to(shell: Shell) -> None:
    made = shell("retention", "set", "--project", "default", "--runs", 30, "--json").good().json
    assert made["runs"] == 30
    assert "brings nothing back" in shell("retention", "set", "--project", "default", "--runs", 31).good().err
    assert "31" in shell("retention", "show", "--project", "default").good().out
    counted = shell("retention", "run", "--dry-run", "--json").good().json
    assert (counted["state"], counted["counts"]) == ("dry-run", {})
    done = shell("retention", "run", "--yes", "--json").good().json
    assert done["state"] == "done"
    assert done["id"] in shell("retention", "list").good().out
    assert "nothing" in shell("retention", "passing", done["id"]).good().out


def test_what_belongs_to_no_project_is_set_without_one(shell: Shell) -> None:
    shell("retention", "set", "--interactions", 365, "--briefings", 30).good()
    lifted = shell("retention", "set", "--interactions", "forever", "--json").good().json
    assert ("interactions" in lifted, lifted["briefings"]) == (False, 30)
    assert "forever" in shell("retention", "show").good().out


def test_what_does_not_fit_is_told_before_anything_is_sent(shell: Shell) -> None:
    assert "without --project there are --outputs" in shell("retention", "set", "--runs", 3).err
    assert "--runs" in shell("retention", "set", "--project", "default").err
    wrong = shell("retention", "set", "--outputs", "3d")
    assert (wrong.code, "whole days" in wrong.err) == (2, True)


def test_without_a_yes_somebody_at_a_terminal_is_asked(shell: Shell) -> None:
    told = shell("retention", "run")
    assert (told.code, "nobody is at the terminal" in told.err) == (2, True)
