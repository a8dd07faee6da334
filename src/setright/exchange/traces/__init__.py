"""Traces that come in span by span, and become runs when their agent has ended."""

from setright.exchange.traces.erasing import erase_traces
from setright.exchange.traces.errors import TraceNotFound
from setright.exchange.traces.jobs import ASSEMBLE, assemble
from setright.exchange.traces.lifecycle import TRACE_LIFE, TraceState
from setright.exchange.traces.model import Evaluation, LateSpan, Taken, Trace, TraceFilters, TraceInFull
from setright.exchange.traces.operations import take_parts
from setright.exchange.traces.queries import get_trace, list_traces
from setright.exchange.traces.soundness import faults

__all__ = [
    "ASSEMBLE",
    "TRACE_LIFE",
    "Evaluation",
    "LateSpan",
    "Taken",
    "Trace",
    "TraceFilters",
    "TraceInFull",
    "TraceNotFound",
    "TraceState",
    "assemble",
    "erase_traces",
    "faults",
    "get_trace",
    "list_traces",
    "take_parts",
]
