"""Validated inputs: the base of every request model, the limits written once, and faults with JSON Pointers."""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.alias_generators import to_camel

from setright.kernel import json
from setright.kernel.errors import Refusal, UnknownField, fault_at, refuse_faults

M = TypeVar("M", bound=BaseModel)

NAME = 200
WORDS = 4_000
POINTER = 500
ENTRIES = 50
ITEMS = 100
ARGUMENT_FIELDS = 100

Name = Annotated[str, StringConstraints(min_length=1, max_length=NAME)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=NAME)]
Words = Annotated[str, StringConstraints(max_length=WORDS)]
Pointer = Annotated[str, StringConstraints(max_length=POINTER)]
Limit = Annotated[int, Field(ge=1, le=100)]


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


def validate(model: type[M], value: Any) -> M:
    """The body as a `model`; refuses with every fault at once (`unknown-field` only when nothing else is wrong)."""
    if not isinstance(value, dict):
        raise refuse_faults([fault_at("", "is not a JSON object", "an object")])
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise refusal_of(error) from None


def refusal_of(error: ValidationError) -> Refusal:
    """A validation error as our refusal."""
    faults: list[dict[str, str]] = []
    unknown = True
    for entry in error.errors(include_url=False, include_input=True):
        unknown = unknown and entry["type"] == "extra_forbidden"
        faults.extend(_faults_of(entry))
    if unknown:
        names = ", ".join(fault["pointer"] for fault in faults)
        return UnknownField(f"Unknown field {names}.", {"faults": faults})
    return refuse_faults(faults)


def _faults_of(entry: Mapping[str, Any]) -> list[dict[str, str]]:
    pointer = "".join(f"/{json.escape(str(part))}" for part in entry["loc"] if not _is_branch(part))
    cause = entry.get("ctx", {}).get("error")
    if isinstance(cause, (Fault, Faults)):
        return [{**fault, "pointer": pointer + fault["pointer"]} for fault in cause.faults]
    fault, allowed = _plain_words(entry)
    return [fault_at(pointer, fault, allowed)]


def _is_branch(part: Any) -> bool:
    """Pydantic names the branch of a union in the path; such names never are fields of ours."""
    return isinstance(part, str) and (part.startswith("function-") or "[" in part and part.endswith("]"))


def _plain_words(entry: Mapping[str, Any]) -> tuple[str, str | None]:
    """The fault in our words, and what is allowed."""
    context: Mapping[str, Any] = entry.get("ctx", {})
    match entry["type"]:
        case "missing":
            return "is required", None
        case "extra_forbidden":
            return "is not a field of this request", None
        case "literal_error" | "enum":
            return "is not an allowed value", str(context["expected"]).replace("'", "")
        case "string_type":
            return f"is {_type_name(entry['input'])}", "a string"
        case "string_too_short":
            return "is too short", f"at least {context['min_length']} character"
        case "string_too_long":
            return f"has {len(entry['input'])} characters", f"at most {context['max_length']}"
        case "too_long":
            return f"has {context['actual_length']} entries", f"at most {context['max_length']}"
        case "too_short":
            return f"has {context['actual_length']} entries", f"at least {context['min_length']}"
        case "greater_than_equal":
            return "is too small", f"{context['ge']} or more"
        case "less_than_equal":
            return "is too large", f"{context['le']} or less"
        case "dict_type" | "model_type" | "model_attributes_type":
            return f"is {_type_name(entry['input'])}", "an object"
        case "list_type" | "tuple_type":
            return f"is {_type_name(entry['input'])}", "an array"
        case "int_type" | "int_from_float":
            return f"is {_type_name(entry['input'])}", "an integer"
        case "float_type":
            return f"is {_type_name(entry['input'])}", "a number"
        case "bool_type":
            return f"is {_type_name(entry['input'])}", "true or false"
        case _:
            return str(entry["msg"]), None


def _type_name(value: Any) -> str:
    names: dict[type, str] = {bool: "a boolean", int: "an integer", float: "a number", str: "a string"}
    names |= {list: "an array", dict: "an object", type(None): "null"}
    return names.get(type(value), "of another type")
