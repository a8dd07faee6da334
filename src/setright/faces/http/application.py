"""The HTTP face put together: a running app becomes one ASGI application."""

from typing import Any

from setright.app.assemble import RunningApp
from setright.faces.http.guard import Guard
from setright.faces.http.logs import quiet_log
from setright.faces.http.metrics import Metrics
from setright.faces.http.pipeline import Pipeline
from setright.faces.http.table import ROUTES


def build(app: RunningApp, log: Any = None) -> Guard:
    """The ASGI application of an app; it leaves closing the app to its owner. Without a log it tells crashes only."""
    metrics = Metrics(app)
    log = log or quiet_log()
    pipeline = Pipeline(app, ROUTES, metrics, log)
    return Guard(app, pipeline.answer, metrics, log)
