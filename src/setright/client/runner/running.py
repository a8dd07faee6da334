"""The loop of a runner: cases are claimed, done side by side, and handed in, until the test run has ended."""

import queue
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from setright.client.client import Setright
from setright.client.errors import Conflict, SetrightError
from setright.client.replay import RecordedTools
from setright.client.runner.agent import Agent
from setright.client.runner.doing import Doer
from setright.client.runner.handing_in import MOST_SENT, Result, chunks, hand_in
from setright.client.runner.outcome import Outcome, came_of, failed
from setright.client.test_runs import TestCase, TestRun

LEASE_SECONDS = 60
_MOST_CLAIMED = 50
_SOON = 0.5
_PATIENCE = 1.0


@dataclass(frozen=True)
class How:
    """How a runner works: so many cases at a time, each for at most `timeout` seconds, claimed for `lease_seconds`."""

    concurrency: int = 1
    timeout: float = 300.0
    lease_seconds: int = LEASE_SECONDS


@dataclass(frozen=True)
class Progress:
    """How far a test run is, and how many cases of it this runner did; `failed` of them gave no result."""

    test_run: TestRun
    did: int
    failed: int


@dataclass(frozen=True)
class Ran:
    """How a runner ended: the test run as it was then, and whether it was interrupted before the end."""

    test_run: TestRun
    did: int
    failed: int
    given_up: int
    interrupted: bool


@dataclass
class _Attempt:
    case: TestCase
    lease: str
    tools: RecordedTools
    until: float = 0.0
    give_up: Callable[[], None] = field(default=lambda: None)


@dataclass
class _Lease:
    """Cases that were claimed together: those without a result yet, and when the lease is to be renewed."""

    left: set[str]
    renew_at: float


