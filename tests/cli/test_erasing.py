"""Erasing and holding on the command line: counted first, asked for, followed to the end, refused where it is held."""

from tests.cli.shell import Shell

WHO = ("erase", "--participant", "user-4711", "--reason", "ticket 8123")


def test_it_is_counted_then_done_and_the_log_stays_whole(shell: Shell) -> None:
    counted = shell(*WHO, "--dry-run", "--json").good().json
    assert (counted["state"], counted.get("id")) == ("dry-run", None)
    done = shell(*WHO, "--yes", "--json").good().json
    assert (done["state"], done["counts"]) == ("done", {})
    assert "target" not in done
    verified = shell("verify", "--json").good().json
    assert [one["ok"] for one in verified["tenants"]] == [True]


def test_without_a_yes_somebody_at_a_terminal_is_asked(shell: Shell) -> None:
    told = shell(*WHO)
    assert told.code == 2
    assert "nobody is at the terminal" in told.err


def test_what_is_held_is_not_erased_before_the_hold_is_released(shell: Shell) -> None:
    hold = (
        shell("legal-hold", "place", "--participant", "user-4711", "--reason", "x", "--json")
        .good()
        .json["id"]
    )
    refused = shell(*WHO, "--yes")
    assert refused.code == 1
    assert hold in refused.err
    assert hold in shell("legal-hold", "list").good().out
    shell("legal-hold", "release", hold).good()
    shell(*WHO, "--yes").good()


def test_exactly_one_is_named(shell: Shell) -> None:
    told = shell("erase", "--reason", "x", "--yes")
    assert told.code == 1
    assert "exactly one of" in told.err
