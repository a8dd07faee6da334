"""Jobs: work that touches many rows, asked for in the transaction that causes it and done in batches by workers."""

from setright.jobs.errors import JobMoveRefused, JobNotFound, LeaseLost
from setright.jobs.lifecycle import JOB_LIFE, MOST_ATTEMPTS, STATES, StateWord
from setright.jobs.model import Backlog, Batch, Job
from setright.jobs.operations import (
    again_and_again,
    ask,
    ask_what_recurs,
    cancel_job,
    carry_on,
    drop_ended,
    fail,
    hand_back,
    retry_job,
    take,
)
from setright.jobs.queries import backlog, get_job, is_due, list_jobs, recurs_now, unfinished
from setright.jobs.soundness import faults

__all__ = [
    "JOB_LIFE",
    "MOST_ATTEMPTS",
    "STATES",
    "Backlog",
    "Batch",
    "Job",
    "JobMoveRefused",
    "JobNotFound",
    "LeaseLost",
    "StateWord",
    "again_and_again",
    "ask",
    "ask_what_recurs",
    "backlog",
    "cancel_job",
    "carry_on",
    "drop_ended",
    "fail",
    "faults",
    "get_job",
    "hand_back",
    "is_due",
    "list_jobs",
    "recurs_now",
    "retry_job",
    "take",
    "unfinished",
]
