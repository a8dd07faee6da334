"""Foreign formats and corpora: what reads them, and what becomes of the runs and artifacts that were read."""

from setright.exchange.corpora import CORPORA, CorpusForm, CorpusReport, Counted, Given, ReadArtifact, counted
from setright.exchange.formats import FORMATS, MAPPED, NAMES, Format, by_mapping, recognise
from setright.exchange.formats.mapped import Mapping
from setright.exchange.model import ImportReport, Into, NotRead, ReadRun, Report, Stream, Unread
from setright.exchange.otlp.requests import otlp_answer, otlp_parts
from setright.exchange.records import Ahead
from setright.exchange.traces import (
    ASSEMBLE,
    TRACE_LIFE,
    Taken,
    Trace,
    TraceFilters,
    TraceInFull,
    TraceNotFound,
    TraceState,
    assemble,
    erase_traces,
    get_trace,
    list_traces,
    take_parts,
)
from setright.exchange.traces import faults as trace_faults

__all__ = [
    "ASSEMBLE",
    "CORPORA",
    "FORMATS",
    "MAPPED",
    "NAMES",
    "TRACE_LIFE",
    "Ahead",
    "CorpusForm",
    "CorpusReport",
    "Counted",
    "Format",
    "Given",
    "ImportReport",
    "Into",
    "Mapping",
    "NotRead",
    "ReadArtifact",
    "ReadRun",
    "Report",
    "Stream",
    "Taken",
    "Trace",
    "TraceFilters",
    "TraceInFull",
    "TraceNotFound",
    "TraceState",
    "Unread",
    "assemble",
    "by_mapping",
    "counted",
    "erase_traces",
    "get_trace",
    "list_traces",
    "otlp_answer",
    "otlp_parts",
    "recognise",
    "take_parts",
    "trace_faults",
]
