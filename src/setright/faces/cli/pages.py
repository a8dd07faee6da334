"""The pages of the reference that tables of the code are the source of: errors, lifecycles and settings."""

import importlib
import inspect
import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields

import setright
from setright.app.settings import Settings
from setright.faces.http.codes import every_refusal
from setright.faces.http.envelope import STATUS
from setright.kernel.errors import Refusal
from setright.kernel.lifecycle import Lifecycle, Move

MADE = "<!-- Written by `python -m setright.faces.cli.reference` from the code; do not edit. -->\n"
# Modules that act when they are imported, and none of which can refuse anything.
APART = (
    "setright.storage.migrations",
    "setright.faces.cli",
    "setright.demo",
    "setright.hooks",
    "setright.testing",
)


def table(*columns: str) -> list[str]:
    """The head of a Markdown table."""
    return [row(*columns), "|" + "---|" * len(columns)]


def row(*cells: str) -> str:
    """One line of a Markdown table."""
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def errors() -> str:
    """Every code that a request can be refused with."""
    meanings: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for refusal in _refusals():
        meaning = inspect.getdoc(refusal) or ""
        known = meanings[refusal.code, STATUS[refusal.kind]]
        if meaning not in known:
            known.append(meaning)
    lines = [
        "# Errors",
        MADE,
        'Every error answer is `{"error": {"code", "message", "details"?, "requestId"}}`. The code is stable; the',
        "message is for people, and may change. `details.faults` of a body lists every fault with a JSON Pointer.",
        "",
        *table("code", "status", "meaning"),
    ]
    lines += [
        row(f"`{code}`", str(status), "<br>".join(sorted(texts)))
        for (code, status), texts in sorted(meanings.items())
    ]
    return "\n".join(lines) + "\n"


def _refusals() -> Iterator[type[Refusal]]:
    for module in pkgutil.walk_packages(setright.__path__, "setright."):
        if not module.name.startswith(APART) and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    yield from (refusal for refusal in every_refusal() if refusal.__module__.startswith("setright."))


def lifecycles() -> str:
    """The life of everything that has one, as a picture and as the table of its moves."""
    lines = [
        "# Lifecycles",
        MADE,
        "What is not in a table is refused, and the refusal names the moves that are open.",
        "",
    ]
    for life in sorted(_lives(), key=lambda life: life.thing):
        lines += [f"## {life.thing}", "", *_picture(life), "", *_moves(life), ""]
    return "\n".join(lines)


def _lives() -> Iterator[Lifecycle]:
    for package in pkgutil.iter_modules(setright.__path__, "setright."):
        try:
            room = importlib.import_module(f"{package.name}.lifecycle")
        except ModuleNotFoundError:
            continue
        yield from (life for life in vars(room).values() if isinstance(life, Lifecycle))


def _picture(life: Lifecycle) -> list[str]:
    lines = ["```mermaid", "stateDiagram-v2"]
    lines += [f'    state "{status}" as {_alias(status)}' for status in life.statuses if "-" in status]
    drawn: list[str] = []
    for move in life.moves:
        start = "[*]" if move.start is None else _alias(move.start)
        drawn.append(f"    {start} --> {_alias(move.end)}: {move.verb}")
    lines += dict.fromkeys(drawn)
    lines += [f"    {_alias(status)} --> [*]" for status in life.final]
    return [*lines, "```"]


def _alias(status: str) -> str:
    return status.replace("-", "_")


def _moves(life: Lifecycle) -> list[str]:
    lines = table("verb", "from", "to", "who may", "event", "clears")
    grouped: defaultdict[tuple[str, str, str, str, tuple[str, ...]], list[Move]] = defaultdict(list)
    for move in life.moves:
        end = "the same" if move.start == move.end else move.end
        grouped[move.verb, end, move.who, move.event, move.clears].append(move)
    for (verb, end, who, event, clears), moves in grouped.items():
        starts = ", ".join(dict.fromkeys(move.start or "(nothing)" for move in moves))
        lines.append(row(verb, starts, end, who, f"`{event}`", ", ".join(clears)))
    return lines


def settings() -> str:
    """Every setting with its flag, its variable, its default and what it means."""
    lines = [
        "# Settings",
        MADE,
        "Each from a flag of `setright serve`, else from the environment, else from `setright.toml` in the folder",
        "where the command runs (or the file that `--config` or `SETRIGHT_CONFIG` names), else the default. In the",
        "file a setting has the name in the first column. Lists are written with commas in the environment.",
        "",
        *table("setting", "flag", "environment", "default", "meaning"),
    ]
    for entry in fields(Settings):
        default = "" if entry.default in ("", ()) else f"`{entry.default}`"
        flag, variable = f"`--{entry.name.replace('_', '-')}`", f"`SETRIGHT_{entry.name.upper()}`"
        lines.append(row(f"`{entry.name}`", flag, variable, default, entry.metadata["meaning"]))
    lines += [
        "",
        "Two more are read by the client and by the commands that work on a ledger: `SETRIGHT_URL`, the address of a",
        "server, and `SETRIGHT_TOKEN`, a token of that server. Without `SETRIGHT_URL` the commands work on the ledger",
        "of this machine.",
        "",
        "`SETRIGHT_LLM_KEY` is the key of the model that `llm_url` and `llm_model` name. It is read from the environment",
        "only, goes to that address and nowhere else, and is neither shown nor kept.",
    ]
    return "\n".join(lines) + "\n"
