"""The pytest plugin proper: one test for each correction, which fails with the explanation of its verdict."""

import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Self, cast

import pytest

from setright.client.client import Setright
from setright.client.errors import InvalidRequest, SetrightError
from setright.client.runner.agent import Agent, AgentNotUsable, named
from setright.client.runner.endpoint import Endpoint
from setright.client.runner.judged import AGENT_ERROR, Judged, fixed_now, judgement
from setright.client.runner.running import How, Runner
from setright.client.test_runs import FinishedTestRun, TestRun

_PLUGIN = "setright-corrections"
_TESTED = ("open", "being-fixed", "with-owner", "fixed", "wont-fix")
_MOST_IDS = 1_000
_PLACE = re.compile(r"/filter/ids/(\d+)")


def pytest_configure(config: pytest.Config) -> None:
    """Look at the options at once, so that a wrong one ends the run before anything is collected."""
    config.pluginmanager.register(Corrections(config), _PLUGIN)


class NotRight(Exception):
    """A correction that the tested version got wrong; the message is the explanation."""


class CorrectionTest(pytest.Item):
    """The test that one correction is; `corrections` knows what came out."""

    corrections: "Corrections"

    @classmethod
    def of(cls, session: pytest.Session, correction_id: str, corrections: "Corrections") -> Self:
        """The test of a correction, named by its id."""
        make = cast("Callable[..., Self]", cls.from_parent)
        made = make(session, name=correction_id, nodeid=f"setright::{correction_id}")
        made.corrections = corrections
        made.add_marker("setright")
        return made

    def runtest(self) -> None:
        """Pass, fail or skip by what came out for the correction."""
        found = self.corrections.judged.get(self.name)
        if found is None:
            pytest.skip("left out: it was removed, or its run was erased")
        if found.verdict == "wrong":
            raise NotRight(f"{found.change}: {found.explanation}")
        if found.reason == AGENT_ERROR:
            raise NotRight(found.explanation)
        if found.verdict != "right":
            pytest.skip(found.says)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The explanation alone."""
        return (
            str(excinfo.value)
            if isinstance(excinfo.value, NotRight)
            else super().repr_failure(excinfo, style)
        )

    def reportinfo(self) -> tuple[str, None, str]:
        """Where the test stands in reports."""
        return "setright", None, f"setright::{self.name}"


class Corrections:
    """The test run behind the tests of one process; with xdist all processes work on one that the first one begins."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._handed: Mapping[str, Any] | None = getattr(config, "workerinput", {}).get(_PLUGIN)
        self._hands_out = self._handed is None and config.getoption("dist", "no") != "no"
        self._subject = self._checked_subject()
        self._agent = None if self._hands_out else self._checked_agent()
        self._right_before: frozenset[str] = frozenset()
        self._test_run: TestRun | None = None
        self._known: list[str] = []
        self.judged: dict[str, Judged] = {}
        try:
            self._client = Setright(timeout=30)
        except SetrightError as error:
            raise pytest.UsageError(f"--setright: {error}") from None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a process of xdist which test run to work on, and which tests there are."""
        with _told():
            if self._test_run is None:
                self._begin(self._listed())
            node.workerinput[_PLUGIN] = {
                "testRunId": self._test_run.id if self._test_run else "",
                "corrections": self._known,
                "rightBefore": sorted(self._right_before),
            }

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add a test for each correction."""
        with _told():
            self._known = self._listed() if self._handed is None else list(self._handed["corrections"])
        items += [CorrectionTest.of(session, known, self) for known in self._known]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Do the cases of the tests that were chosen, before the first of them."""
        chosen = [item.name for item in session.items if isinstance(item, CorrectionTest)]
        if not chosen or self._agent is None or session.config.option.collectonly or session.testsfailed:
            return
        with _told():
            if self._handed is None:
                self._begin(chosen)
            else:
                self._test_run = self._client.test_runs.get(self._handed["testRunId"])
                self._right_before = frozenset(self._handed["rightBefore"])
            if self._test_run is None:
                return
            ran = Runner(self._client, self._agent, self._how()).run(self._test_run)
            if ran.interrupted:
                raise KeyboardInterrupt
            found = judgement(self._client, ran.test_run, self._right_before)
            self.judged = {one.correction_id: one for one in found.judged}

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail where nothing was evaluated at all, although nothing failed."""
        ended = self._ended()
        if ended is not None and ended.status == "failed" and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say which test run it was, and what follows from it."""
        ended = self._ended()
        if ended is not None:
            terminalreporter.section("setright")
            verdicts = ended.verdicts
            counted = (
                f"{verdicts.right} right, {verdicts.wrong} wrong, {verdicts.not_evaluated} not evaluated"
            )
            terminalreporter.line(f"test run {ended.id} is {ended.status}: {counted}")
            more = ended.failure.message if ended.failure else ended.says
            if more:
                terminalreporter.line(more)

    def pytest_unconfigure(self) -> None:
        """Close the connections."""
        self._client.close()

    def _option(self, name: str) -> Any:
        return self._config.getoption(f"setright_{name}")

    def _checked_subject(self) -> Mapping[str, str]:
        missing = [f"--setright-{name}" for name in ("project", "version") if not self._option(name)]
        if missing:
            raise pytest.UsageError(f"--setright needs {' and '.join(missing)}.")
        agent, flow = self._option("subject"), self._option("flow")
        if bool(agent) == bool(flow):
            raise pytest.UsageError("--setright needs --setright-subject or --setright-flow, one of them.")
        kind, name = ("agent", agent) if agent else ("flow", flow)
        return {"kind": kind, "id": name, "version": self._option("version")}

    def _checked_agent(self) -> Agent:
        function, url = self._option("agent"), self._option("endpoint")
        if bool(function) == bool(url):
            raise pytest.UsageError("--setright needs --setright-agent or --setright-endpoint, one of them.")
        try:
            return named(function) if function else Agent(Endpoint(url, self._option("timeout")), url)
        except AgentNotUsable as error:
            raise pytest.UsageError(f"--setright: {error}") from None

    def _how(self) -> How:
        return How(concurrency=self._option("concurrency"), timeout=self._option("timeout"))

    def _listed(self) -> list[str]:
        """The corrections that can be tested, newest first."""
        listed = self._client.corrections.list(
            project_id=self._option("project"),
            agent_id=self._option("subject"),
            flow_id=self._option("flow"),
            status=self._option("status") or _TESTED,
            limit=100,
        )
        self._known = [one.id for one in listed]
        return self._known

    def _begin(self, chosen: list[str]) -> None:
        """Begin a test run of the chosen corrections, if there are any; those that are no cases are left out."""
        status = self._option("status")
        some = {"ids": chosen} if len(chosen) < len(self._known) and len(chosen) <= _MOST_IDS else {}
        try:
            self._test_run = self._create({**some, **({"status": status} if status else {})})
        except InvalidRequest as refused:
            left = _without(chosen, refused)
            if left is None:
                raise
            self._test_run = self._create({"ids": left}) if left else None
        if self._test_run is not None:
            self._right_before = fixed_now(self._client, self._test_run)

    def _create(self, filtered: Mapping[str, Any]) -> TestRun:
        return self._client.test_runs.create(
            project_id=self._option("project"),
            subject=self._subject,
            filter=filtered or None,
            repeat=self._option("repeat"),
        )

    def _ended(self) -> FinishedTestRun | None:
        """The test run, once it has ended; None in a process that was handed it."""
        if self._test_run is None or self._handed is not None:
            return None
        with suppress(SetrightError):
            return self._client.test_runs.finish(self._test_run.id)
        return None


def _without(chosen: list[str], refused: InvalidRequest) -> list[str] | None:
    """The chosen ids but those that were refused; None where something else was."""
    places = [_PLACE.fullmatch(fault.pointer or "") for fault in refused.faults]
    if not places or None in places:
        return None
    gone = {int(place[1]) for place in places if place is not None}
    return [one for number, one in enumerate(chosen) if number not in gone]


@contextmanager
def _told() -> Generator[None]:
    """End the whole run with a sentence where the server refuses or cannot be reached."""
    try:
        yield
    except SetrightError as error:
        pytest.exit(f"setright: {error}", returncode=2)
