"""Every command that changes something, by people and tokens with less than it takes: it says no, and changes nothing.

What a command takes is what its requests take, which are seen when somebody sends them who may.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from setright.faces.cli.in_process import InProcess
from setright.faces.http.route import Route
from setright.faces.http.table import ROUTES
from tests.cli.at_desk import sitting
from tests.cli.lines import MACHINE, Command, every_command, line_of
from tests.cli.test_isolation_of_commands import folder
from tests.http.conftest import api, database_url, lone, lone_api
from tests.http.rights import STEPS, People, everything, has_scope, need_of, people
from tests.http.support import Api, Caller

__all__ = ["api", "database_url", "folder", "lone", "lone_api"]
COMMANDS = [command for command in every_command() if command.name not in MACHINE]
ONLY_READ = """
    corrections-agreement corrections-list corrections-show corrections-summary corrections-waiting group-list
    group-show jobs-list jobs-show knowledge-annotation knowledge-interpret knowledge-list knowledge-runs
    knowledge-search knowledge-show knowledge-summary legal-hold-list lessons-list lessons-show limits openapi
    project-list project-member-list reads-list retention-list retention-passing retention-run retention-show review-items
    review-list review-show rules-export rules-list runs-list runs-show scholars-claims scholars-list scholars-show
    sessions-list test-runs-list test-runs-show test-runs-summary test-runs-verdicts token-list user-list
    versions-history versions-running tools-list
""".split()  # noqa: SIM905
WRITING = [command for command in COMMANDS if command.name not in ONLY_READ]
NOT_SO = {"lessons-duplicate", "lessons-reopen", "lessons-retire", "lessons-verify", "scholars-approve"}
"""What the thing that was made is not ready for, so that even who may is told no."""
BY_ITSELF = {"import": "recordRun"}
"""What sends no request but does in this process what a route does."""
SAYS_NO = {"permission-denied", "scope-missing", "person-needed"}
BESIDE = {"agent-not-found", "flow-not-found", "review-claim-not-found"}
"""What else somebody is told who may not see it; see the walk of the routes."""


@pytest.fixture(scope="module")
def those(api: Api) -> People:
    """The people of one tenant, on each engine."""
    return people(api.tenant())


@contextmanager
def seen(command: Command) -> Iterator[list[Route]]:
    """The routes that a command asks to change something meanwhile."""
    found = [
        route for route in ROUTES if isinstance(route, Route) and route.name == BY_ITSELF.get(command.name)
    ]
    send = InProcess.handle_request

    def noting(self: InProcess, request: httpx2.Request) -> httpx2.Response:
        found.extend(route for route in ROUTES if isinstance(route, Route) and _is_of(route, request))
        return send(self, request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InProcess, "handle_request", noting)
        yield found


def _is_of(route: Route, request: httpx2.Request) -> bool:
    parts, asked = route.path.split("/"), request.url.path.split("/")
    fits = len(parts) == len(asked) and all(
        one.startswith("{") or one == other for one, other in zip(parts, asked, strict=True)
    )
    return fits and route.method == request.method != "GET"


every = pytest.mark.parametrize("command", WRITING, ids=lambda command: command.name)


@every
def test_who_may_is_told_yes(lone: Caller, folder: Path, command: Command) -> None:
    those = people(lone)
    with sitting(lone, folder) as run, seen(command) as routes:
        told = run(command.words, line_of(command, those.made))
    assert routes
    assert told.code == 0 or command.name in NOT_SO, told
    assert not SAYS_NO & {code_in(told.out)}


@every
def test_less_than_it_takes_is_told_no(those: People, folder: Path, command: Command) -> None:
    line = line_of(command, those.made)
    with sitting(those.by_name["nobody"], folder) as run, seen(command) as routes:
        before = everything(those.owner)
        answers = {"nobody": run(command.words, line)}
    needs = {need_of(route) for route in routes}
    callers = {name: those.by_name[name] for need in needs for name in STEPS[need]}
    for route in routes:
        if has_scope(route):
            callers |= those.without(route.does.scope)
            before = everything(those.owner)
    for name, caller in callers.items():
        with sitting(caller, folder) as run:
            answers[name] = run(command.words, line)
    assert everything(those.owner) == before
    for name, told in answers.items():
        assert told.code in (1, 2), (name, told)
        assert code_in(told.out) in SAYS_NO | BESIDE, (name, told)


def code_in(out: str) -> str:
    """The code of the error in what a command printed, and of the first that it printed of several."""
    told = json.loads(out)
    if not isinstance(told, dict):
        return ""
    error = told.get("error") or next((one["error"] for one in told.get("results", ()) if "error" in one), {})
    return error.get("code", "")
