"""The two clients, Setright and AsyncSetright, which can do the same."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import cached_property
from types import TracebackType
from typing import Self, Unpack

import httpx2

from setright.client import corpora, knowing, layers, learning, resources, scholarship, shared_work
from setright.client.recording.recorder import BeginFields, Recorder
from setright.client.recording.run import RunRecording
from setright.client.requests import accounts
from setright.client.retries import Retries
from setright.client.senders import AsyncSender, Sender
from setright.client.settings import target
from setright.client.verbs import AsyncResource, Resource, sends, sends_async


class Setright(Resource):
    """A client of a Setright server; threads may share one, and a `with` block closes it.

    `url` and `token` default to SETRIGHT_URL and SETRIGHT_TOKEN. `timeout` is in seconds and counts for each step of
    one try; `retries` is a number of further tries or a `Retries`. Every write sends an Idempotency-Key, the same on
    every try, so nothing is recorded twice. Advanced: `transport` is an httpx2 transport that requests go through
    instead of the network; `sleep` is what waits between tries.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 10.0,
        retries: Retries | int = 5,
        transport: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._target = target(url, token, timeout, retries)
        self._transport = transport
        sender = Sender(self._target, transport, sleep)
        super().__init__(sender)
        self.runs = resources.Runs(sender)
        self.corrections = resources.Corrections(sender)
        self.corrector_groups = resources.CorrectorGroups(sender)
        self.review_queues = shared_work.ReviewQueues(sender)
        self.events = resources.Events(sender)
        self.projects = resources.Projects(sender)
        self.users = resources.Users(sender)
        self.sessions = resources.Sessions(sender)
        self.tokens = resources.Tokens(sender)
        self.agents = resources.Agents(sender)
        self.flows = resources.Flows(sender)
        self.test_runs = resources.TestRuns(sender)
        self.jobs = shared_work.Jobs(sender)
        self.traces = shared_work.Traces(sender)
        self.erasures = shared_work.Erasures(sender)
        self.retention = shared_work.Retentions(sender)
        self.run_reads = shared_work.RunReads(sender)
        self.lessons = learning.Lessons(sender)
        self.knowledge = knowing.Knowledge(sender)
        self.artifacts = corpora.Artifacts(sender)
        self.scholars = scholarship.Scholars(sender)
        self.annotations = layers.Annotations(sender)
        self.interactions = layers.Interactions(sender)

    me = sends(accounts.me)
    limits = sends(accounts.limits)
    openapi = sends(accounts.openapi)

    @cached_property
    def recorder(self) -> Recorder:
        """What records the runs of `run`; a `Recorder` of your own has more settings."""
        return Recorder.to(self._target, self._transport)

    def run(self, **begun: Unpack[BeginFields]) -> RunRecording:
        """A run that begins, for a `with` block around what the agent does; it arrives also if the server is down now."""
        return self.recorder.run(**begun)

    def close(self) -> None:
        """Send the runs that are recorded and not sent yet, as far as that goes at once, and close the connections.

        May be called twice.
        """
        if "recorder" in self.__dict__:
            self.recorder.close()
        self.sender.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncSetright(AsyncResource):
    """Setright for asyncio: the same verbs, awaited; lists are walked with `async for`.

    One client belongs to one event loop. `transport` is an asynchronous httpx2 transport, and `sleep` is awaited.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 10.0,
        retries: Retries | int = 5,
        transport: httpx2.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._target = target(url, token, timeout, retries)
        self._own_transport = transport is not None
        sender = AsyncSender(self._target, transport, sleep)
        super().__init__(sender)
        self.runs = resources.AsyncRuns(sender)
        self.corrections = resources.AsyncCorrections(sender)
        self.corrector_groups = resources.AsyncCorrectorGroups(sender)
        self.review_queues = shared_work.AsyncReviewQueues(sender)
        self.events = resources.AsyncEvents(sender)
        self.projects = resources.AsyncProjects(sender)
        self.users = resources.AsyncUsers(sender)
        self.sessions = resources.AsyncSessions(sender)
        self.tokens = resources.AsyncTokens(sender)
        self.agents = resources.AsyncAgents(sender)
        self.flows = resources.AsyncFlows(sender)
        self.test_runs = resources.AsyncTestRuns(sender)
        self.jobs = shared_work.AsyncJobs(sender)
        self.traces = shared_work.AsyncTraces(sender)
        self.erasures = shared_work.AsyncErasures(sender)
        self.retention = shared_work.AsyncRetentions(sender)
        self.run_reads = shared_work.AsyncRunReads(sender)
        self.lessons = learning.AsyncLessons(sender)
        self.knowledge = knowing.AsyncKnowledge(sender)
        self.artifacts = corpora.AsyncArtifacts(sender)
        self.scholars = scholarship.AsyncScholars(sender)
        self.annotations = layers.AsyncAnnotations(sender)
        self.interactions = layers.AsyncInteractions(sender)

    me = sends_async(accounts.me)
    limits = sends_async(accounts.limits)
    openapi = sends_async(accounts.openapi)

    @cached_property
    def recorder(self) -> Recorder:
        """What records the runs of `run`, and sends them from a thread, so not through a `transport` of asyncio."""
        if self._own_transport:
            raise ValueError(
                "a recorder cannot send through this client's transport: make a Recorder of your own."
            )
        return Recorder.to(self._target, None)

    def run(self, **begun: Unpack[BeginFields]) -> RunRecording:
        """A run that begins, for an `async with` block around what the agent does; see `Setright.run`."""
        return self.recorder.run(**begun)

    async def close(self) -> None:
        """Send the runs that are recorded and not sent yet, as far as that goes at once, and close the connections.

        May be called twice.
        """
        if "recorder" in self.__dict__:
            await asyncio.to_thread(self.recorder.close)
        await self.sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
