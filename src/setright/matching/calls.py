"""Expected calls, and which of the calls that were made is taken for which of them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from setright.matching.places import How, Place, decides_alone, differences, meets, places_of
from setright.matching.values import MISSING, same

Args = Mapping[str, Any]
Call = Mapping[str, Any]
Entry = Mapping[str, Any]
Fits = Callable[[Args], bool]
NONE: Args = {}


def fits_of(entry: Entry, *, whole: bool = False) -> Fits:
    """What tells whether arguments will do for an entry of shouldCall; `whole`: only the same arguments will."""
    args: Args = entry.get("args") or NONE
    match: Mapping[str, How] | None = entry.get("match")
    if whole:
        return partial(same, args)
    if not match:
        return partial(_named_fields, args)
    if any(name.startswith("/") for name in match):
        return partial(_places, args, places_of(match))
    return partial(_top_places, args, match)


def fits(entry: Entry, tool: str, args: Args) -> bool:
    """Whether one call is the one that an entry speaks of: its tool, and every field that the entry names."""
    return entry["tool"] == tool and fits_of(entry)(args)


def _named_fields(wanted: Args, args: Args) -> bool:
    for name, value in wanted.items():
        other = args.get(name, MISSING)
        if value != other if value.__class__ is str else not same(value, other):
            return False
    return True


def _places(wanted: Args, inside: dict[str, Place], args: Args) -> bool:
    return not differences(wanted, args, inside)


def _top_places(wanted: Args, match: Mapping[str, How], args: Args) -> bool:
    """`_places` where every place is a top-level name: the common case, without a tree."""
    for name, value in wanted.items():
        how = match.get(name)
        if how is None:
            if not same(value, args.get(name, MISSING)):
                return False
        elif not _meets_at(how, value, args.get(name, MISSING)):
            return False
    return all(
        name in wanted or _meets_at(how, MISSING, args.get(name, MISSING)) for name, how in match.items()
    )


def _meets_at(how: How, wanted: Any, actual: Any) -> bool:
    if how.get("ignore"):
        return True
    if actual is MISSING:
        return bool(how.get("optional"))
    if decides_alone(how):
        return meets(how, wanted, actual)
    if how.get("contains"):
        return not differences({"": wanted}, {"": actual}, {"": Place(how, {})})
    return same(wanted, actual)


def failed(call: Call) -> bool:
    """Whether a call's result was an error; a diverged call counts as made, whatever its answer."""
    error = call.get("error")
    return error is not None and error is not False and not call.get("diverged")


def succeeded(calls: Sequence[Call]) -> Sequence[int]:
    """The positions of the calls that succeeded."""
    return [position for position, call in enumerate(calls) if "error" not in call or not failed(call)]


def assign(needed: Sequence[Entry], calls: Sequence[Call], *, whole: bool = False) -> list[int | None]:
    """For each needed call the position of a successful call of its own, such that as many as possible have one.

    The first call that will do is taken while that goes well; where it does not, calls are handed over along an
    augmenting path, so that the outcome never depends on the order (maximum bipartite matching).
    """
    found: list[int | None] = []
    taken: dict[int, int] = {}
    for number, entry in enumerate(needed):
        position = _first_free(entry, calls, taken, whole=whole)
        found.append(position)
        if position is not None:
            taken[position] = number
    if taken and None in found:
        shift = _Shift(needed, calls, whole, found, taken, {})
        for number, position in enumerate(found):
            if position is None:
                _hand_over(number, shift)
    return found


def _first_free(entry: Entry, calls: Sequence[Call], taken: Mapping[int, int], *, whole: bool) -> int | None:
    tool, args = entry["tool"], entry.get("args") or NONE
    fits = fits_of(entry, whole=True) if whole else fits_of(entry) if entry.get("match") else None
    for position, call in enumerate(calls):
        if call["tool"] == tool and position not in taken and ("error" not in call or not failed(call)):
            given = call.get("args") or NONE
            if _named_fields(args, given) if fits is None else fits(given):
                return position
    return None


class _Shift(NamedTuple):
    """An assignment under way: `found` by needed call, `taken` by position, `candidates` by needed call as asked for."""

    needed: Sequence[Entry]
    calls: Sequence[Call]
    whole: bool
    found: list[int | None]
    taken: dict[int, int]
    candidates: dict[int, list[int]]


def _hand_over(start: int, shift: _Shift) -> None:
    """Find an augmenting path from a needed call that found nothing free, and shift the calls along it."""
    came_from: dict[int, int] = {}
    waiting = [start]
    while waiting:
        number = waiting.pop()
        for position in _candidates(number, shift):
            if position in came_from:
                continue
            came_from[position] = number
            if position not in shift.taken:
                _take(position, came_from, shift)
                return
            waiting.append(shift.taken[position])


def _candidates(number: int, shift: _Shift) -> list[int]:
    """The first calls that will do: of as many as there are needed calls one is always left over."""
    if number not in shift.candidates:
        entry = shift.needed[number]
        tool, will_do = entry["tool"], fits_of(entry, whole=shift.whole)
        good = (
            position
            for position, call in enumerate(shift.calls)
            if call["tool"] == tool and not failed(call) and will_do(call.get("args") or NONE)
        )
        shift.candidates[number] = list(islice(good, len(shift.needed)))
    return shift.candidates[number]


def _take(position: int, came_from: Mapping[int, int], shift: _Shift) -> None:
    """Give a free call to the needed call that wants it, what that had to the one before it, and so on."""
    given: int | None = position
    while given is not None:
        number = came_from[given]
        earlier = shift.found[number]
        shift.found[number] = given
        shift.taken[given] = number
        given = earlier


def assign_in_order(needed: Sequence[Entry], calls: Sequence[Call]) -> list[int | None]:
    """For each needed call the first that will do after that of the one before; from the first gap on None."""
    usable = iter(succeeded(calls))
    found: list[int | None] = []
    for entry in needed:
        tool, will_do = entry["tool"], fits_of(entry)
        good = (
            position
            for position in usable
            if calls[position]["tool"] == tool and will_do(calls[position].get("args") or NONE)
        )
        found.append(next(good, None))
    return found
