"""Opening the ledger of this machine: a missing SQLite file is made, with a tenant, a project and a first person."""

from dataclasses import dataclass
from pathlib import Path

from setright import identity
from setright.app import machine
from setright.app.assemble import RunningApp
from setright.app.settings import Settings
from setright.faces.cli import local_token


@dataclass(frozen=True, slots=True)
class Opened:
    """An open app: `made` is what a new ledger got, `before` the schema that the database had."""

    app: RunningApp
    file: Path
    made: identity.Bootstrapped | None
    before: machine.Schema

    @property
    def place(self) -> str:
        """Where the database is, as people are told."""
        found = machine.address(self.app.settings)
        return str(found.path or found.shown)

    def news(self) -> list[str]:
        """What was done to the database while it was opened, a sentence each."""
        told: list[str] = []
        if self.before.can_be_upgraded:
            copy = machine.copy_before_upgrade(self.app.settings)
            told.append(
                f"Upgraded the ledger {self.place} from {self.before.found}; as it was before: {copy}"
            )
        if self.made is not None:
            told.append(f"Made a ledger: {self.place}")
        return told


def open_ledger(settings: Settings, *, may_upgrade: bool = False) -> Opened:
    """Open the database of `settings`; only a SQLite file is made or upgraded, and only if that was allowed."""
    before = machine.make_ready(settings, may_upgrade=may_upgrade)
    app = machine.open_app(settings)
    file = local_token.token_file(settings)
    try:
        made = None
        if machine.address(settings).path is not None:
            made = machine.first_tenant(
                app, "local", "default", "admin", lambda secret: local_token.keep(file, secret)
            )
    except BaseException:
        app.close()
        raise
    return Opened(app, file, made, before)
