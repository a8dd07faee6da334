"""Foreign formats: what reads them, and what becomes of the runs that were read."""

from setright.exchange.formats import FORMATS, Format
from setright.exchange.model import ImportReport, Into, NotRead, ReadRun, Report, Stream, Unread

__all__ = [
    "FORMATS",
    "Format",
    "ImportReport",
    "Into",
    "NotRead",
    "ReadRun",
    "Report",
    "Stream",
    "Unread",
]
