"""The commands about rules in force: what an agent is told when a session starts."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from setright.client import RuleInForce
from setright.faces.cli import names, rules_files
from setright.faces.cli.desk import Desk
from setright.faces.cli.options import Project
from setright.faces.cli.wiring import OF_LEDGER, command

BUDGET = 100_000


class Rules(TyperGroup):
    """Without a command, the rules are listed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments, those of `list` where no command is named."""
        if not args or (args[0].startswith("-") and args[0] not in ("--help", "-h")):
            args = ["list", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=Rules, add_completion=False)


@app.callback()
def rules() -> None:
    """The rules in force that agents follow; without a command, they are listed."""


@command(app, "list", OF_LEDGER)
def list_rules(
    desk: Desk,
    agent: Annotated[
        str | None, typer.Option(metavar="ID", help="The rules of this agent, then every agent's.")
    ] = None,
    project: Project = None,
    text: Annotated[
        bool, typer.Option("--text", help="The briefing as an agent reads it, within its 9000 characters.")
    ] = False,
) -> None:
    """List the rules in force in the order in which an agent is told them."""
    told = desk.client.lessons.briefing(
        agent=agent,
        project_id=names.project_or_all(desk.client, project),
        format="text",
        budget=None if text else BUDGET,
    )
    if desk.out.as_json:
        desk.out.document(told.raw)
        return
    if text:
        for line in told.briefing.splitlines():
            desk.out.line(line)
        return
    if not told.rules:
        desk.out.note(f"{_nobody(agent)}; setright lessons adopt puts one in force.")
        return
    desk.out.table(("LESSON", "AGENT", "SEVERITY", "BROKEN AGAIN", "VERIFIED", "RULE"), map(_row, told.rules))
    if told.left_out:
        desk.out.note(f"{told.left_out} more are in force.")


def _nobody(agent: str | None) -> str:
    if agent is None:
        return "No rule is in force there for every agent (--agent ID shows those of one)"
    return f"No rule is in force there for {agent}"


def _row(rule: RuleInForce) -> tuple[object, ...]:
    verified = "by a person" if rule.verified_at is not None else ""
    return rule.id, rule.agent or "every agent", rule.severity, rule.broken_again or "", verified, rule.rule


rules_files.add_to(app)
