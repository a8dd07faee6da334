"""Validated inputs: the base of every request model, the limits written once, and faults with JSON Pointers."""

from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from setright.kernel import json
from setright.kernel.clock import from_wire
from setright.kernel.errors import MOST_FAULTS, Refusal, UnknownField, fault_at, refuse_faults

M = TypeVar("M", bound="Input")

NAME = 200
WORDS = 4_000
POINTER = 500
ENTRIES = 50
ITEMS = 100
ARGUMENT_FIELDS = 100
EVIDENCE = 20
LINK = 2_000
ANSWER_VALUES = 20
SHOWN = 10

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=NAME)]
Words = Annotated[str, StringConstraints(max_length=WORDS)]
Pointer = Annotated[str, StringConstraints(max_length=POINTER)]


def optional(description: str) -> Any:
    """A field that may be left out or null, with the words of the API's document about it."""
    return Field(default=None, description=description)


def required(description: str) -> Any:
    """A field that must be there, with the words of the API's document about it."""
    return Field(description=description)


class Input(BaseModel):
    """A request body or query: camelCase on the wire, unknown fields refused, no type is guessed from text."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        alias_generator=to_camel,
        validate_by_name=False,
        validate_by_alias=True,
        protected_namespaces=(),
    )

    @classmethod
    def rules(cls, body: Mapping[str, Any]) -> Iterator[dict[str, str]]:  # noqa: ARG003 - for those that override
        """Faults between fields, found in the body as it came (wire names), so that they show beside field faults.

        Values may be of any type: a rule passes over what another fault already names.
        """
        yield from ()


class Fault(ValueError):
    """Raised by a model's own rule: a fault at a pointer relative to that model."""

    def __init__(self, pointer: str, fault: str, allowed: str | None = None) -> None:
        super().__init__(fault)
        self.faults = [fault_at(pointer, fault, allowed)]


class Faults(ValueError):
    """Several `Fault`s of one model at once."""

    def __init__(self, faults: list[dict[str, str]]) -> None:
        super().__init__(faults[0]["fault"])
        self.faults = faults


def _moment(value: Any) -> int:
    if not isinstance(value, str):
        raise Fault("", "is no text", "an RFC 3339 time such as 2026-01-05T01:00:00Z")
    try:
        return from_wire(value)
    except ValueError as error:
        raise Fault("", str(error)) from None


Moment = Annotated[int, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})]
"""A time as RFC 3339 text, read as microseconds."""


def validate(model: type[M], value: Any) -> M:
    """The body as a `model`; refuses with every fault at once (`unknown-field` only when nothing else is wrong)."""
    if not isinstance(value, dict):
        raise refuse_faults([fault_at("", "is not a JSON object", "an object")])
    body = cast("dict[str, Any]", value)
    between = list(model.rules(body))
    surplus = _surplus(model, body)
    if surplus:
        body = {name: body[name] for name in body if name not in surplus}
    try:
        made = model.model_validate(body)
    except ValidationError as error:
        raise _refusal(error, between, model, len(surplus)) from None
    if between:
        raise refuse_faults(between)
    return made


def _surplus(model: type[Input], body: Mapping[str, Any]) -> set[str]:
    """The unknown names beyond those that are told, of which each would be an error of pydantic's with half a KiB."""
    if len(body) <= len(model.model_fields) + MOST_FAULTS:
        return set()
    known = set(_wire_names(model))
    return set([name for name in body if name not in known][MOST_FAULTS:])


def _wire_names(model: type[Input]) -> list[str]:
    return [field.alias or name for name, field in model.model_fields.items()]


def _refusal(
    error: ValidationError, further: Sequence[dict[str, str]], model: type[Input], surplus: int
) -> Refusal:
    """A validation error, with `further` faults and so many unknown fields beside them, as our refusal."""
    names = _wire_names(model)
    entries = error.errors(include_url=False, include_input=True)
    told = [fault for entry in entries[:MOST_FAULTS] for fault in _faults_of(entry, names)]
    if further or any(entry["type"] != "extra_forbidden" for entry in entries):
        return refuse_faults([*told, *further], len(entries[MOST_FAULTS:]) + surplus)
    hint = f" (did you mean {told[0]['allowed']}?)" if "allowed" in told[0] else ""
    rest = len(entries) + surplus - SHOWN
    fields = ", ".join(fault["pointer"] for fault in told[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")
    return UnknownField(f"Unknown field {fields}{hint}.", {"faults": told})


def _faults_of(entry: Mapping[str, Any], names: Sequence[str]) -> list[dict[str, str]]:
    unknown = entry["type"] == "extra_forbidden"
    *holders, last = entry["loc"] or [""]
    parts = [part for part in holders if not _is_branch(part)]
    if entry["loc"] and (unknown or not _is_branch(last)):
        parts.append(last)
    pointer = "".join(f"/{json.escape(str(part))}" for part in parts)
    cause = entry.get("ctx", {}).get("error")
    if isinstance(cause, (Fault, Faults)):
        return [{**fault, "pointer": pointer + fault["pointer"]} for fault in cause.faults]
    fault, allowed = _plain_words(entry)
    if unknown and len(entry["loc"]) == 1 and len(str(last)) <= NAME:
        close = get_close_matches(str(last), names, n=1)
        allowed = close[0] if close else None
    return [fault_at(pointer, fault, allowed)]


def _is_branch(part: Any) -> bool:
    """Pydantic names the branch of a union in the path; such names never are fields of ours."""
    return isinstance(part, str) and (part.startswith("function-") or ("[" in part and part.endswith("]")))


_MISSING = {
    "missing": "is required",
    "extra_forbidden": "is not a field of this request",
    "finite_number": "is not a finite number",
}
_OF_TYPE = {
    "string_type": "a string",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "list_type": "an array",
    "tuple_type": "an array",
    "int_type": "an integer",
    "int_from_float": "an integer",
    "float_type": "a number",
    "bool_type": "true or false",
}
_BOUNDS = {
    "string_too_short": ("is too short", "at least {min_length} character"),
    "too_long": ("has {actual_length} entries", "at most {max_length}"),
    "too_short": ("has {actual_length} entries", "at least {min_length}"),
    "greater_than_equal": ("is too small", "{ge} or more"),
    "less_than_equal": ("is too large", "{le} or less"),
}


def _plain_words(entry: Mapping[str, Any]) -> tuple[str, str | None]:
    """The fault in our words, and what is allowed."""
    kind: str = entry["type"]
    context: Mapping[str, Any] = entry.get("ctx", {})
    if kind in _MISSING:
        return _MISSING[kind], None
    if kind in _OF_TYPE:
        return f"is {_type_name(entry['input'])}", _OF_TYPE[kind]
    if kind in _BOUNDS:
        fault, allowed = _BOUNDS[kind]
        known = {name: _shown(value) for name, value in context.items()}
        return fault.format(**known), allowed.format(**known)
    if kind in ("literal_error", "enum"):
        return "is not an allowed value", str(context["expected"]).replace("'", "")
    if kind == "string_too_long":
        return f"has {len(entry['input'])} characters", f"at most {context['max_length']}"
    return str(entry["msg"]), None


def _shown(bound: Any) -> Any:
    """A bound, or how much there is, as one would say it."""
    if isinstance(bound, float) and bound.is_integer():
        return int(bound)
    return "too many" if bound is None else bound


_TYPES: Mapping[type, str] = {
    bool: "a boolean",
    int: "an integer",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
    type(None): "null",
}


def _type_name(value: object) -> str:
    return _TYPES.get(type(value), "of another type")
