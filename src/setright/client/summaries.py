"""The answers that sum corrections up, as typed records."""

from dataclasses import dataclass

from setright.client.answers import Subject
from setright.client.paging import Page, page_of
from setright.client.records import Receipt, Record


@dataclass(frozen=True, kw_only=True)
class Count(Record):
    """So many corrections, and the sum of what their corrector groups weigh; without a group one weighs 1."""

    corrections: int
    weighted: float


@dataclass(frozen=True, kw_only=True)
class VerdictCounts(Record):
    """How many say that it was right, and how many that it was wrong."""

    right: Count
    wrong: Count


@dataclass(frozen=True, kw_only=True)
class DeskCounts(Record):
    """How many are sorted to each desk."""

    improve: Count
    developer: Count
    owner: Count


@dataclass(frozen=True, kw_only=True)
class Tally(Count):
    """A number of corrections, what they say and where they are sorted to; None where none says anything of it."""

    decisions: VerdictCounts | None = None
    answer: VerdictCounts | None = None
    items: VerdictCounts | None = None
    sorted_to: DeskCounts | None = None


@dataclass(frozen=True, kw_only=True)
class StatusTally(Tally):
    """The corrections of one status."""

    status: str


@dataclass(frozen=True, kw_only=True)
class SubjectTally(Tally):
    """The corrections of an agent or a flow at a version; the removed ones are only in `statuses`."""

    subject: Subject
    statuses: tuple[StatusTally, ...]


@dataclass(frozen=True, kw_only=True)
class SummaryHead(Tally):
    """All corrections that were asked for; the removed ones are only in `statuses`."""

    statuses: tuple[StatusTally, ...]


@dataclass(frozen=True)
class Summary(Page[SubjectTally]):
    """`whole` is every correction that was asked for, `data` a page of them by agent or flow and version."""

    whole: SummaryHead


def summary_of(value: object, receipt: Receipt) -> Summary:
    """Reads a summary."""
    page, whole = page_of(SubjectTally)(value, receipt), SummaryHead.read(value, receipt)
    return Summary(page.data, page.next_cursor, page.has_more, page.raw, whole)
