"""The way outside: what the operator has Setright call, within a size and a time, and nothing else."""

from setright.outside.errors import ChatTrouble, TroubleWord

# Each way (chat, documents, embedding) is loaded by itself, and only where the settings ask for it: an HTTP client
# takes its time, and most servers call nobody.
__all__ = ["ChatTrouble", "TroubleWord"]
