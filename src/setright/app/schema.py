"""The whole schema: importing this module makes every room's tables known to `metadata`."""

from setright.corrections.tables import correction_counts, corrections, corrector_groups, waiting_corrections
from setright.events.tables import events
from setright.identity.tables import members, projects, tenants, tokens, users
from setright.jobs.tables import jobs, recurring_jobs
from setright.runs.tables import run_calls, run_contents, runs
from setright.storage import metadata
from setright.storage.kept import kept_answers, marks
from setright.storage.usage import usage
from setright.subjects.tables import subject_projects, subject_versions, subjects

TABLES = (
    correction_counts,
    corrections,
    corrector_groups,
    events,
    jobs,
    kept_answers,
    marks,
    members,
    projects,
    recurring_jobs,
    run_calls,
    run_contents,
    runs,
    subject_projects,
    subject_versions,
    subjects,
    tenants,
    tokens,
    usage,
    users,
    waiting_corrections,
)

__all__ = ["TABLES", "metadata"]
