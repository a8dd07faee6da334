"""Foreign formats and corpora: what reads them, and what becomes of the runs and artifacts that were read."""

from setright.exchange.corpora import CORPORA, CorpusForm, CorpusReport, Counted, Given, ReadArtifact, counted
from setright.exchange.formats import FORMATS, Format
from setright.exchange.model import ImportReport, Into, NotRead, ReadRun, Report, Stream, Unread

__all__ = [
    "CORPORA",
    "FORMATS",
    "CorpusForm",
    "CorpusReport",
    "Counted",
    "Format",
    "Given",
    "ImportReport",
    "Into",
    "NotRead",
    "ReadArtifact",
    "ReadRun",
    "Report",
    "Stream",
    "Unread",
    "counted",
]
