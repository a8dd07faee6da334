"""Runs of our own for the demo, as `POST /v1/runs` takes them, and two files of a corpus."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def runs() -> tuple[dict[str, Any], ...]:
    """The runs in the order in which they come in."""
    return tuple(json.loads(files(__name__).joinpath("runs.json").read_text("utf-8")))


@cache
def answers() -> dict[str, dict[str, dict[str, Any]]]:
    """What later versions of the agent do with the same inputs, by version and by the run that it was corrected in."""
    return json.loads(files(__name__).joinpath("answers.json").read_text("utf-8"))


@cache
def corpus() -> dict[str, str]:
    """The texts in ATF that were made up for Setright, by the name of their file."""
    names = ("storehouse.atf", "storehouse_owner.atf")
    return {name: files(__name__).joinpath(name).read_text("utf-8") for name in names}
