"""The way outside: what the operator has Setright call, within a size and a time, and nothing else."""

from setright.outside.chat import ChatEndpoint
from setright.outside.documents import DocumentTrouble, is_safe_address, read_document
from setright.outside.errors import ChatTrouble, TroubleWord

__all__ = [
    "ChatEndpoint",
    "ChatTrouble",
    "DocumentTrouble",
    "TroubleWord",
    "is_safe_address",
    "read_document",
]
