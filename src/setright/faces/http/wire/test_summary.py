"""How the summary of a test run looks on the wire."""

from typing import Any

from pydantic import Field

from setright import proof
from setright.corrections import Count as CountRecord
from setright.faces.http.samples import Sample
from setright.faces.http.schemas import Shape, SubjectVersionRef, absent
from setright.faces.http.shapes import Wire, present
from setright.faces.http.wire.summary import Count
from setright.faces.http.wire.test_runs import FINISHED, FinishedTestRun, finished
from setright.matching import AspectWord


class OutcomeCounts(Shape):
    """How many corrections came out right and wrong, and of how many it is not known."""

    right: Count
    wrong: Count
    not_evaluated: Count


class AspectOutcomes(OutcomeCounts):
    """The same for one aspect, over the corrections that speak of it."""

    aspect: AspectWord


class ReasonCount(Count):
    """Of how many corrections it is not known for this reason."""

    reason: str


class Try(Shape):
    """What came out of one try of every case: a verdict for each correction."""

    repetition: int
    right: int
    wrong: int
    not_evaluated: int


class Spread(Shape):
    """How far the tries lie apart in their share of right ones among right and wrong."""

    lowest: float
    highest: float
    mean: float
    deviation: float = Field(description="The standard deviation, as of a sample (n - 1).")


class Repetitions(Shape):
    """How steady the version is."""

    tries: list[Try]
    corrections: int = Field(
        description="How many corrections passHat is over: with a verdict in every try, right or wrong in one at least."
    )
    pass_hat: list[float] = Field(
        description="For k = 1 and on: how likely k tries are all right. A try that was not evaluated is not right."
    )
    unsteady: int = Field(description="How many corrections were right in one try and wrong in another.")
    spread: Spread = absent("Absent where nothing was evaluated.")


class ComparedTestRun(Shape):
    """The test run that was compared with."""

    id: str
    subject: SubjectVersionRef
    status: str


class Comparison(Shape):
    """What changed since another test run, over the corrections that are right or wrong in both."""

    test_run: ComparedTestRun
    newly_right: Count
    newly_wrong: Count
    still_right: Count
    still_wrong: Count
    not_compared: int = Field(description="How many corrections of this test run could not be compared.")
    p_value: float = Field(description="How likely so uneven a change is if both versions are as good.")
    may_be_noise: bool
    says: str


class TestSummary(Shape):
    """What came out of a test run, each correction with all its tries taken together."""

    test_run: FinishedTestRun = Field(description="The test run, and what it means for its project.")
    corrections: OutcomeCounts
    aspects: list[AspectOutcomes]
    reasons: list[ReasonCount] = Field(
        description="Why it is not known; a correction counts under one reason."
    )
    without_verdict: int = absent(
        "How many chosen corrections have no verdict: not done yet, erased, or no longer standing when the result came. "
        "Absent when only some corrections are looked at."
    )
    repetitions: Repetitions = absent("Absent when each case is tried once.")
    against: Comparison = absent("What changed, where that was asked.")


def summary(found: proof.TestSummary) -> Wire:
    """The summary of a test run as on the wire."""
    return present(
        {
            "testRun": finished(found.finished),
            "corrections": _outcomes(found.outcomes),
            "aspects": [{"aspect": aspect, **_outcomes(counts)} for aspect, counts in found.aspects.items()],
            "reasons": [
                {"reason": reason, **_count(found.reasons[reason])} for reason in sorted(found.reasons)
            ],
            "withoutVerdict": found.without,
            "repetitions": None if found.repetitions is None else _repetitions(found.repetitions),
            "against": None if found.against is None else _comparison(found.against),
        }
    )


def _count(count: CountRecord) -> Wire:
    return {"corrections": count.corrections, "weighted": count.weighted}


def _outcomes(counts: proof.Counts) -> Wire:
    names = {"right": "right", "wrong": "wrong", "not-evaluated": "notEvaluated"}
    return {shown: _count(counts[outcome]) for outcome, shown in names.items()}


def _repetitions(found: proof.Repetitions) -> Wire:
    spread = found.spread
    return present(
        {
            "tries": [
                {
                    "repetition": one.repetition,
                    "right": one.right,
                    "wrong": one.wrong,
                    "notEvaluated": one.not_evaluated,
                }
                for one in found.tries
            ],
            "corrections": found.counted,
            "passHat": list(found.pass_hat),
            "unsteady": found.unsteady,
            "spread": None
            if spread is None
            else {
                "lowest": spread.lowest,
                "highest": spread.highest,
                "mean": spread.mean,
                "deviation": spread.deviation,
            },
        }
    )


def _comparison(found: proof.Comparison) -> Wire:
    subject = found.test_run.subject
    return {
        "testRun": {
            "id": found.test_run.id,
            "subject": {"kind": subject.kind, "id": subject.id, "version": subject.version},
            "status": found.test_run.status,
        },
        "newlyRight": _count(found.counts["newly-right"]),
        "newlyWrong": _count(found.counts["newly-wrong"]),
        "stillRight": _count(found.counts["still-right"]),
        "stillWrong": _count(found.counts["still-wrong"]),
        "notCompared": found.not_compared,
        "pValue": found.p_value,
        "mayBeNoise": found.may_be_noise,
        "says": _says(found),
    }


def _says(found: proof.Comparison) -> str:
    """What to think of the change, in a sentence or two."""
    right, wrong = found.changed("newly-right"), found.changed("newly-wrong")
    if not right + wrong:
        compared = found.changed("still-right") + found.changed("still-wrong")
        return f"Nothing changed: {compared} corrections were compared, right or wrong in both test runs."
    chance = f"{100 * found.p_value:.2g} %" if found.p_value < 1 else "100 %"
    noise = "this may be noise" if found.may_be_noise else "this is hardly noise"
    told = f"{right} newly right and {wrong} newly wrong: {noise}, chance alone is so uneven in {chance} of cases."
    return f"{told} Each newly wrong one is a mistake that came back all the same." if wrong else told


def _one(corrections: int) -> dict[str, Any]:
    return {"corrections": corrections, "weighted": float(corrections)}


_OUTCOMES: Sample = {"right": _one(1), "wrong": _one(0), "notEvaluated": _one(0)}
SUMMARY: Sample = {
    "testRun": FINISHED,
    "corrections": _OUTCOMES,
    "aspects": [{"aspect": "answer", **_OUTCOMES}],
    "reasons": [],
    "withoutVerdict": 0,
    "against": {
        "testRun": {
            "id": "tst_01KE5MCQ80000000000000000A",
            "subject": {**FINISHED["subject"], "version": "v1"},
            "status": "finished",
        },
        "newlyRight": _one(1),
        "newlyWrong": _one(0),
        "stillRight": _one(0),
        "stillWrong": _one(0),
        "notCompared": 0,
        "pValue": 1.0,
        "mayBeNoise": True,
        "says": "1 newly right and 0 newly wrong: this may be noise, chance alone is so uneven in 100 % of cases.",
    },
}
