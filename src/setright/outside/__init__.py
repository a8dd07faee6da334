"""The way outside: what the operator has Setright call, within a size and a time, and nothing else."""

from setright.outside.chat import ChatEndpoint
from setright.outside.errors import ChatTrouble, TroubleWord

__all__ = ["ChatEndpoint", "ChatTrouble", "TroubleWord"]
