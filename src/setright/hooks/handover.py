"""Handing over to the full program, which opens the ledger of this machine where no server answers."""

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from setright.hooks.place import Machine
from setright.hooks.server import elsewhere
from setright.hooks.stops import Batch

PROGRAM = "setright.faces.cli.local_briefing"


class Told(NamedTuple):
    """What the full program answered: the briefing, and the keys of the stops that it counted."""

    briefing: Mapping[str, Any]
    taken: Sequence[str]


def local_briefing(
    machine: Machine, parameters: Sequence[tuple[str, str]], waiting: Sequence[Batch], until: float
) -> Told | None:
    """The briefing from the ledger of this machine; None when it does not come in time, or is refused.

    The program runs in the data folder and imports nothing from there: a session starts in a folder that may be
    somebody else's, with settings or modules of its own in it.
    """
    asked = {
        "parameters": list(parameters),
        "stops": [{"key": batch.key, "body": batch.body} for batch in waiting],
    }
    try:
        done = subprocess.run(  # noqa: S603 - a program of ours, told on stdin what to do
            [sys.executable, "-P", "-m", PROGRAM],
            cwd=machine.data,
            env=elsewhere(machine),
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=max(until - time.monotonic(), 0.01),
            check=True,
        )
        found = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return Told(found["briefing"], cast("list[str]", found["taken"]))
