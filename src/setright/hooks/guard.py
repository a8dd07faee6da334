"""`setright guard`: before an agent calls a tool, refuse the call if a rule in force forbids it, and never else."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

from setright.hooks import rules_kept, stops
from setright.hooks.inert import inert
from setright.hooks.options import FLAG, TEXT, read
from setright.hooks.place import Asked, Machine, object_in
from setright.hooks.streams import in_utf8

LET_THROUGH = 0
REFUSE = 2
USAGE = "setright guard --agent NAME [--space SPACE], with {tool_name, tool_input} on stdin"
OPTIONS = {"--agent": TEXT, "--space": TEXT, "--json": FLAG}
Rule = Mapping[str, Any]
Call = tuple[str, Mapping[str, Any]]


def main(words: Sequence[str] | None = None) -> int:
    """Hold the call on stdin against the rules of the last briefing: 2 refuses it and says why on stderr.

    Its own failures never block: they are 0 and a line on stderr.
    """
    in_utf8()
    given = sys.argv[1:] if words is None else words
    if {"-h", "--help"} & set(given):
        print(f"Usage: {USAGE}")
        return LET_THROUGH
    try:
        return guard(given, sys.stdin.buffer.read())
    except Exception as error:  # noqa: BLE001 - whatever goes wrong here, the call is not for us to stop
        reason = inert(str(error))[:300] or type(error).__name__
        print(f"setright guard: let the call through: {reason}. Usage: {USAGE}", file=sys.stderr)
        return LET_THROUGH


def guard(words: Sequence[str], given: bytes) -> int:
    """`main` without its net: what is wrong is raised."""
    options = read(words, OPTIONS)
    machine = Machine()
    asked = Asked(machine.server, options.get("--agent", ""), options.get("--space", ""))
    tool, args = _call(given)
    broken = [rule for rule in rules_kept.current(machine, asked) if forbids(rule, tool, args)]
    if "--json" in options:
        told = [{"id": rule.get("id"), "rule": rule.get("rule")} for rule in broken]
        print(json.dumps({"refused": bool(broken), "rules": told}))
    if not broken:
        return LET_THROUGH
    print(refusal(tool, broken), file=sys.stderr)
    _note(machine, asked, broken)
    return REFUSE


def forbids(rule: Rule, tool: str, args: Mapping[str, Any]) -> bool:
    """Whether a rule forbids a call: its tool and every field that an entry names are as written there."""
    entries = [entry for entry in rule["mustNotCall"] if entry["tool"] == tool]
    if not entries:
        return False
    # Loaded only here: of most calls no rule speaks, and the guard stands in the way of every one.
    from setright.matching import fits

    return any(fits(entry, tool, args) for entry in entries)


def refusal(tool: str, broken: Sequence[Rule]) -> str:
    """What the agent is told: the rules, each in one line."""
    lines = [f"This call of {inert(tool)[:200]} was not made: a rule that is in force here forbids it."]
    lines += [
        f"- {inert(str(rule.get('rule', '')))} (lesson {inert(str(rule.get('id', '')))})" for rule in broken
    ]
    return "\n".join(lines)


def _call(given: bytes) -> Call:
    found = object_in(given)
    if found is None:
        raise ValueError("stdin holds no JSON object")
    tool, args = found.get("tool_name"), found.get("tool_input")
    if not isinstance(tool, str) or not isinstance(args, dict):
        raise TypeError("stdin must hold the text tool_name and the object tool_input")
    return tool, cast("Mapping[str, Any]", args)


def _note(machine: Machine, asked: Asked, broken: Sequence[Rule]) -> None:
    try:
        stops.note(machine, asked, [rule["id"] for rule in broken])
    except Exception as error:  # noqa: BLE001 - the call is refused all the same
        print(f"setright guard: this stop is not counted: {inert(str(error))[:300]}", file=sys.stderr)


def run() -> None:
    """The command `setright-guard`."""
    sys.exit(main())
