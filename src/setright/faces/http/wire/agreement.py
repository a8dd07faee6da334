"""The agreement of raters on the wire."""

from typing import Literal

from pydantic import Field

from setright import corrections
from setright.corrections import AspectWord, VerdictWord
from setright.faces.http.samples import CORRECTION, LATER, PROJECT, RUN, WHAT_RAN, WHO, Sample
from setright.faces.http.schemas import Principal, Shape, SubjectVersionRef, Time, absent
from setright.faces.http.shapes import Wire, present, time, what_ran, who


class Coefficient(Shape):
    """A value of at most 1, where 0 is what chance would give; or the reason why there is none."""

    value: float = absent("The coefficient; absent where it is not defined.")
    why_not: Literal["no-overlap", "no-variation"] = absent(
        "no-overlap: nothing was judged by two; no-variation: every verdict was the same."
    )


class Rater(Shape):
    """Who corrects: a caller, for a participant or not."""

    by: Principal
    participant_id: str = absent("The participant for whom it corrects.")


class AspectAgreement(Shape):
    """How far all raters agree on one aspect."""

    aspect: AspectWord
    units: int = Field(description="How many units two or more judged.")
    agreeing: int = Field(description="On how many of them everybody says the same.")
    share: float = absent("The share of units on which everybody says the same; absent without units.")
    alpha: Coefficient = Field(description="Krippendorff's alpha.")


class PairAgreement(Shape):
    """How far two raters agree on one aspect."""

    raters: list[Rater] = Field(description="The two.")
    aspect: AspectWord
    units: int = Field(description="How many units both judged.")
    agreeing: int = Field(description="On how many of them both say the same.")
    share: float = absent("The share of units on which both say the same; absent without units.")
    kappa: Coefficient = Field(description="Cohen's kappa.")


class Voice(Rater):
    """What one rater says, and in which correction."""

    verdict: VerdictWord
    correction_id: str
    expert: bool = absent("True under a group that was restricted.")


class Disagreement(Shape):
    """A unit of a run of which some say that it was right, and some that it was wrong."""

    run_id: str
    project_id: str
    subject: SubjectVersionRef
    aspect: AspectWord
    item_key: str = absent("Which item, where the aspect is items.")
    right: int = Field(description="How many say right.")
    wrong: int = Field(description="How many say wrong.")
    changed_at: Time = Field(description="When somebody last said something new of it.")
    said: list[Voice] = Field(description="Who says what; up to 16 raters of the run.")


class Agreement(Shape):
    """How far those agree who corrected the same runs, and a page of the units on which they do not."""

    aspects: list[AspectAgreement]
    pairs: list[PairAgreement] = Field(description="The pairs of raters with most in common, up to 50.")
    more_pairs: bool = Field(description="Whether there are more: then name two with rater.")
    data: list[Disagreement]
    next_cursor: str = absent("cursor of the next page; absent at the end.")
    has_more: bool


def head(found: corrections.Agreement) -> Wire:
    """What is true of everything that was asked for."""
    return {
        "aspects": [_aspect(one) for one in found.aspects],
        "pairs": [_pair(one) for one in found.pairs],
        "morePairs": found.more_pairs,
    }


def disagreement(found: corrections.Disagreement) -> Wire:
    """A unit on which raters disagree."""
    return present(
        {
            "runId": found.run_id,
            "projectId": found.project_id,
            "subject": what_ran(found),
            "aspect": found.aspect,
            "itemKey": found.item_key,
            "right": found.rights,
            "wrong": found.wrongs,
            "changedAt": time(found.changed_at),
            "said": [_voice(one) for one in found.voices],
        }
    )


def _aspect(one: corrections.AspectAgreement) -> Wire:
    return {"aspect": one.aspect, **_figures(one), "alpha": _coefficient(one.alpha)}


def _pair(one: corrections.PairAgreement) -> Wire:
    raters = [_rater(rater) for rater in one.raters]
    return {"raters": raters, "aspect": one.aspect, **_figures(one), "kappa": _coefficient(one.kappa)}


def _figures(one: corrections.AspectAgreement | corrections.PairAgreement) -> Wire:
    return present({"units": one.units, "agreeing": one.agreeing, "share": one.share})


def _coefficient(found: corrections.Coefficient) -> Wire:
    return present({"value": found.value, "whyNot": found.why_not})


def _rater(rater: corrections.Rater) -> Wire:
    return present({"by": who(rater.kind, rater.id), "participantId": rater.participant_id})


def _voice(one: corrections.Voice) -> Wire:
    verdict = "right" if one.right else "wrong"
    said = {"verdict": verdict, "correctionId": one.correction_id, "expert": one.expert or None}
    return present({**_rater(one.rater), **said})


_OTHER: Sample = {"kind": "user", "id": "usr_01KE5MCQ800000000000000002"}
_FIGURES: Sample = {"units": 4, "agreeing": 3, "share": 0.75}
AGREEMENT: Sample = {
    "aspects": [
        {"aspect": "decisions", "units": 0, "agreeing": 0, "alpha": {"whyNot": "no-overlap"}},
        {"aspect": "answer", **_FIGURES, "alpha": {"value": 0.5333333333333333}},
        {"aspect": "items", "units": 0, "agreeing": 0, "alpha": {"whyNot": "no-overlap"}},
    ],
    "pairs": [
        {"raters": [{"by": WHO}, {"by": _OTHER}], "aspect": "answer", **_FIGURES, "kappa": {"value": 0.5}}
    ],
    "morePairs": False,
    "data": [
        {
            "runId": RUN["id"],
            "projectId": PROJECT["id"],
            "subject": WHAT_RAN,
            "aspect": "answer",
            "right": 1,
            "wrong": 1,
            "changedAt": LATER,
            "said": [
                {"by": WHO, "verdict": "wrong", "correctionId": CORRECTION["id"]},
                {"by": _OTHER, "verdict": "right", "correctionId": "cor_01KE5MCQ800000000000000006"},
            ],
        }
    ],
    "hasMore": False,
}
