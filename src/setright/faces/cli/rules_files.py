"""Rules taken out of the files that coding agents read, and rules in force written into them."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from setright.client import Lesson, Setright
from setright.faces.cli import names
from setright.faces.cli.bars import counting
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot
from setright.faces.cli.wiring import OF_LEDGER, command
from setright.hooks.blocks import Broken
from setright.hooks.clients import Place
from setright.hooks.install import Change, Plan, write
from setright.hooks.rule_export import TARGETS, exported
from setright.hooks.rule_files import CannotRead, Rule, RulesFound, folded, read

LONGEST_RULE = 500
LONGEST_TEXT = 4_000
MOST_CHARACTERS = 100_000
FORMATS = (*TARGETS, "json")
Agent = Annotated[
    str | None, typer.Option(metavar="NAME", help="The agent whose rules they are; left out, every agent's.")
]
Space = Annotated[str | None, typer.Option("--space", metavar="PROJECT", help="Id or name of the project.")]


def add_to(rules: typer.Typer) -> None:
    """Put the commands about files beside those that list rules."""
    command(rules, "import", OF_LEDGER)(import_rules)
    command(rules, "export", OF_LEDGER)(export_rules)


def import_rules(
    desk: Desk,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="CLAUDE.md, AGENTS.md, or a rule file of Cursor.")
    ],
    agent: Agent = None,
    space: Space = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be recorded.")] = False,
) -> None:
    """Take the rules out of a file and record each as an open lesson, with its place.

    A rule is a bullet or a line of prose; code, headings, comments and tables are none. Files that it includes
    (@AGENTS.md) are read too, inside of its folder. What a lesson says already is not recorded again, so the same
    command goes on where it stopped. Nothing is in force until somebody adopts it.
    """
    try:
        found = read(file)
    except CannotRead as error:
        raise Cannot(f"{error}.", kind="file-not-usable") from error
    project = names.project_or_all(desk.client, space)
    known = _known(desk.client, agent, project)
    fresh = [rule for rule in found.rules if folded(rule.text) not in known]
    recorded: list[dict[str, Any]] = []
    with counting("Recording rules", len(fresh)) as advance:
        for rule in fresh:
            told = {"place": rule.place, "text": rule.text}
            if not dry_run:
                told = {"id": _record(desk.client, rule, agent, project).id, **told}
            recorded.append(told)
            advance(1)
    _tell(desk, found, recorded, dry_run=dry_run)


def export_rules(
    desk: Desk,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help=f"One of: {', '.join(FORMATS)}.")],
    agent: Agent = None,
    space: Space = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write, after the diff was shown.")] = False,
) -> None:
    """Write the rules in force into the file that an agent reads, in this folder: a block of ours, nothing beside it.

    The diff is shown first; without --yes it is only shown, or a terminal is asked. claude is CLAUDE.md, agents
    AGENTS.md, cursor .cursor/rules/corrections.mdc, copilot .github/copilot-instructions.md; json prints the rules.
    """
    if form not in FORMATS:
        raise Cannot(f"--format {form!r:.80} is none of {', '.join(FORMATS)}.", kind="usage")
    project = names.project_or_all(desk.client, space)
    briefing = desk.client.lessons.briefing(agent=agent, project_id=project, budget=MOST_CHARACTERS)
    if briefing.left_out:
        desk.out.note(f"{briefing.left_out} more rules are in force and have no room.")
    if form == "json":
        desk.out.document({"rules": briefing.raw["rules"], "leftOut": briefing.left_out})
        return
    change = _change(form, [rule.rule for rule in briefing.rules])
    shown = change.file.relative_to(Path.cwd()).as_posix()
    diff = change.diff(shown).rstrip("\n") if change.before != change.after else ""
    desk.out.line(diff or "Nothing to change: the rules stand there already.")
    written = bool(diff) and (yes or _asked(desk, shown))
    if written:
        home = Path.home()
        write(
            Plan([change], []),
            Place(Path.cwd(), home, everywhere=False, system=sys.platform, environment=os.environ),
        )
        desk.out.line(f"Written: {shown}")
    elif diff:
        desk.out.line("Nothing was written: --yes writes.")
    if desk.out.as_json:
        desk.out.document({"file": shown, "diff": diff, "written": written})


def _known(client: Setright, agent: str | None, project: str | None) -> set[str]:
    """The rules that lessons have already where this agent would be told them, whatever became of them."""
    wanted = (agent or "").strip().casefold()
    return {
        folded(text)
        for lesson in client.lessons.list()
        for text in (lesson.rule, lesson.expected)
        if text and _counts(lesson, wanted, project)
    }


def _counts(lesson: Lesson, agent: str, project: str | None) -> bool:
    named = (lesson.agent or "").strip().casefold()
    return named in ("", agent) and lesson.project_id in (None, project)


def _record(client: Setright, rule: Rule, agent: str | None, project: str | None) -> Lesson:
    """Record one rule; a text that is too long for a rule is what was expected, and waits for somebody's words."""
    text = rule.text if len(rule.text) <= LONGEST_TEXT else f"{rule.text[: LONGEST_TEXT - 1]}…"
    fits = len(text) <= LONGEST_RULE
    return client.lessons.record(
        agent=agent,
        project_id=project,
        kind="instruction",
        noticed_by="person",
        what_happened=f"A rule that stands in {rule.place}.",
        rule=text if fits else None,
        expected=None if fits else text,
        evidence=[rule.place],
    )


def _change(form: str, rules: Sequence[str]) -> Change:
    try:
        return exported(form, Path.cwd(), rules)
    except Broken as error:
        raise Cannot(
            f"{TARGETS[form].file}: {error}; nothing was changed.", kind="file-not-usable"
        ) from error
    except UnicodeDecodeError as error:
        raise Cannot(
            f"{TARGETS[form].file}: it is not UTF-8; nothing was changed.", kind="file-not-usable"
        ) from error


def _asked(desk: Desk, shown: str) -> bool:
    return not desk.out.as_json and sys.stdin.isatty() and typer.confirm(f"Write {shown}?")


def _tell(desk: Desk, found: RulesFound, recorded: Sequence[dict[str, Any]], *, dry_run: bool) -> None:
    there = len(found.rules) - len(recorded)
    if desk.out.as_json:
        told = {
            "alreadyThere": there,
            "repeated": found.repeated,
            "notes": list(found.notes),
            "dryRun": dry_run,
        }
        desk.out.document({"rules": list(recorded), **told})
        return
    if recorded:
        desk.out.table(("PLACE", "RULE"), [(one["place"], one["text"]) for one in recorded])
    verb = "would be recorded as open lessons" if dry_run else "were recorded as open lessons"
    desk.out.line(
        f"{len(recorded)} rules {verb}; {there} are in lessons already, {found.repeated} stood in the files twice."
    )
    long = sum(len(one["text"]) > LONGEST_RULE for one in recorded)
    if long:
        desk.out.note(
            f"{long} are longer than {LONGEST_RULE} characters: they have no rule until somebody words one."
        )
    for note in found.notes:
        desk.out.note(note)
