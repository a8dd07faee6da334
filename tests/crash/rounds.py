"""Rounds of a load, a crash and a restart."""

import random
from pathlib import Path

from tests.crash.load import Book, Figures, Load, hold_to_account, wait_at_random
from tests.crash.program import Program
from tests.support.postgres import Postgres

TOLD: dict[str, Figures] = {}
"""What came of each engine's rounds, for whoever wants to print it."""


def kill(program: Program) -> None:
    """The server's process is killed."""
    program.kill()
    program.start()


def kill_while_it_starts(program: Program) -> None:
    """The server's process is killed, and once more just after it said that it answers."""
    kill(program)
    kill(program)


def rounds(
    folder: Path, database: str, seeds: range, postgres: Postgres | None = None, most: float = 0.6
) -> Figures:
    """One round for each seed on one ledger; with `postgres` some of them stop the database instead, or besides."""
    program, whole = Program(folder, database), Figures()
    program.start()
    try:
        book = Book.open(program.wire())
        for seed in seeds:
            whole.add(_round(program, book, seed, postgres, most))
        whole.add(hold_to_account(program.wire(), book))
        assert program.stop() == 0
    finally:
        program.kill()
    return whole


def _round(program: Program, book: Book, seed: int, postgres: Postgres | None, most: float) -> Figures:
    chance = random.Random(seed)
    load = Load(program.wire(), book, seed)
    wait_at_random(chance, most)
    fate = chance.choice(("kill", "kill", "kill again", "database", "both")) if postgres else "kill"
    if fate == "kill":
        kill(program)
    elif fate == "kill again" or postgres is None:
        kill_while_it_starts(program)
    elif fate == "database":
        postgres.interrupt()
        wait_at_random(chance, most)
        postgres.resume()
    else:
        postgres.interrupt()
        program.kill()
        postgres.resume()
        program.start()
    told = load.stop()
    told.add(hold_to_account(program.wire(), book))
    return told


def report(name: str, figures: Figures) -> None:
    """Keep the figures to be printed, and make sure that nothing is missing, doubled or changed."""
    TOLD[name] = figures
    assert (figures.lost, figures.doubled, figures.changed) == (0, 0, 0), str(figures)
