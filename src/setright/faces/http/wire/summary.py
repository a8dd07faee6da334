"""The summary of corrections on the wire."""

from typing import Any

from pydantic import Field

from setright import corrections
from setright.corrections import StatusWord
from setright.faces.http.samples import WHAT_RAN, Sample
from setright.faces.http.schemas import Shape, SubjectVersionRef, absent
from setright.faces.http.shapes import Wire, present, what_ran


class Count(Shape):
    """So many corrections, and the sum of the weights of their corrector groups; without a group one weighs 1."""

    corrections: int
    weighted: float


class VerdictCounts(Shape):
    """How many say that it was right, and how many that it was wrong."""

    right: Count
    wrong: Count


class DeskCounts(Shape):
    """How many are sorted to each desk; the others are unsorted."""

    improve: Count
    developer: Count
    owner: Count


class Tally(Count):
    """A number of corrections, what they say and to whom they are sorted."""

    decisions: VerdictCounts = absent("What they say of the tool calls; absent when none speaks of them.")
    answer: VerdictCounts = absent("What they say of the answer; absent when none speaks of it.")
    items: VerdictCounts = absent(
        "What they say of ranked lists, wrong when one item is; absent when none speaks of items."
    )
    sorted_to: DeskCounts = absent("To which desks they are sorted; absent when none is sorted.")


class StatusTally(Tally):
    """The corrections of one status."""

    status: StatusWord


class SubjectTally(Tally):
    """The corrections of an agent or a flow at a version."""

    subject: SubjectVersionRef
    statuses: list[StatusTally] = Field(description="Those of each status that there is, removed ones too.")


class Summary(Tally):
    """All corrections that were asked for, and a page of them by agent or flow and version."""

    statuses: list[StatusTally] = Field(description="Those of each status that there is, removed ones too.")
    data: list[SubjectTally]
    next_cursor: str = absent("cursor of the next page; absent at the end.")
    has_more: bool


_NONE = corrections.Count(0, 0.0)


def head(summary: corrections.Summary) -> Wire:
    """What is true of all corrections that were asked for."""
    return {**_tally(summary.total), "statuses": _statuses(summary)}


def subject_tally(found: corrections.SubjectTally) -> Wire:
    """The corrections of an agent or a flow at a version."""
    return {"subject": what_ran(found), **_tally(found.total), "statuses": _statuses(found)}


def _statuses(found: corrections.Summary | corrections.SubjectTally) -> list[Wire]:
    return [{"status": status, **_tally(tally)} for status, tally in found.statuses.items()]


def _tally(tally: corrections.Tally) -> Wire:
    return present(
        {
            **_count(tally["corrections"]),
            **{aspect: _verdicts(tally, aspect) for aspect in ("decisions", "answer", "items")},
            "sortedTo": _together(
                {desk: tally.get(f"to_{desk}", _NONE) for desk in ("improve", "developer", "owner")},
            ),
        }
    )


def _verdicts(tally: corrections.Tally, aspect: str) -> Wire | None:
    return _together({verdict: tally.get(f"{aspect}_{verdict}", _NONE) for verdict in ("right", "wrong")})


def _together(counts: dict[str, corrections.Count]) -> Wire | None:
    """The counts by name, None where nothing was counted."""
    if not any(count.corrections for count in counts.values()):
        return None
    return {name: _count(count) for name, count in counts.items()}


def _count(count: corrections.Count) -> dict[str, Any]:
    return {"corrections": count.corrections, "weighted": count.weighted}


_TALLY: Sample = {
    "corrections": 2,
    "weighted": 3.5,
    "decisions": {
        "right": {"corrections": 0, "weighted": 0.0},
        "wrong": {"corrections": 2, "weighted": 3.5},
    },
    "sortedTo": {
        "improve": {"corrections": 0, "weighted": 0.0},
        "developer": {"corrections": 0, "weighted": 0.0},
        "owner": {"corrections": 2, "weighted": 3.5},
    },
}
_STATUSES: list[Sample] = [{"status": "with-owner", **_TALLY}]
SUMMARY: Sample = {
    **_TALLY,
    "statuses": _STATUSES,
    "data": [{"subject": WHAT_RAN, **_TALLY, "statuses": _STATUSES}],
    "hasMore": False,
}
