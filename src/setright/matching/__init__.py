"""Calls and answers held against expectations: pure, explained, and known to server, client and hooks alike."""

from setright.matching.answers import answer_of
from setright.matching.calls import fits
from setright.matching.items import ItemMetrics, Judgement, measure
from setright.matching.model import (
    RULE,
    WHY_NOT_EVALUATED,
    WHY_WRONG,
    Aspect,
    AspectWord,
    Verdict,
    VerdictWord,
)
from setright.matching.text import number_in
from setright.matching.values import MISSING, same
from setright.matching.verdicts import hold, together

__all__ = [
    "MISSING",
    "RULE",
    "WHY_NOT_EVALUATED",
    "WHY_WRONG",
    "Aspect",
    "AspectWord",
    "ItemMetrics",
    "Judgement",
    "Verdict",
    "VerdictWord",
    "answer_of",
    "fits",
    "hold",
    "measure",
    "number_in",
    "same",
    "together",
]
