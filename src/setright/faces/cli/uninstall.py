"""The command that takes Setright out of a coding agent again."""

from setright.faces.cli.desk import Desk
from setright.faces.cli.installing import Client, DryRun, Everywhere, carry_out, place_of
from setright.faces.cli.wiring import AS_JSON, command, group
from setright.hooks.clients import Wish
from setright.hooks.install import plan_uninstall
from setright.hooks.place import Machine
from setright.hooks.program import program

app = group("Take Setright out of a coding agent again.")


@command(app, "uninstall", AS_JSON)
def uninstall(desk: Desk, client: Client, everywhere: Everywhere = False, dry_run: DryRun = False) -> None:
    """Take everything of Setright out of a coding agent again; what you wrote beside it stays as it is.

    Rules that `setright rules export` wrote into a block of ours go with it. The ledger stays.
    """
    place = place_of(client, everywhere=everywhere)
    wish = Wish(program(), client, "", Machine().url, "")
    carry_out(desk, lambda: plan_uninstall(client, place, wish), place, [], dry_run=dry_run)
