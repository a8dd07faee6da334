"""The whole schema: importing this module makes every room's tables known to `metadata`."""

import setright.corrections.tables
import setright.events.tables
import setright.identity.tables
import setright.runs.tables
import setright.storage.kept
import setright.subjects.tables  # noqa: F401
from setright.storage import metadata

__all__ = ["metadata"]
