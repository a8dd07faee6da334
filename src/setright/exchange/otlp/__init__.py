"""OpenTelemetry's protocol: what stands in a request, and the spans and events of agents in it."""

from setright.exchange.otlp.json_form import read_logs, read_spans
from setright.exchange.otlp.model import Log, Received, Rejected
from setright.exchange.otlp.vocabularies import span_of

__all__ = ["Log", "Received", "Rejected", "read_logs", "read_spans", "span_of"]
"""What other parts of the room use."""
