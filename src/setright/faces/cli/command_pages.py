"""The page of the reference that shows every command with its arguments and options."""

from collections.abc import Iterator
from typing import Any

from setright.faces.cli.main import COMMANDS, load
from setright.faces.cli.pages import MADE, row, table

EXITS = (
    ("0", "good"),
    ("1", "the answer is no: refused, not found, or something was found wrong"),
    ("2", "could not: wrong usage, no connection, a missing file, or a package that is not installed"),
)


def commands() -> str:
    """The whole tree of commands."""
    lines = [
        "# Commands",
        MADE,
        "With `SETRIGHT_URL` and `SETRIGHT_TOKEN`, or `--url`, the commands on the ledger work on that server; without,",
        "on the ledger of this machine. `--json` prints one JSON document on stdout and nothing else; notes and bars",
        "go to stderr.",
        "",
        *table("exit code", "means"),
        *(row(*exit_code) for exit_code in EXITS),
        "",
    ]
    for name in COMMANDS:
        for path, command in leaves(f"setright {name}", load(name)):
            lines += _page(path, command)
    return "\n".join(lines)


def leaves(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    """Every command at or below one, with how it is called."""
    below: dict[str, Any] = getattr(command, "commands", {})
    if not below:
        yield path, command
    for name, inner in below.items():
        yield from leaves(f"{path} {name}", inner)


def _page(path: str, command: Any) -> list[str]:
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    usage = " ".join(
        [path, *(parameter.metavar or parameter.name.upper() for parameter in arguments), "[OPTIONS]"]
    )
    text = "\n".join(line.strip() for line in (command.help or "").strip().splitlines())
    lines = [f"## {path}", "", f"`{usage}`", "", text, ""]
    shown = [parameter for parameter in [*arguments, *options] if parameter.name != "help"]
    if shown:
        lines += [*table("argument or option", "value", "meaning"), *map(_parameter, shown), ""]
    return lines


def _parameter(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return row(f"`{parameter.metavar or parameter.name.upper()}`", "", parameter.help or "")
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    default = parameter.default
    shown = f" Default: {default}." if default not in (None, False) and not isinstance(default, list) else ""
    needed = " Required." if parameter.required else ""
    return row(names, _value(parameter), f"{parameter.help or ''}{shown}{needed}")


def _value(parameter: Any) -> str:
    descriptor = parameter.type_descriptor
    if descriptor.is_choice:
        return " ".join(f"`{choice}`" for choice in descriptor.choices)
    return "" if parameter.is_flag else (parameter.metavar or "").upper()
