"""The protobuf form of OpenTelemetry's protocol, as the JSON form that the other readers know."""

import base64
from collections.abc import Iterable
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

Fields = dict[str, Any]
_DEEP = 60


def traces(raw: bytes) -> Fields:
    """A request to export traces; ValueError where the bytes are none."""
    request = ExportTraceServiceRequest()
    _parse(request, raw)
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": _attributes(group.resource.attributes)},
                "scopeSpans": [
                    {"spans": [_span(span) for span in scope.spans]} for scope in group.scope_spans
                ],
            }
            for group in request.resource_spans
        ]
    }


def logs(raw: bytes) -> Fields:
    """A request to export logs; ValueError where the bytes are none."""
    request = ExportLogsServiceRequest()
    _parse(request, raw)
    return {
        "resourceLogs": [
            {
                "resource": {"attributes": _attributes(group.resource.attributes)},
                "scopeLogs": [
                    {"logRecords": [_record(record) for record in scope.log_records]}
                    for scope in group.scope_logs
                ],
            }
            for group in request.resource_logs
        ]
    }


def answer(signal: str, rejected: int, reason: str | None) -> bytes:
    """What an exporter of traces or logs is told: how many were rejected, and why."""
    told = ExportTraceServiceResponse() if signal == "traces" else ExportLogsServiceResponse()
    if rejected:
        told.partial_success.error_message = reason or ""
        if isinstance(told, ExportTraceServiceResponse):
            told.partial_success.rejected_spans = rejected
        else:
            told.partial_success.rejected_log_records = rejected
    return told.SerializeToString()


def _parse(request: Any, raw: bytes) -> None:
    try:
        request.ParseFromString(raw)
    except DecodeError:
        raise ValueError("is no message of OTLP in protobuf") from None


def _span(span: Any) -> Fields:
    return {
        "traceId": span.trace_id.hex(),
        "spanId": span.span_id.hex(),
        "parentSpanId": span.parent_span_id.hex(),
        "flags": span.flags,
        "name": span.name,
        "startTimeUnixNano": span.start_time_unix_nano,
        "endTimeUnixNano": span.end_time_unix_nano,
        "attributes": _attributes(span.attributes),
        "events": [
            {"name": event.name, "attributes": _attributes(event.attributes)} for event in span.events
        ],
        "status": {"code": span.status.code, "message": span.status.message},
    }


def _record(record: Any) -> Fields:
    return {
        "traceId": record.trace_id.hex(),
        "spanId": record.span_id.hex(),
        "eventName": record.event_name,
        "timeUnixNano": record.time_unix_nano,
        "observedTimeUnixNano": record.observed_time_unix_nano,
        "attributes": _attributes(record.attributes),
        "body": _value(record.body),
    }


def _attributes(pairs: Iterable[KeyValue]) -> list[Fields]:
    return [{"key": pair.key, "value": _value(pair.value)} for pair in pairs]


def _value(value: AnyValue, depth: int = 0) -> Fields:
    kind = value.WhichOneof("value")
    if kind is None or depth > _DEEP:
        return {}
    if kind == "array_value":
        return {"arrayValue": {"values": [_value(one, depth + 1) for one in value.array_value.values]}}
    if kind == "kvlist_value":
        rows = value.kvlist_value.values
        return {
            "kvlistValue": {
                "values": [{"key": one.key, "value": _value(one.value, depth + 1)} for one in rows]
            }
        }
    if kind == "bytes_value":
        return {"bytesValue": base64.b64encode(value.bytes_value).decode()}
    names = {"string_value": "stringValue", "bool_value": "boolValue", "int_value": "intValue"}
    return {names.get(kind, "doubleValue"): getattr(value, kind)}
