"""The places of a `match`: where a wanted call's arguments are compared otherwise than by equality."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from setright.kernel import json
from setright.kernel.errors import fault_at
from setright.kernel.pointers import pointer_fault, resolve

WAYS = ("anyOf", "tolerance", "contains", "prefix", "ignore", "optional")
_ALLOWED = "one of anyOf, tolerance, contains, prefix, ignore, optional; optional may stand beside another"

Faults = Iterator[dict[str, str]]


def places_faults(match: Mapping[str, Any], args: Mapping[str, Any], at: str) -> Faults:
    """Every fault of a `match` against the args it speaks of; `at` is the pointer of the match."""
    seen: dict[str, str] = {}
    for place, how in match.items():
        here = f"{at}/{json.escape(place)}"
        pointer = place if place.startswith("/") else f"/{json.escape(place)}"
        if pointer_fault(pointer):
            yield fault_at(here, "is no JSON Pointer", "a top-level name of args, or a pointer into args")
            continue
        if pointer in seen:
            yield fault_at(here, f"is the same place as {seen[pointer]}", "each place once")
        seen[pointer] = place
        yield from _way_faults(how, pointer, args, here)


def _way_faults(how: Any, pointer: str, args: Mapping[str, Any], here: str) -> Faults:
    ways = (
        {name: value for name, value in cast("dict[str, Any]", how).items() if value is not None}
        if isinstance(how, dict)
        else {}
    )
    unknown = [name for name in ways if name not in WAYS]
    for name in unknown:
        yield fault_at(f"{here}/{json.escape(name)}", "is not a way to compare", _ALLOWED)
    main = [name for name in ways if name in WAYS and name != "optional"]
    if unknown:
        return
    if len(main) > 1 or not ways:
        yield fault_at(here, "must say one way to compare", _ALLOWED)
        return
    for name in ("contains", "prefix", "ignore", "optional"):
        if name in ways and ways[name] is not True:
            yield fault_at(f"{here}/{name}", "is not true", "true, or leave it out")
    way = main[0] if main else "optional"
    if way == "anyOf":
        yield from _any_of(ways["anyOf"], here)
    elif way == "tolerance":
        yield from _tolerance(ways["tolerance"], here)
    if way in ("tolerance", "contains", "prefix", "optional"):
        yield from _compared_value(way, pointer, args, here)


def _any_of(values: Any, here: str) -> Faults:
    if not isinstance(values, list) or not 1 <= len(cast("list[Any]", values)) <= 50:
        yield fault_at(f"{here}/anyOf", "is not a list of values", "an array of 1 to 50 values")


def _tolerance(value: Any, here: str) -> Faults:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        yield fault_at(f"{here}/tolerance", "is not a distance", "a number of 0 or more")


def _compared_value(way: str, pointer: str, args: Mapping[str, Any], here: str) -> Faults:
    """These ways compare with the value in args, which must be there and be of a type that the way can compare."""
    found, value = resolve(args, pointer)
    if not found:
        yield fault_at(here, f"has no value in args, which {way} compares with", "a place that args hold")
    elif way == "prefix" and not isinstance(value, str):
        yield fault_at(here, "is no string in args", "prefix compares strings")
    elif way == "tolerance" and (isinstance(value, bool) or not isinstance(value, (int, float))):
        yield fault_at(here, "is no number in args", "tolerance compares numbers")
    elif way == "contains" and not isinstance(value, (dict, list)):
        yield fault_at(here, "is no object or array in args", "contains compares objects and arrays")
