"""Corrections of runs: what a caller said was right or wrong, kept for good, and where each stands."""

from setright.corrections.agreement import (
    Agreement,
    AgreementFilters,
    AspectAgreement,
    AspectWord,
    PairAgreement,
    agreement,
)
from setright.corrections.coefficients import Coefficient
from setright.corrections.disagreements import Disagreement, Rater, Voice
from setright.corrections.erasing import (
    corrections_of_runs,
    count_said_by,
    erase_corrections,
    erase_waiting,
    erase_waiting_of,
    erased_among,
    participants,
    runs_of_corrections,
    said_by_participant,
    said_by_user,
)
from setright.corrections.evidence import Evidence, hold_corrections, move_by_evidence
from setright.corrections.group_model import (
    CorrectorGroup,
    CorrectorGroupChange,
    GroupFilters,
    NewCorrectorGroup,
    ScopeKind,
)
from setright.corrections.group_store import weights as group_weights
from setright.corrections.groups import (
    change_group,
    count_groups,
    create_group,
    get_group,
    list_groups,
    retire_group,
)
from setright.corrections.lifecycle import GROUP_LIFE, LIFECYCLE, STATUSES, WAITING_LIFE, DeskWord, StatusWord
from setright.corrections.model import (
    Correction,
    CorrectionChange,
    CorrectionFilters,
    CorrectionWithCopy,
    Expected,
    NewCorrection,
    NewVerdict,
    Review,
    VerdictWord,
)
from setright.corrections.moving import change_correction, unregister_correction
from setright.corrections.operations import record_correction
from setright.corrections.queries import (
    correction_history,
    get_correction,
    list_corrections,
    read_correction,
)
from setright.corrections.reactions import runs_finished
from setright.corrections.recount import CountFault, count_faults, recount
from setright.corrections.renaming import erase_notes_by, rename_maker
from setright.corrections.reviewing import (
    known_correction,
    own_correction,
    show_corrections,
    standing_corrections,
)
from setright.corrections.rules import expected_faults
from setright.corrections.soundness import faults
from setright.corrections.story import TOLD as MOVE_TOLD
from setright.corrections.story import CorrectionEvent
from setright.corrections.summaries import Count, SubjectTally, Summary, SummaryFilters, Tally, summarize
from setright.corrections.testing import (
    Candidate,
    as_held,
    candidates,
    candidates_by_id,
    candidates_of_runs,
    corrections_by_id,
    count_to_fix,
    count_to_reopen,
)
from setright.corrections.waiting import (
    MOST_FOR_ONE_RUN,
    backlog,
    get_waiting,
    list_waiting,
    record_or_hold,
    withdraw,
)
from setright.corrections.waiting_model import (
    AwaitedRun,
    Backlog,
    WaitingCorrection,
    WaitingCorrectionNow,
    WaitingFilters,
    WaitingState,
)

__all__ = [
    "GROUP_LIFE",
    "LIFECYCLE",
    "MOST_FOR_ONE_RUN",
    "MOVE_TOLD",
    "STATUSES",
    "WAITING_LIFE",
    "Agreement",
    "AgreementFilters",
    "AspectAgreement",
    "AspectWord",
    "AwaitedRun",
    "Backlog",
    "Candidate",
    "Coefficient",
    "Correction",
    "CorrectionChange",
    "CorrectionEvent",
    "CorrectionFilters",
    "CorrectionWithCopy",
    "CorrectorGroup",
    "CorrectorGroupChange",
    "Count",
    "CountFault",
    "DeskWord",
    "Disagreement",
    "Evidence",
    "Expected",
    "GroupFilters",
    "NewCorrection",
    "NewCorrectorGroup",
    "NewVerdict",
    "PairAgreement",
    "Rater",
    "Review",
    "ScopeKind",
    "StatusWord",
    "SubjectTally",
    "Summary",
    "SummaryFilters",
    "Tally",
    "VerdictWord",
    "Voice",
    "WaitingCorrection",
    "WaitingCorrectionNow",
    "WaitingFilters",
    "WaitingState",
    "agreement",
    "as_held",
    "backlog",
    "candidates",
    "candidates_by_id",
    "candidates_of_runs",
    "change_correction",
    "change_group",
    "correction_history",
    "corrections_by_id",
    "corrections_of_runs",
    "count_faults",
    "count_groups",
    "count_said_by",
    "count_to_fix",
    "count_to_reopen",
    "create_group",
    "erase_corrections",
    "erase_notes_by",
    "erase_waiting",
    "erase_waiting_of",
    "erased_among",
    "expected_faults",
    "faults",
    "get_correction",
    "get_group",
    "get_waiting",
    "group_weights",
    "hold_corrections",
    "known_correction",
    "list_corrections",
    "list_groups",
    "list_waiting",
    "move_by_evidence",
    "own_correction",
    "participants",
    "read_correction",
    "record_correction",
    "record_or_hold",
    "recount",
    "rename_maker",
    "retire_group",
    "runs_finished",
    "runs_of_corrections",
    "said_by_participant",
    "said_by_user",
    "show_corrections",
    "standing_corrections",
    "summarize",
    "unregister_correction",
    "withdraw",
]
