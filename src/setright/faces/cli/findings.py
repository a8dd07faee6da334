"""What a look at this machine found, as people and programs read it."""

from collections.abc import Sequence
from typing import Any

from setright.app.machine import Finding
from setright.faces.cli.out import Out

WORDS = {True: "good", False: "WRONG", None: "-"}


def show(out: Out, found: Sequence[Finding], **more: Any) -> None:
    """Print findings, and what to do about those that are wrong; `more` stands beside them in JSON."""
    wrong = [finding for finding in found if finding.ok is False]
    if out.as_json:
        out.document({"good": not wrong, "findings": [_told(finding) for finding in found], **more})
        return
    out.table(("", "WHAT", "FOUND"), [(WORDS[finding.ok], finding.name, finding.says) for finding in found])
    for finding in wrong:
        if finding.fix is not None:
            out.line(f"> {finding.name}: {finding.fix}")
    out.note("Nothing is wrong." if not wrong else f"{len(wrong)} of {len(found)} are wrong.")


def _told(finding: Finding) -> dict[str, Any]:
    told: dict[str, Any] = {"name": finding.name, "says": finding.says}
    if finding.ok is not None:
        told["ok"] = finding.ok
    if finding.fix is not None:
        told["fix"] = finding.fix
    return told
