"""`setright demo`: a server of its own in a new folder, the story on it, and then three things to try."""

import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TextIO

from setright.demo.server import OwnServer, ServerDidNotStart
from setright.demo.story import play
from setright.demo.telling import Teller
from setright.demo.tries import things_to_try

INTERRUPTED = 130
"""The exit code of a program that was ended by Ctrl-C, as shells tell it."""


def run(once: bool, port: int = 0, out: TextIO | None = None) -> int:
    """Play the story and stay up until Ctrl-C, or with `once` end after the story; the exit code.

    `port` 0 takes a free one. Whatever ends it, the server is ended too and the folder removed.
    """
    teller = Teller(out or sys.stdout)
    folder = Path(tempfile.mkdtemp(prefix="setright-demo-"))
    try:
        with _ended_like_by_ctrl_c(), OwnServer(folder, port) as server:
            return _show(server, teller, once=once)
    except ServerDidNotStart as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        teller.lines("", "Stopped before the end of the story.")
        return INTERRUPTED
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _show(server: OwnServer, teller: Teller, *, once: bool) -> int:
    teller.lines("Setright: correct it once, and it stays right.", "")
    teller.say(
        f"A server of its own is up at {server.url}, with an empty ledger in the new folder {server.folder}. "
        "Everything below is asked of it over HTTP."
    )
    token = play(server.url, server.token, teller)
    if once:
        teller.lines(
            "", "That is the story. Without --once the server stays up, so that you can try it yourself."
        )
        return 0
    try:
        _offer(server, token, teller)
        server.wait()
    except KeyboardInterrupt:
        teller.lines("", f"Stopped. The folder {server.folder} is removed.")
        return 0
    teller.lines("", "The server ended by itself; its last words:", *server.last_words())
    return 2


def _offer(server: OwnServer, token: str, teller: Teller) -> None:
    """What the reader can do now, while the server stays up."""
    teller.lines(
        "",
        "The server stays up until you press Ctrl-C; then its folder is removed.",
        f"  address  {server.url}    (what it can do: {server.url}/docs)",
        f"  token    {token}    (Mara's)",
        "",
        "Three things to try in another terminal:",
    )
    for number, entry in enumerate(things_to_try(server.url, token), 1):
        teller.lines("", f"{number}. {entry.title}", "", *entry.command.splitlines())
    teller.lines("")


@contextmanager
def _ended_like_by_ctrl_c() -> Generator[None, None, None]:
    """Let a closed terminal and a polite kill end the demo as Ctrl-C does, so that nothing is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), _interrupt) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
