"""How a project comes to run a version: a pin, a pin of an earlier one, an unpin, or a deploy where nothing is pinned."""

from collections.abc import Sequence
from typing import Literal, get_args

from setright.kernel.lifecycle import Lifecycle, Move

VerbWord = Literal["deploy", "pin", "went-back", "unpin"]
VERBS: tuple[str, ...] = get_args(VerbWord)
HOW = {"deploy": "latest", "pin": "pin", "went-back": "went-back", "unpin": "unpin"}
"""What a correction says of how its project came to run a version, by the verb that made it so."""

_WHO = "a person with write in the project, or a service token with the scope admin"
_WHO_DEPLOYS = (
    "a person with write in each project that follows Latest, or a service token with the scope admin"
)

RUNNING_LIFE = Lifecycle(
    thing="version that a project runs",
    statuses=("follows Latest", "pinned"),
    moves=(
        Move("deploy", "follows Latest", "follows Latest", _WHO_DEPLOYS, "version.deployed"),
        Move("pin", "follows Latest", "pinned", _WHO, "version.pinned"),
        Move("pin", "pinned", "pinned", _WHO, "version.pinned"),
        Move("unpin", "pinned", "follows Latest", _WHO, "version.unpinned"),
    ),
)


def pin_verb(version: str, before: str | None, order: Sequence[str]) -> VerbWord:
    """Whether a pin goes back: the version comes earlier in the order of versions than the one that ran just before."""
    if before is None or before == version or before not in order:
        return "pin"
    return "went-back" if order.index(version) < order.index(before) else "pin"
