"""Where the reviewers of one run differ: pure rules over what each of them said."""

from collections import defaultdict
from collections.abc import Iterable

from setright.corrections import Correction


def differences(said: Iterable[Correction]) -> tuple[str, ...]:
    """What at least two speak of and judge otherwise: `decisions`, `answer`, `items/<key>`; none: they agree.

    Verdicts are compared, not what would have been right instead: two people seldom write the same words.
    """
    verdicts: defaultdict[str, set[str]] = defaultdict(set)
    for one in said:
        for aspect, verdict in (("decisions", one.decisions), ("answer", one.answer)):
            if verdict is not None:
                verdicts[aspect].add(verdict)
        for item in one.said.get("items") or ():
            verdicts[f"items/{item['key']}"].add(item["verdict"])
    return tuple(aspect for aspect, found in verdicts.items() if len(found) > 1)
