"""A whole request of an exporter: its parts, in whichever form it came, and what it is answered."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from pydantic_core import from_json

from setright.exchange.kinds import is_list, is_object
from setright.exchange.otlp.json_form import read_logs, read_spans
from setright.exchange.otlp.model import Log, Received, Rejected
from setright.kernel import json
from setright.kernel.errors import fault_at, refuse_faults


def otlp_parts(signal: str, raw: bytes, *, is_protobuf: bool) -> Sequence[Received | Log | Rejected]:
    """The spans (`traces`) or log records (`logs`) of a request; refuses (400) what is no request at all."""
    body = _protobuf(signal, raw) if is_protobuf else _json(signal, raw)
    return list(read_spans(body) if signal == "traces" else read_logs(body))


def otlp_answer(signal: str, rejected: int, reason: str | None) -> bytes:
    """The answer in protobuf."""
    told: bytes = _form().answer(signal, rejected, reason)
    return told


def _form() -> Any:
    # Loaded by the first request that needs it: the classes take a tenth of a second.
    return import_module("setright.exchange.otlp.protobuf_form")


def _protobuf(signal: str, raw: bytes) -> Any:
    try:
        return _form().traces(raw) if signal == "traces" else _form().logs(raw)
    except ValueError as error:
        raise refuse_faults([fault_at("", str(error))]) from None


def _json(signal: str, raw: bytes) -> Any:
    name = "resourceSpans" if signal == "traces" else "resourceLogs"
    try:
        body: Any = from_json(raw)
    except ValueError:
        body = json.read(raw)
    if not is_object(body) or (name in body and not is_list(body[name])):
        raise refuse_faults([fault_at("", f"is no request of OTLP: an object with {name}")])
    return body
