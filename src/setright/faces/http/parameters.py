"""Query strings: the models of what may stand in them, and how their texts become the models' values."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import parse_qsl

from pydantic import BeforeValidator, Field

from setright.kernel.clock import from_wire
from setright.kernel.errors import InvalidBody, InvalidParameter, UnknownField, UnknownParameter
from setright.kernel.fields import Fault, Id, Input, optional, validate
from setright.kernel.json import MAX_INTEGER
from setright.kernel.paging import DEFAULT_LIMIT, MAX_LIMIT

MOST_PARAMETERS = 200
_WHOLE = re.compile(r"-?[0-9]{1,18}\Z")

Kind = Literal["text", "whole", "flag"]


def _moment(value: Any) -> int:
    try:
        return from_wire(value)
    except ValueError as error:
        raise Fault("", str(error)) from None


Moment = Annotated[
    int,
    BeforeValidator(
        _moment, json_schema_input_type=Annotated[str, Field(json_schema_extra={"format": "date-time"})]
    ),
]
"""A time as RFC 3339 text, read as microseconds."""

PageLimit = Annotated[int, Field(ge=1, le=MAX_LIMIT)]
Cursor = Annotated[str, Field(min_length=1, max_length=2_000)]


class PageQuery(Input):
    """What every list takes."""

    limit: PageLimit = Field(default=DEFAULT_LIMIT, description="How many entries a page has at most.")
    cursor: Cursor | None = optional("The nextCursor of the page before.")


class FeedQuery(Input):
    """What every feed of events takes: go on after the event with this `seq`; 0 is the beginning."""

    after: Annotated[int, Field(ge=0, le=MAX_INTEGER)] = Field(
        default=0, description="The seq of the last event that you saw; 0 is the beginning."
    )
    limit: PageLimit = Field(default=DEFAULT_LIMIT, description="How many events a page has at most.")


class ProjectFeedQuery(FeedQuery):
    """A feed that may be narrowed to one project."""

    project_id: Id | None = optional("Only events of this project.")


class Parameters:
    """Reads query strings into one model, whose fields are texts, whole numbers, flags, or lists of those."""

    def __init__(self, model: type[Input]) -> None:
        self._model = model
        self._kinds: dict[str, tuple[Kind, bool]] = {
            field.alias or name: _kind_of(field.annotation, field.metadata)
            for name, field in model.model_fields.items()
        }
        self._empty: Input | None = None

    def read(self, query: bytes) -> Input:
        """The query as the model; refuses every wrong parameter at once (`unknown-parameter` if only that is wrong)."""
        if not query:
            if self._empty is None:
                self._empty = self._of_nothing()
            return self._empty
        faults: list[dict[str, str]] = []
        values = self._values(_pairs(query), faults)
        try:
            made = validate(self._model, {name: value for name, value in values.items() if value is not None})
        except UnknownField as refusal:
            if not faults:
                raise self._unknown(_by_parameter(refusal.details["faults"])) from None
        except InvalidBody as refusal:
            faults += _by_parameter(refusal.details["faults"])
        else:
            if not faults:
                return made
        raise invalid_parameters(faults)

    def _of_nothing(self) -> Input:
        """The model without any parameter; refuses where one is needed."""
        try:
            return validate(self._model, {})
        except InvalidBody as refusal:
            raise invalid_parameters(_by_parameter(refusal.details["faults"])) from None

    def _values(self, pairs: list[tuple[str, str]], faults: list[dict[str, str]]) -> dict[str, Any]:
        """The values by parameter; what is no value of its kind goes to `faults` and leaves None."""
        values: dict[str, Any] = {}
        for name, text in pairs:
            kind, many = self._kinds.get(name, ("text", False))
            value, fault = _convert(kind, text)
            if fault is not None:
                faults.append({"parameter": name, **fault})
                values.setdefault(name, None)
            elif many:
                values[name] = [*(values.get(name) or ()), value]
            elif name in values:
                faults.append({"parameter": name, "fault": "is given more than once"})
            else:
                values[name] = value
        return values

    def _unknown(self, faults: list[dict[str, str]]) -> UnknownParameter:
        names = ", ".join(fault["parameter"] for fault in faults)
        known = ", ".join(self._kinds)
        return UnknownParameter(
            f"Unknown parameter {names}; " + (f"known are {known}." if known else "this route takes none."),
            {"faults": [{**fault, "fault": "is not a parameter of this route"} for fault in faults]},
        )


def number_in(path: Mapping[str, str], name: str) -> int:
    """The whole number in a segment of the path; refuses what is none, or lies outside of 1 to 2^53-1."""
    text = path[name]
    number = int(text) if _WHOLE.match(text) else 0
    if not 1 <= number <= MAX_INTEGER:
        fault = "is no number of a thing" if _WHOLE.match(text) else "is not a whole number"
        allowed = f"a whole number from 1 to {MAX_INTEGER}"
        raise invalid_parameters([{"parameter": name, "fault": fault, "allowed": allowed}])
    return number


def invalid_parameters(faults: list[dict[str, str]]) -> InvalidParameter:
    """The refusal whose message names the first wrong parameter or header and counts the rest."""
    first = faults[0]
    allowed = f"; allowed: {first['allowed']}" if "allowed" in first else ""
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return InvalidParameter(f"{first['parameter']}: {first['fault']}{allowed}{more}.", {"faults": faults})


def _kind_of(annotation: Any, metadata: list[Any]) -> tuple[Kind, bool]:
    """The kind of a field's texts, and whether it takes several."""
    if any(isinstance(mark, BeforeValidator) for mark in metadata):
        return "text", False
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *marks = get_args(annotation)
        return _kind_of(inner, marks)
    if origin is list:
        return _kind_of(get_args(annotation)[0], [])[0], True
    inside = [part for part in get_args(annotation) if part is not type(None)]
    if origin is not None and origin is not Literal and len(inside) == 1:
        return _kind_of(inside[0], [])
    return ("flag" if annotation is bool else "whole" if annotation is int else "text"), False


def _pairs(query: bytes) -> list[tuple[str, str]]:
    try:
        pairs = parse_qsl(
            query.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS
        )
    except UnicodeError:
        raise InvalidParameter("The query string is not percent-encoded UTF-8.") from None
    except ValueError:
        raise InvalidParameter(f"The query string has more than {MOST_PARAMETERS} parameters.") from None
    for name, text in pairs:
        if "\0" in text or "\0" in name:
            raise invalid_parameters(
                [{"parameter": name.replace("\0", "\ufffd"), "fault": "contains U+0000"}]
            )
    return pairs


def _convert(kind: Kind, text: str) -> tuple[Any, dict[str, str] | None]:
    if kind == "whole":
        if _WHOLE.match(text):
            return int(text), None
        return None, {"fault": "is not a whole number", "allowed": "digits"}
    if kind == "flag":
        if text in ("true", "false"):
            return text == "true", None
        return None, {"fault": "is not a truth value", "allowed": "true, false"}
    return text, None


def _by_parameter(faults: list[Mapping[str, str]]) -> list[dict[str, str]]:
    """Faults of a model as faults of parameters; a pointer into a list names the parameter that was repeated."""
    return [
        {"parameter": fault["pointer"].partition("/")[2].partition("/")[0]}
        | {key: text for key, text in fault.items() if key != "pointer"}
        for fault in faults
    ]
