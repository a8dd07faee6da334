"""How a function becomes a command: every one gets the options that say where it works and how it speaks."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec, get_type_hints

import typer

from setright.app.settings import Settings
from setright.faces.cli.desk import Desk, Where
from setright.faces.cli.failures import explain, tell
from setright.faces.cli.out import Out

P = ParamSpec("P")
Verb = Callable[Concatenate[Desk, P], None]
Options = Mapping[str, Any]
WHERE = "Where"
SETTINGS = "Settings"


def _option(kind: Any, metavar: str | None, text: str, panel: str | None = None, *names: str) -> Any:
    return Annotated[kind, typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel)]


def _setting(name: str, panel: str) -> Any:
    """The option of one setting, from the table of settings."""
    (entry,) = (entry for entry in fields(Settings) if entry.name == name)
    text: str = entry.metadata["meaning"]
    if isinstance(entry.default, tuple):
        return _option(list[str] | None, "TEXT", f"{text}; may be given several times", panel)
    kind, metavar = (int, "NUMBER") if isinstance(entry.default, int) else (str, "TEXT")
    default = f" (default: {entry.default})" if entry.default != "" else ""
    return _option(kind | None, metavar, f"{text}{default}", panel)


AS_JSON: Options = {
    "as_json": _option(bool, None, "Print one JSON document and nothing else.", None, "--json")
}
_CONFIG = _option(Path | None, "FILE", "The settings file (SETRIGHT_CONFIG, or setright.toml here).", WHERE)
_URL = _option(
    str | None, "URL", "The server (SETRIGHT_URL); without one, the ledger of this machine.", WHERE
)
OF_MACHINE: Options = {
    "database": _setting("database", WHERE),
    "data_folder": _setting("data_folder", WHERE),
    "config": _CONFIG,
    **AS_JSON,
}
OF_LEDGER: Options = {"url": _URL, **OF_MACHINE}
OF_SERVER: Options = {
    **{entry.name: _setting(entry.name, SETTINGS) for entry in fields(Settings)},
    "config": _CONFIG,
    **AS_JSON,
}


def group(text: str) -> typer.Typer:
    """A command that only has commands below it; `text` is its help."""
    return typer.Typer(no_args_is_help=True, add_completion=False, help=text)


def command(app: typer.Typer, name: str, options: Options) -> Callable[[Verb[P]], Verb[P]]:
    """Register a verb as a command; it gets a desk and its own arguments, and `options` say where the desk stands.

    An argument that is a dataclass is one option for each of its fields.
    """

    def register(verb: Verb[P]) -> Verb[P]:
        own = list(inspect.signature(verb).parameters.values())[1:]

        @wraps(verb)
        def called(**given: Any) -> None:
            shared = {option: given.pop(option) for option in options}
            _run(verb, shared, {parameter.name: _taken(parameter, given) for parameter in own})

        spread = [option for parameter in own for option in _spread(parameter)]
        _announce(called, [*spread, *(_parameter(option, kind) for option, kind in options.items())])
        app.command(name)(called)
        return verb

    return register


def _run(verb: Callable[..., None], shared: dict[str, Any], given: dict[str, Any]) -> None:
    """Run a verb at a desk; when it fails, end with a sentence and an exit code."""
    as_json = bool(shared.pop("as_json"))
    where = Where(url=shared.pop("url", None), config=shared.pop("config", None), flags=shared)
    desk = Desk(where, Out(as_json=as_json))
    try:
        try:
            verb(desk, **given)
        finally:
            desk.close()
    except (typer.Exit, typer.Abort, BrokenPipeError):
        raise
    except Exception as error:
        stop = explain(error)
        tell(stop, as_json=as_json)
        raise typer.Exit(stop.code) from error


def _spread(parameter: inspect.Parameter) -> list[inspect.Parameter]:
    """What the command line takes for one parameter of a verb."""
    if not is_dataclass(parameter.annotation):
        return [parameter]
    kinds = get_type_hints(parameter.annotation, include_extras=True)
    return [
        inspect.Parameter(
            entry.name, inspect.Parameter.KEYWORD_ONLY, default=entry.default, annotation=kinds[entry.name]
        )
        for entry in fields(parameter.annotation)
    ]


def _taken(parameter: inspect.Parameter, given: dict[str, Any]) -> Any:
    """The argument of a verb, from what was given on the command line."""
    if not is_dataclass(parameter.annotation):
        return given[parameter.name]
    kind: Any = parameter.annotation
    return kind(**{entry.name: given[entry.name] for entry in fields(kind)})


def _parameter(name: str, kind: Any) -> inspect.Parameter:
    default = False if name == "as_json" else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _announce(called: Callable[..., None], parameters: list[inspect.Parameter]) -> None:
    """Give a function the signature that typer reads; what it takes is known at run time only."""
    ordered = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    setattr(called, "__signature__", inspect.Signature(ordered))  # noqa: B010
    called.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
