"""What a command works with: the settings of this machine, a client of the ledger, and where to speak."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import setright
from setright.app.settings import Settings, load
from setright.faces.cli.failures import Cannot
from setright.faces.cli.out import Out


@dataclass(frozen=True, slots=True)
class Where:
    """Where a command was told to work: a server's address, or settings of this machine by their names."""

    url: str | None = None
    config: Path | None = None
    flags: Mapping[str, Any] = field(default_factory=dict[str, Any])


class Desk:
    """What one command has at hand; `close` releases what it opened."""

    def __init__(self, where: Where, out: Out) -> None:
        self.flags = where.flags
        self.config = where.config
        self.out = out
        self._url = where.url
        self._do_what_is_due: Callable[[], None] | None = None

    @cached_property
    def settings(self) -> Settings:
        """The settings of this machine: from flags, the environment and the settings file."""
        return load(self.flags, file=self.config)

    @property
    def url(self) -> str | None:
        """The address of the server to work on, None for the ledger of this machine."""
        flags = [name for name, value in self.flags.items() if value is not None]
        if self._url and flags:
            raise Cannot(f"--url and --{flags[0].replace('_', '-')} do not go together.", kind="usage")
        return self._url or (None if flags else os.environ.get("SETRIGHT_URL") or None)

    @cached_property
    def client(self) -> "setright.Setright":
        """A client of the ledger, over the network or in this process."""
        if self.url is None:
            if os.environ.get("SETRIGHT_TOKEN"):
                self.out.note(
                    "SETRIGHT_TOKEN is set and SETRIGHT_URL is not: this works on the ledger of this machine, as you."
                )
            from setright.faces.cli.in_process import enter

            entered = enter(self.settings, self.out.note)
            self._do_what_is_due = entered.do_what_is_due
            return entered.client
        from setright.client import Retries
        from setright.faces.cli import kept_session

        token = os.environ.get("SETRIGHT_TOKEN") or kept_session.kept(self.settings, self.url)
        if not token:
            raise Cannot(
                f"SETRIGHT_TOKEN is not set, and {self.url} lets nobody in without a token.",
                advice=[
                    "setright sign-in, if you have a password there",
                    "export SETRIGHT_TOKEN=srt_... (an admin of that server makes one: setright token create)",
                ],
                kind="not-configured",
            )
        return setright.Setright(self.url, token, timeout=30, retries=Retries(count=2, seconds=30))

    def wait(self, seconds: float) -> None:
        """Give work that was asked for some time; on the ledger of this machine it is done here."""
        if self._do_what_is_due is not None:
            self._do_what_is_due()
        time.sleep(seconds)

    def close(self) -> None:
        """Release what was opened."""
        client = self.__dict__.get("client")
        if client is not None:
            client.close()
