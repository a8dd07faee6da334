"""The command that does the jobs of a PostgreSQL database."""

import signal
from contextlib import closing
from types import FrameType

from setright.app import machine
from setright.faces.cli import opening
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.wiring import OF_SERVER, command, group

app = group("Do the jobs of a PostgreSQL database, beside the servers.")


@command(app, "worker", OF_SERVER)
def worker(desk: Desk) -> None:
    """Do the jobs of a PostgreSQL database until told to stop; start as many as you like.

    On a SQLite file `setright serve` does them itself. Killed in the middle, the next worker goes on after 30 seconds.
    """
    if machine.address(desk.settings).engine == "sqlite":
        raise Cannot(
            "A SQLite file has one writer, so `setright serve` does its jobs itself.",
            advice=["setright serve", "or --database postgresql://HOST/NAME"],
            kind="usage",
        )
    from setright.faces.http.logs import log_to_stderr

    opened = opening.open_ledger(desk.settings)
    log_to_stderr(desk.settings)
    with closing(opened.app):

        def stop(_signal: int, _frame: FrameType | None) -> None:
            opened.app.worker.end()

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        desk.out.line(f"Working on the jobs of {opened.place} (Ctrl+C stops after the batch that runs)")
        opened.app.worker.work()
