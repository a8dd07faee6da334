"""How a project comes to run a version, move by move, and when a pin goes back."""

import pytest

from setright.subjects.lifecycle import HOW, RUNNING_LIFE, VERBS, pin_verb
from tests.support.lives import fresh, told

RUNNING = """\
version that a project runs: follows Latest, pinned
final:
deploy: version.deployed
    follows Latest
pin: version.pinned
    follows Latest > pinned, pinned
unpin: version.unpinned
    pinned > follows Latest"""


def test_every_move_of_the_version_that_a_project_runs() -> None:
    assert told(RUNNING_LIFE) == RUNNING


ORDER = ("v1", "v3", "v2")


@pytest.mark.parametrize(
    ("before", "version", "verb"),
    [
        (None, "v1", "pin"),
        ("v1", "v1", "pin"),
        ("v1", "v3", "pin"),
        ("v3", "v2", "pin"),
        ("v3", "v1", "went-back"),
        ("v2", "v3", "went-back"),
        ("v2", "v1", "went-back"),
        ("elsewhere", "v1", "pin"),
        ("v0", "v2", "pin"),
        ("v2", "v2", "pin"),
    ],
)
def test_a_pin_of_a_version_earlier_in_the_order_goes_back(
    before: str | None, version: str, verb: str
) -> None:
    assert pin_verb(version, fresh(before), ORDER) == verb


def test_the_very_version_may_not_be_in_the_order() -> None:
    assert pin_verb("new", fresh("new"), ()) == "pin"


def test_every_verb_has_a_word_for_corrections() -> None:
    assert HOW == {"deploy": "latest", "pin": "pin", "went-back": "went-back", "unpin": "unpin"}
    assert tuple(HOW) == VERBS
