"""The route of the event feed."""

from setright.app.catalog import QUERIES
from setright.faces.http import samples, schemas, shapes
from setright.faces.http.parameters import ProjectFeedQuery
from setright.faces.http.route import Example, Route
from setright.faces.http.show import Fed

ROUTES = (
    Route(
        method="GET",
        path="/v1/events",
        name="readEvents",
        summary="Read what happened, oldest first; go on after the seq of the last event you saw.",
        does=QUERIES["read-feed"],
        more="Whoever goes on after the last event of each page sees every event once, late ones too; seq has gaps.",
        query=ProjectFeedQuery,
        arguments=lambda asked: {
            "after": asked.query.after,
            "limit": asked.query.limit,
            "project_id": asked.query.project_id,
        },
        show=Fed(shapes.event),
        answers=schemas.Event,
        example=Example(query="limit=100", answer=samples.EVENT),
        refuses=(
            "project-not-found",
            "permission-denied",
        ),
    ),
)
