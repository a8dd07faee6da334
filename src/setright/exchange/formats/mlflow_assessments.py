"""What people said of a trace in MLflow, as corrections of the run."""

from collections.abc import Mapping
from typing import Any

from setright.exchange.kinds import is_list, is_object

Fields = dict[str, Any]
MOST_TEXT = 4_000
_RIGHT = frozenset({"true", "yes", "pass", "passed", "correct", "right", "good", "thumbs_up", "up"})
_WRONG = frozenset({"false", "no", "fail", "failed", "incorrect", "wrong", "bad", "thumbs_down", "down"})
_ANSWERS = frozenset({"expected_response", "expected_output", "expected_answer", "ground_truth", "answer"})


def corrections(assessments: Any, said: Mapping[str, Any]) -> tuple[list[Fields], list[str]]:
    """One correction for each person who gave feedback or said what was expected, and why others are not read.

    Feedback that says yes or no is about the answer. An expectation that is a text is what the answer should have been:
    where the answer is that text it was right. All that one person said is one correction, since a second of theirs
    would take the place of the first.
    """
    by: dict[str, list[tuple[bool, str | None, str | None]]] = {}
    unread = list[str]()
    for one in assessments if is_list(assessments) else ():
        if not is_object(one) or one.get("valid") is False:
            continue
        source = one.get("source")
        author = source.get("source_id") if is_object(source) else None
        if not is_object(source) or str(source.get("source_type")).upper() != "HUMAN":
            continue
        found = _feedback(one) or _expectation(one, said)
        if found is None:
            what = one.get("assessment_name") or one.get("name")
            unread.append(f"the assessment {what!r:.80} says neither yes nor no, and no text; it is not read")
            continue
        by.setdefault(author if isinstance(author, str) and author else "unknown", []).append(found)
    return [_correction(author, found) for author, found in by.items()], unread


def _feedback(one: Fields) -> tuple[bool, str | None, str | None] | None:
    feedback = one.get("feedback")
    if not is_object(feedback):
        return None
    word = str(feedback.get("value")).strip().lower()
    if word not in _RIGHT | _WRONG:
        return None
    what, why = one.get("assessment_name") or one.get("name"), one.get("rationale")
    words = [text for text in (what, why) if isinstance(text, str) and text]
    return word in _RIGHT, None, ": ".join(words) or None


def _expectation(one: Fields, said: Mapping[str, Any]) -> tuple[bool, str | None, str | None] | None:
    expectation = one.get("expectation")
    if not is_object(expectation):
        return None
    value = expectation.get("value")
    if value is None and is_object(expectation.get("serialized_value")):
        value = expectation["serialized_value"].get("value")
    what = one.get("assessment_name") or one.get("name")
    if not isinstance(value, str) or str(what) not in _ANSWERS or not 0 < len(value) <= MOST_TEXT:
        return None
    output = said.get("output")
    answer = said.get("answer", output if isinstance(output, str) else None)
    return answer == value, value, one.get("rationale") if isinstance(one.get("rationale"), str) else None


def _correction(author: str, found: list[tuple[bool, str | None, str | None]]) -> Fields:
    wrong = [one for one in found if not one[0]]
    body: Fields = {"answer": "wrong" if wrong else "right", "participantId": author[:200]}
    texts = [text for _, _, text in (wrong or found) if text]
    should = next((text for _, text, _ in wrong if text), None)
    if should is not None:
        body["shouldSay"] = should
    if texts or (wrong and should is None):
        body["why"] = ("\n".join(texts) or "said to be wrong, without a word why")[:MOST_TEXT]
    return body
