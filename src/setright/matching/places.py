"""Where an expected call's arguments are compared otherwise than by equality, and in which places a call differs."""

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from setright.matching.values import MISSING, at, index_of, member, same, tokens_of, within

How = Mapping[str, Any]


class Place(NamedTuple):
    """A place of a `match`: how what stands there is compared, and the places inside it by their tokens."""

    how: How
    inside: dict[str, "Place"]


class Difference(NamedTuple):
    """One place in which a call is not as expected: `MISSING` where nothing was expected, or nothing stood."""

    place: str
    expected: Any
    actual: Any
    how: How


_PLAIN: How = {}
NOWHERE: dict[str, Place] = {}


def places_of(match: Mapping[str, How]) -> dict[str, Place]:
    """The places of a `match` as a tree; a name is a top-level argument, one that begins with / is a pointer."""
    top: dict[str, Place] = {}
    for name, how in match.items():
        tokens = tokens_of(name) if name.startswith("/") else [name]
        holder = top
        for token in tokens[:-1]:
            holder = holder.setdefault(token, Place(_PLAIN, {})).inside
        earlier = holder.get(tokens[-1])
        holder[tokens[-1]] = Place(how, earlier.inside if earlier else {})
    return top


def decides_alone(how: How) -> bool:
    """Whether a way to compare looks at the actual value as a whole."""
    return how.get("anyOf") is not None or how.get("tolerance") is not None or bool(how.get("prefix"))


def meets(how: How, wanted: Any, actual: Any) -> bool:
    """Whether a value is acceptable to a way that `decides_alone`; with anyOf, `wanted` does not count."""
    values = how.get("anyOf")
    if values is not None:
        return any(same(value, actual) for value in values)
    distance = how.get("tolerance")
    if distance is not None:
        return within(wanted, actual, distance)
    return isinstance(wanted, str) and isinstance(actual, str) and actual.startswith(wanted)


def differences(
    wanted: Mapping[str, Any], actual: Mapping[str, Any], inside: dict[str, Place], *, whole: bool = False
) -> list[Difference]:
    """Every place in which arguments are not as expected; fields that are not named are ignored unless `whole`."""
    found: list[Difference] = []
    if inside or whole:
        _members(wanted, actual, inside, "", found, more=not whole, loose=False)
        return found
    for name, value in wanted.items():
        other = actual.get(name, MISSING)
        if not same(value, other):
            _differ(value, other, None, at("", name), found, loose=False)
    return found


def _differ(
    wanted: Any, actual: Any, place: Place | None, here: str, found: list[Difference], *, loose: bool
) -> None:
    """Without a `place` the values are known to differ; `loose` is on inside of one with contains: objects hold more."""
    how, inside = _PLAIN, NOWHERE
    if place is not None:
        how, inside = place
        if how.get("ignore") or (actual is MISSING and how.get("optional")):
            return
        if decides_alone(how):
            if actual is MISSING or not meets(how, wanted, actual):
                found.append(Difference(here, wanted, actual, how))
            return
        loose = loose or bool(how.get("contains"))
    if wanted is MISSING and inside:
        _only_inside(actual, inside, here, found, loose=loose)
    elif isinstance(wanted, dict) and isinstance(actual, dict):
        names, others = cast("dict[str, Any]", wanted), cast("dict[str, Any]", actual)
        _members(names, others, inside, here, found, more=loose, loose=loose)
    elif isinstance(wanted, list) and isinstance(actual, list):
        elements, others = cast("list[Any]", wanted), cast("list[Any]", actual)
        _elements(elements, others, inside, here, found, loose=loose)
    else:
        if place is None or not same(wanted, actual):
            found.append(Difference(here, wanted, actual, how))
        if inside:
            _only_inside(MISSING, inside, here, found, loose=loose)


def _only_inside(
    actual: Any, inside: dict[str, Place], here: str, found: list[Difference], *, loose: bool
) -> None:
    """Where nothing is expected as a whole, only the places inside count."""
    for token, place in inside.items():
        _differ(MISSING, member(actual, token), place, at(here, token), found, loose=loose)


def _members(
    wanted: Mapping[str, Any],
    actual: Mapping[str, Any],
    inside: dict[str, Place],
    here: str,
    found: list[Difference],
    *,
    more: bool,
    loose: bool,
) -> None:
    for name, value in wanted.items():
        other, place = actual.get(name, MISSING), inside.get(name)
        if place is not None or not same(value, other):
            _differ(value, other, place, at(here, name), found, loose=loose)
    for name, place in inside.items():
        if name not in wanted:
            _differ(MISSING, actual.get(name, MISSING), place, at(here, name), found, loose=loose)
    if not more:
        for name, value in actual.items():
            if name not in wanted and name not in inside:
                found.append(Difference(at(here, name), MISSING, value, _PLAIN))


def _elements(
    wanted: list[Any],
    actual: list[Any],
    inside: dict[str, Place],
    here: str,
    found: list[Difference],
    *,
    loose: bool,
) -> None:
    """Arrays keep their order and their length, inside of contains too."""
    length = max(len(wanted), len(actual))
    for index in range(length):
        token = str(index)
        expected = wanted[index] if index < len(wanted) else MISSING
        other = actual[index] if index < len(actual) else MISSING
        place = inside.get(token)
        if place is not None or not same(expected, other):
            _differ(expected, other, place, at(here, token), found, loose=loose)
    for token, place in inside.items():
        index = index_of(token)
        if index is None or index >= length:
            _differ(MISSING, MISSING, place, at(here, token), found, loose=loose)
