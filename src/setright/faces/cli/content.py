"""Files and texts that hold JSON, read for the ledger: what is wrong with them is told with its place."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from setright.faces.cli.failures import Cannot

STDIN = "-"


def read(file: str) -> str:
    """The text of a file, or of stdin for `-`."""
    if file == STDIN:
        if sys.stdin.isatty():
            print("Reading from the terminal; end with Ctrl+D.", file=sys.stderr)
        raw = sys.stdin.buffer.read()
    else:
        try:
            raw = Path(file).read_bytes()
        except FileNotFoundError:
            raise Cannot(
                f"There is no file {file}.",
                advice=["give the path of a file with JSON, or - to read from stdin"],
                kind="file-not-found",
            ) from None
        except IsADirectoryError:
            raise Cannot(f"{file} is a folder, not a file with JSON.", kind="file-not-usable") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Cannot(
            f"{_shown(file)} is not UTF-8 text (byte {error.start}).", kind="file-not-usable"
        ) from None


def one_object(file: str, what: str) -> dict[str, Any]:
    """The one JSON object in a file; `what` says in errors what it should be."""
    return _object(_shown(file), _parsed(_shown(file), read(file)), what)


def many_objects(file: str, what: str, listed_in: str) -> list[dict[str, Any]]:
    """The objects of a file: one object, an array, `{"<listed_in>": [...]}`, or one object a line (JSONL)."""
    text, shown = read(file), _shown(file)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise Cannot(f"{shown} is empty; it should hold {what} as JSON.", kind="not-json")
    if len(lines) > 1 and _is_json(lines[0][1]):
        return [
            _object(f"{shown} line {number}", _parsed(f"{shown} line {number}", line), what)
            for number, line in lines
        ]
    value = _parsed(shown, text)
    if isinstance(value, dict):
        members = cast("dict[str, object]", value)
        value = members[listed_in] if set(members) == {listed_in} else members
    if isinstance(value, list):
        entries = cast("Sequence[object]", value)
        return [_object(f"{shown} entry {place}", entry, what) for place, entry in enumerate(entries)]
    return [_object(shown, value, what)]


def json_option(option: str, text: str, example: str) -> Any:
    """The JSON value of an option."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Cannot(
            f"{option} is not JSON: {error}.", advice=[f"for example: {option} '{example}'"], kind="not-json"
        ) from None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(shown: str, text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Cannot(
            f"{shown} is not JSON: {error.msg} at line {error.lineno} column {error.colno}.", kind="not-json"
        ) from None
    except (ValueError, RecursionError) as error:
        raise Cannot(f"{shown} cannot be read as JSON: {error}.", kind="not-json") from None


def _object(shown: str, value: object, what: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value)
    raise Cannot(f"{shown} is not {what}: it holds {_kind(value)}, not a JSON object.", kind="not-json")


def _kind(value: object) -> str:
    names = {"list": "an array", "str": "a text", "bool": "true or false", "NoneType": "null"}
    return names.get(type(value).__name__, "a number")


def _shown(file: str) -> str:
    return "stdin" if file == STDIN else file
