"""The requests about corrections of runs."""

from collections.abc import Mapping
from typing import Any, Unpack, cast

from setright.client.answers import Correction, CorrectionEvent, WaitingCorrection
from setright.client.inputs import (
    AgreementFilters,
    CorrectionChanges,
    CorrectionFields,
    CorrectionFilters,
    FeedFilters,
    SummaryFilters,
    WaitingFilters,
)
from setright.client.paging import Page, feed_of, page_of
from setright.client.records import Receipt
from setright.client.request import Request
from setright.client.requests.runs import run_body
from setright.client.summaries import Agreement, Disagreement, SubjectTally, Summary, agreement_of, summary_of
from setright.client.values import each, ours, query, segment


def create(*, key: str | None = None, **correction: Unpack[CorrectionFields]) -> Request[Correction]:
    """Correct a finished run: what was right or wrong, and what would have been right.

    A second correction by the same caller for the same run and participant supersedes the first.
    """
    body = ours(correction, _FIELDS)
    return Request[Correction].write("POST", "/v1/corrections", Correction.read, body, key=key)


def hold(
    project_id: str, *, key: str | None = None, **correction: Unpack[CorrectionFields]
) -> Request[Correction | WaitingCorrection]:
    """Correct a run that may not be finished, or not be there yet: then it waits for that run in the project.

    The answer is a `WaitingCorrection` if it waits, and a `Correction` if the run was finished already. When the run
    finishes it is recorded with the same id.
    """
    place = query(when_run_missing="hold", project_id=project_id)
    body = ours(correction, _FIELDS)
    return Request[Correction | WaitingCorrection].write(
        "POST", "/v1/corrections", _recorded_or_held, body, key=key, query=place
    )


def get(correction_id: str) -> Request[Correction]:
    """Read a correction with the copy of its run and the values of its items."""
    return Request[Correction].get(_correction(correction_id), Correction.read)


def change(
    correction_id: str, *, if_match: str, key: str | None = None, **changes: Unpack[CorrectionChanges]
) -> Request[Correction]:
    """Move a correction by hand; `if_match` is the ETag of the state that you read (`.receipt.etag`).

    A correction that another moved since is refused (`ChangedMeanwhile`), so that nobody's change is lost.
    """
    path = _correction(correction_id)
    return Request[Correction].write(
        "PATCH", path, Correction.read, ours(changes), key=key, if_match=if_match
    )


def unregister(correction_id: str, *, key: str | None = None) -> Request[Correction]:
    """Remove a correction for good; it stays readable, and again changes nothing."""
    return Request[Correction].write(
        "POST", f"{_correction(correction_id)}/unregister", Correction.read, key=key
    )


def waiting_page(**filters: Unpack[WaitingFilters]) -> Request[Page[WaitingCorrection]]:
    """Read one page of the held corrections, those held last first."""
    return Request[Page[WaitingCorrection]].get(
        "/v1/waiting-corrections", page_of(WaitingCorrection), query(**filters)
    )


def get_waiting(waiting_correction_id: str) -> Request[WaitingCorrection]:
    """Read a held correction; once it is recorded it is a correction with the same id, and not found here."""
    return Request[WaitingCorrection].get(_waiting(waiting_correction_id), WaitingCorrection.read)


def withdraw(waiting_correction_id: str, *, key: str | None = None) -> Request[WaitingCorrection]:
    """Take back a held correction; it stays readable, and again changes nothing."""
    return Request[WaitingCorrection].write(
        "DELETE", _waiting(waiting_correction_id), WaitingCorrection.read, key=key
    )


def page(**filters: Unpack[CorrectionFilters]) -> Request[Page[Correction]]:
    """Read one page of the corrections, newest first; superseded ones only with `include_unregistered`."""
    return Request[Page[Correction]].get("/v1/corrections", page_of(Correction), query(**filters))


def history(correction_id: str, **place: Unpack[FeedFilters]) -> Request[Page[CorrectionEvent]]:
    """Read what happened to a correction, oldest first: who, when, what it changed, and why."""
    parse = feed_of(CorrectionEvent, lambda event: event.seq)
    path = f"{_correction(correction_id)}/history"
    return Request[Page[CorrectionEvent]].get(path, parse, query(**place), goes_on_by="after")


def summary(**filters: Unpack[SummaryFilters]) -> Request[Summary]:
    """Count the corrections by status and by what they say, in all and by agent or flow and version.

    The sums are of all that was asked for, `data` is one page of agents and flows by version.
    """
    return Request[Summary].get("/v1/corrections/summary", summary_of, query(**filters))


def by_subject(**filters: Unpack[SummaryFilters]) -> Request[Page[SubjectTally]]:
    """Read one page of the summary by agent or flow and version, in the order of their ids."""
    return Request[Page[SubjectTally]].get("/v1/corrections/summary", page_of(SubjectTally), query(**filters))


def agreement(**filters: Unpack[AgreementFilters]) -> Request[Agreement]:
    """Read how far those who corrected the same runs agree: by aspect and by pair, and a page of disagreements."""
    return Request[Agreement].get("/v1/corrections/agreement", agreement_of, query(**filters))


def disagreements(**filters: Unpack[AgreementFilters]) -> Request[Page[Disagreement]]:
    """Read one page of what raters of the same run disagree on, newest first."""
    return Request[Page[Disagreement]].get(
        "/v1/corrections/agreement", page_of(Disagreement), query(**filters)
    )


def expected_call(call: object) -> object:
    """A wanted or forbidden call as on the wire; the names in its args and match are the caller's own."""
    return ours(call, {"match": _places})


def _places(places: object) -> object:
    """Places are names and pointers of the caller's own arguments, so only the rules at them are ours."""
    if not isinstance(places, Mapping):
        return places
    return {place: ours(rule) for place, rule in cast("Mapping[str, Any]", places).items()}


_FIELDS = {
    "run": run_body,
    "shouldCall": each(expected_call),
    "items": each(ours),
    "answerMatch": ours,
}


def _recorded_or_held(value: object, receipt: Receipt) -> Correction | WaitingCorrection:
    waits = isinstance(value, dict) and "waitingForRun" in value
    return (WaitingCorrection if waits else Correction).read(cast("object", value), receipt)


def _waiting(waiting_correction_id: str) -> str:
    return f"/v1/waiting-corrections/{segment('waiting_correction_id', waiting_correction_id)}"


def verdict_body(said: object) -> object:
    """What is said of a run, as on the wire."""
    return ours(said, _FIELDS)


def _correction(correction_id: str) -> str:
    return f"/v1/corrections/{segment('correction_id', correction_id)}"
