"""A correction held against what a new version did: the verdict, and how several verdicts become one."""

from collections.abc import Iterable, Mapping
from typing import Any

from setright.matching.answers import answer
from setright.matching.decisions import decisions
from setright.matching.items import items
from setright.matching.model import Aspect, AspectWord, Verdict, VerdictWord
from setright.matching.showing import sentence, shown


def hold(
    correction: Mapping[str, Any],
    stored: Mapping[str, Any],
    new: Mapping[str, Any],
    effects: Mapping[str, str] | None = None,
) -> Verdict:
    """Hold a correction against a new outcome; all of it is JSON, with names as on the wire.

    `correction` is what was said (`decisions`, `shouldCall`, `mustNotCall`, `callsMatch`, `callsOrder`, `answer`,
    `shouldSay`, `why`, `answerMatch`, `items`; its `id` is passed on), `stored` the copy of the corrected run
    (`calls`, `output`, `answer`), `new` what the new version did (`calls`, `output`, `answer`, `messages`, `error`):
    a call is `{tool, args?, error?, diverged?}`. `effects` maps a project's declared tools to read or write.
    """
    error = new.get("error")
    found: list[Aspect] = []
    if correction.get("decisions"):
        held = (
            decisions(correction, stored, new, effects) if error is None else _agent_error("decisions", error)
        )
        found.append(held)
    if correction.get("answer"):
        found.append(answer(correction, stored, new) if error is None else _agent_error("answer", error))
    if correction.get("items"):
        found.append(items(correction, stored, new) if error is None else _agent_error("items", error))
    word = found[0].verdict if len(found) == 1 else together(one.verdict for one in found)
    return Verdict(word, tuple(found), correction.get("id"))


def _agent_error(aspect: AspectWord, error: Any) -> Aspect:
    told = sentence([f"the agent did not come to an end: {shown(error)}"])
    return Aspect(aspect, "not-evaluated", "agent-error", told, {})


def together(verdicts: Iterable[VerdictWord]) -> VerdictWord:
    """One verdict of several aspects or repetitions: wrong if any is wrong, right if all are right, else not evaluated.

    Nothing at all is not evaluated.
    """
    words = set(verdicts)
    if "wrong" in words:
        return "wrong"
    return "right" if words == {"right"} else "not-evaluated"
