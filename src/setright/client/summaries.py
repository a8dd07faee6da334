"""The answers that sum corrections up, as typed records."""

from dataclasses import dataclass
from datetime import datetime

from setright.client.answers import Actor, Subject
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


@dataclass(frozen=True, kw_only=True)
class Coefficient(Record):
    """A value of at most 1, where 0 is what chance would give; without one, `why_not` says why."""

    value: float | None = None
    why_not: str | None = None


@dataclass(frozen=True, kw_only=True)
class Rater(Record):
    """Who corrects: a caller, for a participant or not."""

    by: Actor
    participant_id: str | None = None


@dataclass(frozen=True, kw_only=True)
class AspectAgreement(Record):
    """How far all agree on one aspect, over the units that two or more judged; `share` is None without units."""

    aspect: str
    units: int
    agreeing: int
    share: float | None = None
    alpha: Coefficient


@dataclass(frozen=True, kw_only=True)
class PairAgreement(Record):
    """How far two raters agree on one aspect, over the units that both judged; `share` is None without units."""

    raters: tuple[Rater, ...]
    aspect: str
    units: int
    agreeing: int
    share: float | None = None
    kappa: Coefficient


@dataclass(frozen=True, kw_only=True)
class Voice(Rater):
    """What one rater says of a unit, and in which correction."""

    verdict: str
    correction_id: str
    expert: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Disagreement(Record):
    """What some say was right in a run, and some wrong; `said` holds up to 16 of them."""

    run_id: str
    project_id: str
    subject: Subject
    aspect: str
    item_key: str | None = None
    right: int
    wrong: int
    changed_at: datetime
    said: tuple[Voice, ...]


@dataclass(frozen=True, kw_only=True)
class AgreementHead(Record):
    """The agreement by aspect and by pair; `more_pairs` says that there are more than are shown."""

    aspects: tuple[AspectAgreement, ...]
    pairs: tuple[PairAgreement, ...]
    more_pairs: bool


@dataclass(frozen=True)
class Agreement(Page[Disagreement]):
    """`whole` is the agreement of all that was asked for, `data` a page of what they disagree on, newest first."""

    whole: AgreementHead


def agreement_of(value: object, receipt: Receipt) -> Agreement:
    """Reads an agreement."""
    page, whole = page_of(Disagreement)(value, receipt), AgreementHead.read(value, receipt)
    return Agreement(page.data, page.next_cursor, page.has_more, page.raw, whole)
