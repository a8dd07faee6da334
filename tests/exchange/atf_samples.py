"""Reading ATF in tests: a text of our own with the lines that a test wants."""

import io
from typing import Any

from setright.exchange import Unread
from setright.exchange.corpora import CORPORA, Given, ReadArtifact
from setright.kernel.fields import validate
from setright.knowledge import NewArtifact

HEAD = "&P900009 = Made up\n#project: setright/tests\n"
GIVEN = Given()


def read(
    text: str | bytes, given: Given = GIVEN, form: str = "atf"
) -> tuple[list[dict[str, Any]], list[Unread]]:
    """The artifacts of a file, and what of it could not be read; one of ATF is always one that can be recorded."""
    raw = text.encode() if isinstance(text, str) else text
    found = list(CORPORA[form].read(io.BytesIO(raw), given))
    artifacts = [dict(one.said) for one in found if isinstance(one, ReadArtifact)]
    if form == "atf":
        for artifact in artifacts:
            validate(NewArtifact, artifact)
    return artifacts, [one for one in found if isinstance(one, Unread)]


def one(lines: str) -> dict[str, Any]:
    """The artifact of a text with these lines, every one of which is read."""
    (artifact,), unread = read(HEAD + lines)
    assert unread == []
    return artifact


def odd(lines: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """The artifact of a text with these lines, and place and reason of what could not be read."""
    (artifact,), unread = read(HEAD + lines)
    return artifact, [(found.place, found.reason) for found in unread]


def said(target: dict[str, Any]) -> list[tuple[str, ...]]:
    """What annotations say: field and value, and the extent where there is one."""
    return [
        (found["field"], found["value"], *([found["extent"]] if "extent" in found else []))
        for found in target.get("annotations", [])
    ]


def targets(artifact: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The lines of an artifact that have a target, by it."""
    named = [line for line in artifact["lines"] if line["label"] is not None]
    return {f"{line['surface']}.{line['label']}": line for line in named}
