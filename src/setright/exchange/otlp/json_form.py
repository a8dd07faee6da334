"""The JSON form of OpenTelemetry's protocol (OTLP 1.5): hexadecimal ids, names in camelCase, unknown fields ignored."""

import base64
import binascii
import math
import re
from collections.abc import Iterator
from typing import Any

from setright.exchange.kinds import fields_of, listed
from setright.exchange.otlp.model import Fields, Log, Received, Rejected

_HEX = re.compile(r"[0-9a-fA-F]+")
_TRACE, _SPAN = 32, 16
_ERROR = (2, "2", "STATUS_CODE_ERROR")
_DEEP = 50
_REMOTE = 0x300
MOST_TIME = 2**63 - 1


def read_spans(body: Any) -> Iterator[Received | Rejected]:
    """The spans of a request to export traces; one that is broken rejects no other."""
    for group in _groups(body, "resourceSpans", "scopeSpans", "spans"):
        resource, one = group
        yield _span(one, resource)


def read_logs(body: Any) -> Iterator[Log | Rejected]:
    """The log records of a request to export logs that belong to spans; others are passed over."""
    for _, one in _groups(body, "resourceLogs", "scopeLogs", "logRecords"):
        fields = fields_of(one)
        if not fields.get("traceId") and not fields.get("spanId"):
            continue
        trace_id, span_id = _id(fields.get("traceId"), _TRACE), _id(fields.get("spanId"), _SPAN)
        if trace_id is None or span_id is None:
            yield Rejected("a log record has a traceId or spanId that is none")
            continue
        attributes = _attributes(fields.get("attributes"))
        name = fields.get("eventName") or attributes.get("event.name")
        body_value = value_of(fields.get("body"))
        time = _time(fields.get("timeUnixNano")) or _time(fields.get("observedTimeUnixNano"))
        yield Log(trace_id, span_id, name if isinstance(name, str) else "", attributes, body_value, time)


def _groups(body: Any, outer: str, middle: str, inner: str) -> Iterator[tuple[Fields, Any]]:
    for resource in listed(fields_of(body).get(outer)):
        known = fields_of(resource)
        attributes = _attributes(fields_of(known.get("resource")).get("attributes"))
        # Before OTLP 0.19 a scope was called an instrumentation library.
        old = middle.replace("scope", "instrumentationLibrary")
        for scope in listed(known.get(middle, known.get(old))):
            for one in listed(fields_of(scope).get(inner)):
                yield attributes, one


def _span(one: Any, resource: Fields) -> Received | Rejected:
    fields = fields_of(one)
    trace_id, span_id = _id(fields.get("traceId"), _TRACE), _id(fields.get("spanId"), _SPAN)
    if trace_id is None:
        return Rejected("a span has a traceId that is none: 32 hexadecimal digits, not all zero")
    if span_id is None:
        return Rejected("a span has a spanId that is none: 16 hexadecimal digits, not all zero")
    status = fields_of(fields.get("status"))
    message = status.get("message")
    failed = status.get("code") in _ERROR if isinstance(status.get("code"), int | str) else False
    name = fields.get("name")
    events = [fields_of(event) for event in listed(fields.get("events"))]
    return Received(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=_id(fields.get("parentSpanId"), _SPAN),
        name=name if isinstance(name, str) else "",
        started=_time(fields.get("startTimeUnixNano")),
        ended=_time(fields.get("endTimeUnixNano")),
        attributes=_attributes(fields.get("attributes")),
        resource=resource,
        events=[(str(event.get("name")), _attributes(event.get("attributes"))) for event in events],
        is_entry=_is_entry(fields.get("flags")),
        error=(message if isinstance(message, str) and message else "failed") if failed else None,
    )


def _is_entry(flags: Any) -> bool:
    """Whether the flags of a span say that its parent is remote (bits 8 and 9)."""
    return isinstance(flags, int) and flags & _REMOTE == _REMOTE


def _id(value: Any, digits: int) -> str | None:
    if not isinstance(value, str) or len(value) != digits or not _HEX.fullmatch(value):
        return None
    return None if set(value) == {"0"} else value.lower()


def _time(value: Any) -> int | None:
    """Nanoseconds, written as a number or as its digits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _SPAN + 3:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 < value <= MOST_TIME else None


def _attributes(value: Any) -> Fields:
    found: Fields = {}
    for one in listed(value):
        fields = fields_of(one)
        if isinstance(fields.get("key"), str):
            found[fields["key"]] = value_of(fields.get("value"))
    return found


def value_of(value: Any, depth: int = 0) -> Any:
    """An AnyValue as JSON: bytes as base64, a number that is none or too large as its text, too deep ones as null."""
    fields = fields_of(value)
    if depth > _DEEP:
        return None
    if "stringValue" in fields:
        return fields["stringValue"] if isinstance(fields["stringValue"], str) else None
    if "boolValue" in fields:
        return bool(fields["boolValue"])
    if "intValue" in fields:
        return whole(fields["intValue"])
    if "doubleValue" in fields:
        return _number(fields["doubleValue"])
    if "arrayValue" in fields:
        return [value_of(one, depth + 1) for one in listed(fields_of(fields["arrayValue"]).get("values"))]
    if "kvlistValue" in fields:
        rows = [fields_of(one) for one in listed(fields_of(fields["kvlistValue"]).get("values"))]
        return {str(row.get("key")): value_of(row.get("value"), depth + 1) for row in rows}
    if "bytesValue" in fields:
        return _bytes(fields["bytesValue"])
    return None


def whole(value: Any) -> int | str | None:
    """A whole number of 64 bits, sent as a number or as text; one beyond 2^53-1 as text."""
    if isinstance(value, str):
        try:
            value = int(value) if len(value) < 21 else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if abs(value) < 2**53 else str(value)


def _number(value: Any) -> float | str | None:
    """A double; JSON has no NaN and no infinities, so those come and stay as texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else str(value)


def _bytes(value: Any) -> str | None:
    if not isinstance(value, str):
        return None
    try:
        return base64.b64encode(base64.b64decode(value, validate=True)).decode()
    except (binascii.Error, ValueError):
        return None
