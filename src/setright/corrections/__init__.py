"""Corrections of runs: what a caller said was right or wrong, kept for good, and where each stands."""

from setright.corrections.lifecycle import LIFECYCLE, STATUSES, DeskWord, StatusWord
from setright.corrections.model import (
    Correction,
    CorrectionChange,
    CorrectionFilters,
    CorrectionWithCopy,
    NewCorrection,
    VerdictWord,
)
from setright.corrections.moving import change_correction, unregister_correction
from setright.corrections.operations import record_correction
from setright.corrections.queries import correction_history, get_correction, list_corrections

__all__ = [
    "LIFECYCLE",
    "STATUSES",
    "Correction",
    "CorrectionChange",
    "CorrectionFilters",
    "CorrectionWithCopy",
    "DeskWord",
    "NewCorrection",
    "StatusWord",
    "VerdictWord",
    "change_correction",
    "correction_history",
    "get_correction",
    "list_corrections",
    "record_correction",
    "unregister_correction",
]
