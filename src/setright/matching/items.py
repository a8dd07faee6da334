"""The items of a ranked list: whether what was judged right is in the new list, and nothing that was judged wrong."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from setright.matching.lists import Item, Judged, Lists
from setright.matching.model import Aspect
from setright.matching.showing import LISTED, sentence, several, shown
from setright.matching.values import MISSING

Spoken = Mapping[str, Any]


def items(said: Mapping[str, Any], stored: Spoken, new: Spoken) -> Aspect:
    """The aspect `items`."""
    if any(call.get("diverged") for call in new.get("calls") or ()):
        return _unknown("diverged", "the replay left the recording, so that the output says nothing", {})
    before, now = Lists(stored.get("output", MISSING)), Lists(new.get("output", MISSING))
    missing: list[str] = []
    unwanted: list[tuple[str, int]] = []
    unlisted: list[str] = []
    for item in said["items"]:
        judged = before.judged(item)
        if judged is None or now.elements(judged.pointer) is None:
            unlisted.append(item["key"])
            continue
        place = now.place_of(item, judged)
        if item["verdict"] == "right" and place is None:
            missing.append(item["key"])
        elif item["verdict"] == "wrong" and place is not None:
            unwanted.append((item["key"], place))
    if missing or unwanted:
        return _wrong(missing, unwanted)
    if unlisted:
        told = f"the list is not in the output that held {several(map(shown, unlisted), len(unlisted))}"
        return _unknown("no-list", told, {"unlisted": unlisted[:LISTED]})
    told = "every item that was judged right is there, and none that was judged wrong"
    return Aspect("items", "right", None, sentence([told]), {})


def _wrong(missing: Sequence[str], unwanted: Sequence[tuple[str, int]]) -> Aspect:
    parts: list[str] = []
    details: dict[str, Any] = {}
    if missing:
        parts.append(f"judged right and not there: {several(map(shown, missing), len(missing))}")
        details["missing"] = list(missing[:LISTED])
    if unwanted:
        told = (f"{shown(key)} (place {place + 1})" for key, place in unwanted)
        parts.append(f"judged wrong and there: {several(told, len(unwanted))}")
        details["unwanted"] = [{"key": key, "rank": place} for key, place in unwanted[:LISTED]]
    reason = "missing-item" if missing else "unwanted-item"
    return Aspect("items", "wrong", reason, sentence(parts), details)


def _unknown(reason: str, told: str, details: Mapping[str, Any]) -> Aspect:
    return Aspect("items", "not-evaluated", reason, sentence([told]), details)


class Judgement(NamedTuple):
    """One correction's items, the output that it judged, and what it counts: its group's weight, 1 without a group."""

    items: Sequence[Item]
    output: Any
    weight: float = 1
    expert: bool = False


class ItemMetrics(NamedTuple):
    """How good an output's lists are by what was judged; None where nothing that counts was judged.

    `precision` is the weight of the verdicts right among the weight of all verdicts on the first k elements of each
    list, `right_share` the same over all elements, `coverage` the share of those first k that anybody judged, and
    `judged` the number of judged elements.
    """

    precision: float | None
    right_share: float | None
    coverage: float | None
    judged: int


def measure(
    judgements: Iterable[Judgement], output: Any, *, k: int = 10, experts_only: bool = False
) -> ItemMetrics:
    """Item metrics of an output by judgements, whose items are carried over to it by id, else by identical content."""
    now = Lists(output)
    right: dict[tuple[str, int], float] = {}
    total: dict[tuple[str, int], float] = {}
    pointers: set[str] = set()
    for judgement in judgements:
        if experts_only and not judgement.expert:
            continue
        before = Lists(judgement.output)
        for item in judgement.items:
            judged = before.judged(item)
            if judged is None:
                continue
            pointers.add(judged.pointer)
            _count(item, judged, now, judgement.weight, right, total)
    first = sum(min(k, len(now.elements(pointer) or ())) for pointer in pointers)
    top = [place for place in total if place[1] < k]
    return ItemMetrics(
        _share(right, total, top),
        _share(right, total, list(total)),
        len(top) / first if total and first else None,
        len(total),
    )


def _count(
    item: Item,
    judged: Judged,
    now: Lists,
    weight: float,
    right: dict[tuple[str, int], float],
    total: dict[tuple[str, int], float],
) -> None:
    index = now.place_of(item, judged)
    if index is None:
        return
    place = (judged.pointer, index)
    total[place] = total.get(place, 0) + weight
    if item["verdict"] == "right":
        right[place] = right.get(place, 0) + weight


def _share(
    right: Mapping[tuple[str, int], float],
    total: Mapping[tuple[str, int], float],
    places: Sequence[tuple[str, int]],
) -> float | None:
    weight = sum(total[place] for place in places)
    return sum(right.get(place, 0) for place in places) / weight if weight else None
