"""The guard's copy of the rules that forbid calls, as the last briefing brought them."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

from setright.hooks.place import Asked, Machine, read_json, write_private

OLDEST = 24 * 3600
AHEAD = 300
NAMES = ("id", "rule", "until", "mustNotCall")
Rule = Mapping[str, Any]


def keep(machine: Machine, asked: Asked, rules: Sequence[Rule]) -> None:
    """Keep the rules that name calls that must not be made, as a briefing has them for guards."""
    kept = [{name: rule[name] for name in NAMES if name in rule} for rule in rules if rule.get("mustNotCall")]
    document = {"for": asked.said, "fetched": time.time(), "rules": kept}
    machine.make_own()
    write_private(machine.file(asked, "guard"), json.dumps(document).encode())


def current(machine: Machine, asked: Asked) -> Sequence[Rule]:
    """The rules that may block now; none from a copy that is missing, older than a day, or from the future."""
    found = read_json(machine.file(asked, "guard"))
    fetched, rules = found.get("fetched"), found.get("rules")
    if found.get("for") != asked.said or not isinstance(rules, list) or not isinstance(fetched, (int, float)):
        return ()
    if not -AHEAD <= time.time() - fetched <= OLDEST:
        return ()
    now = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    entries = [cast("Rule", rule) for rule in cast("list[Any]", rules) if isinstance(rule, dict)]
    return [rule for rule in entries if str(rule.get("until") or "9") > now]
