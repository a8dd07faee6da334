"""Runs of agents and flows: recorded, continued, finished, and then never changed."""

from setright.runs.errors import CallExists, CallPositionGap, RunExists, RunFinished, RunNotFound, RunTooLarge
from setright.runs.lifecycle import RUN_LIFE
from setright.runs.model import (
    BatchOutcome,
    Finish,
    NewCall,
    NewCalls,
    NewRun,
    NewSubject,
    RecordedRun,
    Run,
    RunBatch,
    RunContent,
    RunCopy,
    RunFilters,
    RunInFull,
    RunStatus,
    RunToCorrect,
)
from setright.runs.operations import append_calls, finish_run, keep_copy, record_batch, record_run, to_correct
from setright.runs.queries import copy_of, get_run, list_runs

__all__ = [
    "RUN_LIFE",
    "BatchOutcome",
    "CallExists",
    "CallPositionGap",
    "Finish",
    "NewCall",
    "NewCalls",
    "NewRun",
    "NewSubject",
    "RecordedRun",
    "Run",
    "RunBatch",
    "RunContent",
    "RunCopy",
    "RunExists",
    "RunFilters",
    "RunFinished",
    "RunInFull",
    "RunNotFound",
    "RunStatus",
    "RunToCorrect",
    "RunTooLarge",
    "append_calls",
    "copy_of",
    "finish_run",
    "get_run",
    "keep_copy",
    "list_runs",
    "record_batch",
    "record_run",
    "to_correct",
]
