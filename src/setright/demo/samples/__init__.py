"""Runs of our own for the demo, as `POST /v1/runs` takes them."""

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def runs() -> tuple[dict[str, Any], ...]:
    """The runs in the order in which they come in."""
    return tuple(json.loads(files(__name__).joinpath("runs.json").read_text("utf-8")))
