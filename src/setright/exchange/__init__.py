"""Foreign formats and corpora: what reads them, and what becomes of the runs and artifacts that were read."""

from setright.exchange.corpora import CORPORA, CorpusForm, CorpusReport, Counted, Given, ReadArtifact, counted
from setright.exchange.formats import FORMATS, MAPPED, NAMES, Format, by_mapping, recognise
from setright.exchange.formats.mapped import Mapping
from setright.exchange.model import ImportReport, Into, NotRead, ReadRun, Report, Stream, Unread
from setright.exchange.records import Ahead

__all__ = [
    "CORPORA",
    "FORMATS",
    "MAPPED",
    "NAMES",
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
    "Unread",
    "by_mapping",
    "counted",
    "recognise",
]
