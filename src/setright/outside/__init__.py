"""The way outside: what the operator has Setright call, within a size and a time, and nothing else.

Each way is loaded by itself (`outside.chat`, `outside.documents`, `outside.embedding`), and only where the settings ask
for it: an HTTP client takes its time, and most servers call nobody.
"""

from setright.outside.errors import ChatTrouble, TroubleWord

__all__ = ["ChatTrouble", "TroubleWord"]
