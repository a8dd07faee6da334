"""The whole schema: importing this module makes every room's tables known to `metadata`."""

import setright.corrections.tables as of_corrections
import setright.erasure.tables as of_erasure
import setright.events.tables as of_events
import setright.exchange.tables as of_exchange
import setright.identity.tables as of_identity
import setright.jobs.tables as of_jobs
import setright.knowledge.tables as of_knowledge
import setright.lessons.tables as of_lessons
import setright.proof.tables as of_proof
import setright.retention.tables as of_retention
import setright.reviews.tables as of_reviews
import setright.runs.tables as of_runs
import setright.storage.kept as of_kept_answers
import setright.storage.usage as of_usage
import setright.subjects.tables as of_subjects
from setright.storage import metadata

ROOMS = (
    of_corrections,
    of_erasure,
    of_events,
    of_identity,
    of_jobs,
    of_kept_answers,
    of_knowledge,
    of_lessons,
    of_proof,
    of_retention,
    of_reviews,
    of_runs,
    of_subjects,
    of_exchange,
    of_usage,
)
TABLES = tuple(table for _, table in sorted(metadata.tables.items()))

__all__ = ["ROOMS", "TABLES", "metadata"]
