"""Expected calls, and which of the calls that were made is taken for which of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from setright.matching.places import How, Place, decides_alone, differences, meets, places_of
from setright.matching.values import MISSING, same

Args = Mapping[str, Any]
Call = Mapping[str, Any]
Fits = Callable[[Args], bool]
NONE: Args = {}


class Expected(NamedTuple):
    """A call that is needed: `fits` tells whether arguments will do, `whole` that they are compared as a whole."""

    tool: str
    args: Args
    match: Mapping[str, How]
    fits: Fits
    whole: bool


class Made(NamedTuple):
    """A call that was made, by its position among all calls of the run."""

    position: int
    tool: str
    args: Args


def expected(entry: Mapping[str, Any], *, whole: bool = False) -> Expected:
    """An entry of shouldCall (`tool`, `args?`, `match?`), ready to be compared with many calls."""
    args: Args = entry.get("args") or NONE
    match: Mapping[str, How] = entry.get("match") or NONE
    if whole:
        fits: Fits = partial(same, args)
    elif not match:
        fits = partial(_named_fields, args)
    elif any(name.startswith("/") for name in match):
        fits = partial(_places, args, places_of(match))
    else:
        fits = partial(_top_places, args, match)
    return Expected(entry["tool"], args, match, fits, whole)


def fits(entry: Mapping[str, Any], tool: str, args: Args) -> bool:
    """Whether one call is the one that an entry speaks of: its tool, and every field that the entry names."""
    return entry["tool"] == tool and expected(entry).fits(args)


def _named_fields(wanted: Args, args: Args) -> bool:
    for name, value in wanted.items():
        actual = args.get(name, MISSING)
        if actual is MISSING or not same(value, actual):
            return False
    return True


def _places(wanted: Args, inside: dict[str, Place], args: Args) -> bool:
    return next(differences(wanted, args, inside), None) is None


def _top_places(wanted: Args, match: Mapping[str, How], args: Args) -> bool:
    """`_places` where every place is a top-level name: the common case, without a tree."""
    for name, value in wanted.items():
        how = match.get(name)
        if how is None:
            if name not in args or not same(value, args[name]):
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
        return next(differences({"": wanted}, {"": actual}, {"": Place(how, {})}), None) is None
    return wanted is not MISSING and same(wanted, actual)


def failed(call: Call) -> bool:
    """Whether a call's result was an error; a diverged call counts as made, whatever its answer."""
    error = call.get("error")
    return error is not None and error is not False and not call.get("diverged")


def made(calls: Iterable[Call]) -> list[Made]:
    """The calls that succeeded, in order."""
    return [
        Made(position, call["tool"], call.get("args") or NONE)
        for position, call in enumerate(calls)
        if not failed(call)
    ]


def assign(needed: Sequence[Expected], calls: Sequence[Made]) -> list[int | None]:
    """For each needed call the index of a call of its own, such that as many as possible have one.

    The first call that fits is taken while that goes well; where it does not, calls are handed over along an
    augmenting path, so that the outcome never depends on the order (maximum bipartite matching).
    """
    found: list[int | None] = []
    taken: dict[int, int] = {}
    candidates: dict[int, list[int]] = {}
    for number, one in enumerate(needed):
        index = _first_free(one, calls, taken)
        found.append(index)
        if index is not None:
            taken[index] = number
        elif number:
            _hand_over(number, needed, calls, found, taken, candidates)
    return found


def _first_free(one: Expected, calls: Sequence[Made], taken: Mapping[int, int]) -> int | None:
    tool, will_do = one.tool, one.fits
    for index, call in enumerate(calls):
        if call.tool == tool and index not in taken and will_do(call.args):
            return index
    return None


def _candidates(one: Expected, calls: Sequence[Made], most: int) -> list[int]:
    """The first calls that will do: of `most`, as many as there are needed calls, one is always left over."""
    found: list[int] = []
    for index, call in enumerate(calls):
        if call.tool == one.tool and one.fits(call.args):
            found.append(index)
            if len(found) == most:
                break
    return found


def _hand_over(
    start: int,
    needed: Sequence[Expected],
    calls: Sequence[Made],
    found: list[int | None],
    taken: dict[int, int],
    candidates: dict[int, list[int]],
) -> None:
    """Find an augmenting path from a needed call that found nothing free, and shift the calls along it."""
    came_from: dict[int, int] = {}
    waiting = [start]
    while waiting:
        number = waiting.pop()
        if number not in candidates:
            candidates[number] = _candidates(needed[number], calls, len(needed))
        for index in candidates[number]:
            if index in came_from:
                continue
            came_from[index] = number
            if index in taken:
                waiting.append(taken[index])
            else:
                _shift(index, start, came_from, found, taken)
                return


def _shift(
    index: int, start: int, came_from: Mapping[int, int], found: list[int | None], taken: dict[int, int]
) -> None:
    following: int | None = index
    while following is not None:
        number = came_from[following]
        given_up = found[number]
        found[number] = following
        taken[following] = number
        if number == start:
            return
        following = given_up


def assign_in_order(needed: Sequence[Expected], calls: Sequence[Made]) -> list[int | None]:
    """For each needed call the index of the first call that fits after that of the one before; None from the first gap on."""
    found: list[int | None] = []
    start = 0
    for one in needed:
        index = next(
            (
                index
                for index in range(start, len(calls))
                if calls[index].tool == one.tool and one.fits(calls[index].args)
            ),
            None,
        )
        if index is None:
            return found + [None] * (len(needed) - len(found))
        found.append(index)
        start = index + 1
    return found
