"""The agents and flows that run, and the versions that were seen of each."""

from setright.subjects.errors import AgentNotFound, FlowNotFound
from setright.subjects.model import (
    Kind,
    Subject,
    SubjectChanges,
    SubjectInFull,
    SubjectRef,
    SubjectVersion,
    fold,
)
from setright.subjects.operations import patch_subject, see
from setright.subjects.queries import get_subject, list_subjects, spellings

__all__ = [
    "AgentNotFound",
    "FlowNotFound",
    "Kind",
    "Subject",
    "SubjectChanges",
    "SubjectInFull",
    "SubjectRef",
    "SubjectVersion",
    "fold",
    "get_subject",
    "list_subjects",
    "patch_subject",
    "see",
    "spellings",
]
