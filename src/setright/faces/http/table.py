"""The whole table of routes, in the order in which the document shows them."""

from setright.faces.http.route import OpenRoute, Route
from setright.faces.http.routes import (
    accounts,
    briefing,
    corrections,
    corrector_groups,
    events,
    jobs,
    knowledge_answers,
    lessons,
    limits,
    projects,
    review_queues,
    running,
    runs,
    server,
    subjects,
    summaries,
    test_runs,
    waiting,
)

ROUTES: tuple[Route | OpenRoute, ...] = (
    *runs.ROUTES,
    *corrections.ROUTES,
    *corrector_groups.ROUTES,
    *review_queues.ROUTES,
    *summaries.ROUTES,
    *waiting.ROUTES,
    *events.ROUTES,
    *subjects.ROUTES,
    *running.ROUTES,
    *test_runs.ROUTES,
    *lessons.ROUTES,
    *briefing.ROUTES,
    *knowledge_answers.ROUTES,
    *projects.ROUTES,
    *accounts.ROUTES,
    *limits.ROUTES,
    *jobs.ROUTES,
    *server.ROUTES,
)