class Runner:
    """Does the cases of one test run with an agent; only the thread that calls `run` speaks to the server.

    Others may work on the same test run. Whatever the agent does, each case that it began gets a result, and what was
    claimed and not begun is claimed by somebody else once the lease ends.
    """

    def __init__(
        self,
        client: Setright,
        agent: Agent,
        how: How | None = None,
        show: Callable[[Progress], object] | None = None,
    ) -> None:
        self._client = client
        self._how = how or How()
        self._show = show
        self._doer = Doer(agent)
        self._waiting: deque[_Attempt] = deque()
        self._doing: dict[str, _Attempt] = {}
        self._ended: queue.SimpleQueue[tuple[_Attempt, object, BaseException | None]] = queue.SimpleQueue()
        self._results: list[Result] = []
        self._leases: dict[str, _Lease] = {}
        self._sent_at = self._claimed_at = self._claim_again_at = 0.0
        self._claims = self._how.concurrency
        self._did = self._failed = 0

    def run(self, test_run: TestRun) -> Ran:
        """Work until the test run has ended; Ctrl-C hands in what is done, and gives the rest back to be claimed again."""
        interrupted = False
        try:
            while test_run.status == "running":
                test_run = self._round(test_run)
        except KeyboardInterrupt:
            interrupted = True
            self._take_what_ended()
            test_run = self._hand_in(test_run)
            self._give_back(test_run.id)
        finally:
            for attempt in self._doing.values():
                attempt.give_up()
            self._doer.close()
        return Ran(test_run, self._did, self._failed, self._doer.given_up, interrupted)

    def _round(self, test_run: TestRun) -> TestRun:
        now = time.monotonic()
        if not self._waiting and len(self._doing) < self._how.concurrency and now >= self._claim_again_at:
            test_run = self._claim(test_run)
        while self._waiting and len(self._doing) < self._how.concurrency:
            self._start(self._waiting.popleft())
        self._wait()
        if self._results and (self._is_time_to_send() or not (self._doing or self._waiting)):
            test_run = self._hand_in(test_run)
        self._renew(test_run.id)
        return test_run

    def _claim(self, test_run: TestRun) -> TestRun:
        """Claim some cases: as many as are done at a time, and more where they are done quickly."""
        now = time.monotonic()
        quick = now - self._claimed_at < _PATIENCE
        self._claims = min(_MOST_CLAIMED, 2 * self._claims) if quick else self._how.concurrency
        self._claimed_at = now
        found = self._client.test_runs.claim(
            test_run.id, n=min(self._claims, _MOST_CLAIMED), seconds=self._how.lease_seconds
        )
        if found.lease is None:
            self._claim_again_at = now + _PATIENCE
        else:
            self._leases[found.lease] = _Lease({case.id for case in found.cases}, self._renew_at())
            self._waiting += [
                _Attempt(case, found.lease, RecordedTools.of(case, found.effects)) for case in found.cases
            ]
        return self._shown(replace(test_run, status=found.status))

    def _start(self, attempt: _Attempt) -> None:
        attempt.until = time.monotonic() + self._how.timeout
        self._doing[attempt.case.id] = attempt

        def ended(returned: object, error: BaseException | None) -> None:
            self._ended.put((attempt, returned, error))

        attempt.give_up = self._doer.start(attempt.case, attempt.tools, ended)

    def _wait(self) -> None:
        """Wait until a case is done, or until something is due; then give up what took too long."""
        if not self._doing:
            if not (self._waiting or self._results):
                time.sleep(max(0.0, self._claim_again_at - time.monotonic()))
            return
        due = [attempt.until for attempt in self._doing.values()]
        due += [lease.renew_at for lease in self._leases.values()]
        due += [self._sent_at + _SOON] if self._results else []
        due += [self._claim_again_at] if len(self._doing) < self._how.concurrency else []
        try:
            ended = self._ended.get(timeout=max(0.0, min(due) - time.monotonic()))
        except queue.Empty:
            pass
        else:
            self._take(*ended)
        self._take_what_ended()
        now = time.monotonic()
        for attempt in [one for one in self._doing.values() if one.until <= now]:
            attempt.give_up()
            seconds = f"{self._how.timeout:g} s"
            self._keep(attempt, failed(f"it did not come to an end within {seconds}", attempt.tools))

    def _take_what_ended(self) -> None:
        with suppress(queue.Empty):
            while True:
                self._take(*self._ended.get_nowait())

    def _take(self, attempt: _Attempt, returned: object, error: BaseException | None) -> None:
        if self._doing.get(attempt.case.id) is attempt:
            self._keep(attempt, came_of(returned, error, attempt.tools))

    def _keep(self, attempt: _Attempt, outcome: Outcome) -> None:
        del self._doing[attempt.case.id]
        self._did += 1
        self._failed += "error" in outcome
        self._results.append({"caseId": attempt.case.id, "lease": attempt.lease, **outcome})

    def _is_time_to_send(self) -> bool:
        return len(self._results) >= MOST_SENT or time.monotonic() >= self._sent_at + _SOON

    def _hand_in(self, test_run: TestRun) -> TestRun:
        """Hand in what is done; what is refused because of what it says is handed in again as a failure."""
        while self._results:
            chunk = next(chunks(self._results))
            sent = hand_in(self._client, test_run, chunk)
            test_run = sent.test_run
            self._results = [*self._results[len(chunk) :], *sent.again]
            self._failed += len(sent.again)
            self._forget(chunk)
        self._sent_at = time.monotonic()
        return self._shown(test_run)

    def _forget(self, results: Sequence[Result]) -> None:
        """What was handed in needs its lease no more."""
        for result in results:
            lease = self._leases.get(result["lease"])
            if lease is not None:
                lease.left.discard(result["caseId"])
                if not lease.left:
                    del self._leases[result["lease"]]

    def _renew(self, test_run_id: str) -> None:
        """Keep leases that have run for a third of their time; cases of one that is lost are somebody else's."""
        now = time.monotonic()
        for name, lease in list(self._leases.items()):
            if lease.renew_at > now:
                continue
            try:
                self._client.test_runs.renew(test_run_id, name, seconds=self._how.lease_seconds)
                lease.renew_at = self._renew_at()
            except Conflict:
                self._leave(name)

    def _give_back(self, test_run_id: str) -> None:
        """Let every lease end within a second, so that whoever goes on need not wait."""
        for name in self._leases:
            with suppress(SetrightError):
                self._client.test_runs.renew(test_run_id, name, seconds=1)

    def _leave(self, lease: str) -> None:
        del self._leases[lease]
        self._waiting = deque(one for one in self._waiting if one.lease != lease)
        for case_id, attempt in list(self._doing.items()):
            if attempt.lease == lease:
                attempt.give_up()
                del self._doing[case_id]

    def _renew_at(self) -> float:
        return time.monotonic() + self._how.lease_seconds / 3

    def _shown(self, test_run: TestRun) -> TestRun:
        if self._show is not None:
            self._show(Progress(test_run, self._did, self._failed))
        return test_run
