"""Briefings that are remembered while nothing in them changed, which every transaction can tell by one look at a stamp."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from threading import Lock

from setright.lessons.briefing_model import Briefing

MOST = 512


@dataclass(frozen=True, slots=True)
class _Kept:
    stamp: Hashable
    until: int | None
    briefing: Briefing


class Remembered:
    """The briefings read last, by what was asked; one holds while its stamp is the same and no rule in it ended."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = Lock()

    def find(self, asked: Hashable, stamp: Hashable, now: int) -> Briefing | None:
        """The briefing as it was read before, if it would be the same now."""
        with self._lock:
            kept = self._kept.get(asked)
            if kept is None or kept.stamp != stamp or (kept.until is not None and kept.until <= now):
                return None
            self._kept.move_to_end(asked)
            return kept.briefing

    def keep(self, asked: Hashable, stamp: Hashable, until: int | None, briefing: Briefing) -> None:
        """Remember a briefing; `until` is when the first of its rules ends (microseconds)."""
        with self._lock:
            self._kept[asked] = _Kept(stamp, until, briefing)
            self._kept.move_to_end(asked)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
