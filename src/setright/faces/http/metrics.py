"""Figures for an operator in the form of Prometheus: calls by route, the writer's queue and groups, the build."""

import platform
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from setright import __version__, corrections, jobs
from setright.app import signing_in, wording
from setright.app.assemble import RunningApp
from setright.kernel.limits import CAPS, QUOTAS

TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
QUANTILES = (0.5, 0.9, 0.99)
Backlogs = tuple[corrections.Backlog, jobs.Backlog]
"""What waits in the whole ledger: corrections for their runs, and jobs for a worker."""
_KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    """The figures of one server."""

    def __init__(self, app: RunningApp) -> None:
        self._registry = CollectorRegistry()
        self._calls = _Calls()
        self._registry.register(_OfStore(app))
        self._registry.register(self._calls)
        self.count = self._calls.count

    def text(self, backlogs: Backlogs | None) -> bytes:
        """Every figure as it is now; those of the database are left out where it could not be asked."""
        return generate_latest(self._registry) + (b"" if backlogs is None else _of_backlogs(*backlogs))


def _of_backlogs(backlog: corrections.Backlog, of_jobs: jobs.Backlog) -> bytes:
    registry = CollectorRegistry()
    waiting = Gauge(
        "setright_waiting_corrections", "Corrections that wait for their run to finish.", registry=registry
    )
    oldest = Gauge(
        "setright_waiting_corrections_oldest_seconds",
        "How long the oldest of them has waited; 0 when none does.",
        registry=registry,
    )
    waiting.set(backlog.count)
    oldest.set(backlog.oldest_seconds)
    states = Gauge("setright_jobs", "Jobs of the last seven days, by state.", ["state"], registry=registry)
    for state in jobs.STATES:
        states.labels(state).set(of_jobs.by_state.get(state, 0))
    due = Gauge(
        "setright_jobs_oldest_seconds",
        "How long the oldest job that is due has waited for a worker; 0 when none is.",
        registry=registry,
    )
    due.set(of_jobs.oldest_seconds)
    return generate_latest(registry)


class _Calls(Collector):
    """How long requests took, by method, route and status; for one thread, and cheaper than a histogram with locks."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str, int], list[float]] = {}

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request; a path without a route counts under no route."""
        seen = self._seen.get((method, route, status))
        if seen is None:
            known = method if method in _KNOWN_METHODS else "other"
            seen = self._seen.setdefault((known, route, status), [0.0] * (len(SECONDS) + 2))
        seen[bisect_left(SECONDS, seconds)] += 1
        seen[-1] += seconds

    def collect(self) -> Iterable[Metric]:
        """The histogram as it is now."""
        labels = ["method", "route", "status"]
        family = HistogramMetricFamily(
            "setright_request_seconds", "Time from a request to its answer.", labels=labels
        )
        for (method, route, status), seen in sorted(self._seen.items()):
            bounds = [*map(str, SECONDS), "+Inf"]
            counts = list(zip(bounds, accumulate(seen[:-1]), strict=True))
            family.add_metric([method, route, str(status)], counts, seen[-1])
        yield family


class _OfStore(Collector):
    """The figures that the store keeps, read when they are asked for."""

    def __init__(self, app: RunningApp) -> None:
        self._app = app

    def collect(self) -> Iterable[Metric]:
        """The figures as they are now."""
        figures: dict[str, Any] = self._app.store.figures()
        build = GaugeMetricFamily(
            "setright_build_info", "What is running.", labels=["version", "python", "engine"]
        )
        build.add_metric([__version__, platform.python_version(), self._app.store.engine], 1)
        yield build
        yield GaugeMetricFamily(
            "setright_write_queue_depth",
            "Writes that wait for the writer.",
            value=figures["write_queue_depth"],
        )
        yield _counter("setright_writes", "Writes that the writer has done.", figures["writes"])
        yield _refusals(self._app.performer.over_quota)
        tries = self._app.signing_in.outcomes
        yield _outcomes(
            "setright_sign_ins", "Tries to sign in, by how they ended.", signing_in.OUTCOMES, tries
        )
        if self._app.performer.wordings is not None:
            meaning = "Answers that a model was to word, by what became of it."
            words = self._app.performer.wordings.outcomes
            yield _outcomes("setright_wordings", meaning, wording.OUTCOMES, words)
        yield _counter("setright_commits", "Commits that the writer has made.", figures["groups"])
        yield _quantiles(
            "setright_group_size", "Writes in one commit, of the last 1,000.", figures["group_sizes"]
        )
        yield _quantiles(
            "setright_commit_seconds", "Time of one commit, of the last 1,000.", figures["commit_seconds"]
        )


def _refusals(counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(
        "setright_quota_refusals", "What was refused because a quota or a cap was reached.", labels=["quota"]
    )
    for word in dict.fromkeys((*QUOTAS, *CAPS, *counts)):
        family.add_metric([word], counts.get(word, 0))
    return family


def _outcomes(name: str, meaning: str, words: Sequence[str], counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, meaning, labels=["outcome"])
    for word in words:
        family.add_metric([word], counts.get(word, 0))
    return family


def _quantiles(name: str, meaning: str, seen: Sequence[float]) -> Metric:
    quantiles = GaugeMetricFamily(name, meaning, labels=["quantile"])
    ordered = sorted(seen)
    for quantile in QUANTILES if ordered else ():
        quantiles.add_metric([str(quantile)], ordered[min(int(quantile * len(ordered)), len(ordered) - 1)])
    return quantiles


def _counter(name: str, meaning: str, value: float) -> Metric:
    counter = CounterMetricFamily(name, meaning)
    counter.add_metric([], value)
    return counter
