"""The words of a verdict, and the records that are handed out."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

RULE = "1"  # the version of everything that this room decides; a change that can change a verdict raises it

VerdictWord = Literal["right", "wrong", "not-evaluated"]
AspectWord = Literal["decisions", "answer", "items"]

WHY_WRONG = {
    "missing-call": "a call that was needed was not made, or only failed or differed",
    "forbidden-call": "a tool was called that must not be called",
    "other-write": "another call that writes succeeded beside the needed ones",
    "wrong-order": "the needed calls were made, but not in the order in which they are listed",
    "another-answer": "the answer is not the wanted one",
    "same-answer": "the answer is the one that was judged wrong",
    "missing-item": "an item that was judged right is not there",
    "unwanted-item": "an item that was judged wrong is there",
}
WHY_NOT_EVALUATED = {
    "agent-error": "the agent failed or did not come to an end",
    "diverged": "a read was made that was not recorded, so what followed says nothing",
    "effects-unknown": "a further call was made, and the project declares no effects of tools",
    "needs-match": "only an answerMatch could tell whether this answer will do",
    "no-answer": "there is no answer to compare",
    "no-messages": "the values are not in the answer, and the messages were not given",
    "no-list": "the list itself is not in the output",
    "judge-off": "no judge is there to ask",
}


class Aspect(NamedTuple):
    """What came out for one aspect: `reason` is absent when it is right, `details` is JSON for machines."""

    aspect: AspectWord
    verdict: VerdictWord
    reason: str | None
    explanation: str
    details: Mapping[str, Any]

    def written(self) -> dict[str, Any]:
        """The aspect as JSON; absent means absent."""
        aspect, verdict, reason, explanation, details = self
        found: dict[str, Any] = {"aspect": aspect, "verdict": verdict, "explanation": explanation}
        if reason is not None:
            found["reason"] = reason
        if details:
            found["details"] = details
        return found


class Verdict(NamedTuple):
    """What came out for a correction: `correction` is its id if it had one, `rule` the version that decided."""

    verdict: VerdictWord
    aspects: tuple[Aspect, ...]
    correction: str | None = None
    rule: str = RULE

    @property
    def explanation(self) -> str:
        """Why: what is said of each aspect that made the verdict what it is."""
        return " ".join(one.explanation for one in self.aspects if one.verdict == self.verdict)

    def written(self) -> dict[str, Any]:
        """The verdict as JSON; absent means absent. The explanation stands in its aspects, and only there."""
        verdict, aspects, correction, rule = self
        found: dict[str, Any] = {
            "verdict": verdict,
            "rule": rule,
            "aspects": [one.written() for one in aspects],
        }
        if correction is not None:
            found["correction"] = correction
        return found
