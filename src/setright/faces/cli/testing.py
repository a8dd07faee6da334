"""The command that holds a version of an agent against the corrections, and says what is newly wrong."""

import contextlib
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from setright.client import Setright, TestRun, VersionChange
from setright.client.runner.agent import Agent, AgentNotUsable, named
from setright.client.runner.endpoint import Endpoint
from setright.client.runner.judged import Judgement, fixed_now, judgement
from setright.client.runner.reports import junit, markdown
from setright.client.runner.running import How, Progress, Ran, Runner
from setright.faces.cli import names
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import Cannot, No
from setright.faces.cli.judgements import tell
from setright.faces.cli.options import Project, Since, ago
from setright.faces.cli.out import Out
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Hold a version of an agent against the corrections.")
INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class What:
    """What is tested: a version of an agent or flow in a project, or a test run that was begun before."""

    subject: Annotated[
        str | None, typer.Option(metavar="NAME", help="The agent that is tested; with --flow a flow.")
    ] = None
    flow: Annotated[bool, typer.Option("--flow", help="The subject is a flow.")] = False
    project: Project = None
    version: Annotated[str | None, typer.Option(metavar="VERSION", help="The version that is tested.")] = None
    test_run: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="Work on this test run instead of beginning one, beside others or after them."
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Which:
    """Which corrections are tested; left out, all that stand."""

    status: Annotated[
        list[str] | None, typer.Option(help="Only in this status; may be given several times.")
    ] = None
    sorted_to: Annotated[
        Literal["improve", "developer", "owner"] | None, typer.Option(help="Only sorted to this desk.")
    ] = None
    corrector_group: Annotated[
        str | None, typer.Option(metavar="GROUP", help="Only under this corrector group, by id or name.")
    ] = None
    since: Since = None
    correction: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Only this correction; may be given several times."),
    ] = None
    sample: Annotated[
        float | None,
        typer.Option(metavar="SHARE", help="A share of the corrected runs, such as 0.1; always the same."),
    ] = None


@dataclass(frozen=True, slots=True)
class Work:
    """Who does the cases, and how."""

    agent: Annotated[
        str | None,
        typer.Option(
            metavar="MODULE:FUNCTION",
            help="What is called with each case (and with tools, if it takes them), found from this folder on.",
        ),
    ] = None
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="What each case is posted to, instead of a function.")
    ] = None
    header: Annotated[
        list[str] | None,
        typer.Option(metavar="'NAME: VALUE'", help="A header for the endpoint; may be given several times."),
    ] = None
    concurrency: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="How many cases at a time.")
    ] = 1
    repeat: Annotated[int, typer.Option(min=1, max=20, metavar="K", help="How often each case is tried.")] = 1
    timeout: Annotated[float, typer.Option(min=0.001, metavar="SECONDS", help="For each case.")] = 300.0


@dataclass(frozen=True, slots=True)
class Then:
    """What is done with what came out."""

    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it as JUnit XML.")] = None
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it as Markdown.")] = None
    deploy: Annotated[
        bool, typer.Option("--deploy", help="Deploy the version when nothing is newly wrong.")
    ] = False


@command(app, "test", OF_LEDGER)
def test(desk: Desk, what: What, work: Work, which: Which, then: Then) -> None:
    """Hold a version of an agent against the corrections: each corrected run is done again by it, and judged.

    setright test --agent my_agent:answer --subject support --project default --version v2

    Ends with 0 when something was evaluated and nothing is wrong that was fixed before, with 1 when something is, when
    nothing was evaluated or when the agent failed in a case, and with 2 when it could not run. Ctrl-C hands in what is
    done; --test-run goes on with the rest.
    """
    _check(then)
    agent = _agent(work)
    client = desk.client
    if then.deploy:
        _may_deploy(client)
    test_run = _begun(client, what, which, work)
    right_before = fixed_now(client, test_run)
    ran = _run(desk.out, client, agent, test_run, work)
    if ran.interrupted:
        _tell_interrupted(desk.out, ran)
        raise typer.Exit(INTERRUPTED)
    if ran.test_run.status == "cancelled":
        raise No(f"Test run {ran.test_run.id} was cancelled, so it counts for nothing.", kind="cancelled")
    found = judgement(client, ran.test_run, right_before)
    _write(then, found)
    deployed = _deploy(client, ran.test_run) if then.deploy and found.is_good else None
    tell(desk.out, found, deployed, asked_to_deploy=then.deploy)
    raise typer.Exit(0 if found.is_good else No.code)


def _check(then: Then) -> None:
    """Look at once where reports are to be written, and not when all is done."""
    for file in (then.junit, then.markdown):
        if file is not None and not file.absolute().parent.is_dir():
            raise Cannot(f"There is no folder {file.absolute().parent} for {file}.", kind="file-not-usable")


def _agent(work: Work) -> Agent:
    if (work.agent is None) == (work.endpoint is None):
        raise Cannot(
            "Say who does the cases: --agent or --endpoint, one of them.",
            advice=[
                "--agent my_agent:answer calls a function, --endpoint http://127.0.0.1:9000/ posts to an address"
            ],
            kind="usage",
        )
    if work.header and work.endpoint is None:
        raise Cannot("--header goes with --endpoint.", kind="usage")
    try:
        if work.agent is not None:
            return named(work.agent)
        endpoint = Endpoint(work.endpoint or "", work.timeout, dict(map(_header, work.header or ())))
        endpoint.reach()
        return Agent(endpoint, endpoint.url)
    except AgentNotUsable as error:
        raise Cannot(str(error), kind="agent-not-usable") from error


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise Cannot(f"--header {text!r} is no header; such as 'Authorization: Bearer abc'.", kind="usage")
    return name.strip(), value.strip()


def _may_deploy(client: Setright) -> None:
    """Refuse --deploy before any case is done rather than after all."""
    me = client.me()
    if me.kind == "service" and "admin" not in (me.scopes or ()):
        raise Cannot(
            "--deploy needs a person, and this token is a service's without the scope admin.",
            advice=[
                "test without --deploy, and let a person deploy: setright versions deploy NAME VERSION",
                "or use a user's token, or a service token with the scope admin",
            ],
            kind="permission-denied",
        )


def _begun(client: Setright, what: What, which: Which, work: Work) -> TestRun:
    told = {"--subject": what.subject, "--project": what.project, "--version": what.version}
    if what.test_run is not None:
        narrowed = {f"--{one.name.replace('_', '-')}": getattr(which, one.name) for one in fields(which)}
        extra = [name for name, value in (told | narrowed).items() if value not in (None, [])]
        if extra:
            raise Cannot(f"--test-run says what is tested; leave {extra[0]} out.", kind="usage")
        return client.test_runs.get(what.test_run)
    missing = [name for name, value in told.items() if value is None]
    if missing:
        raise Cannot(f"Say what is tested: {', '.join(missing)} is missing.", kind="usage")
    group = which.corrector_group
    chosen: dict[str, Any] = {
        "status": which.status or None,
        "sorted_to": which.sorted_to,
        "corrector_group_id": None if group is None else names.corrector_group(client, group),
        "since": ago("--since", which.since),
        "ids": which.correction or None,
        "sample": which.sample,
    }
    filtered: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
    return client.test_runs.create(
        project_id=names.project(client, what.project or ""),
        subject={"kind": "flow" if what.flow else "agent", "id": what.subject, "version": what.version},
        repeat=work.repeat,
        filter=filtered or None,
    )


def _run(out: Out, client: Setright, agent: Agent, test_run: TestRun, work: Work) -> Ran:
    subject = test_run.subject
    out.note(f"Test run {test_run.id}: {subject.kind} {subject.id} {subject.version} by {agent.name}")
    how = How(concurrency=work.concurrency, timeout=work.timeout)
    # What an agent prints must not stand among our answers.
    with _bar(f"Testing {subject.version}") as show, contextlib.redirect_stdout(sys.stderr):
        return Runner(client, agent, how, show).run(test_run)


@contextmanager
def _bar(title: str) -> Generator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=16),
        MofNCompleteColumn(),
        TextColumn("{task.fields[said]}"),
    )
    with Bar(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(title, total=None, said="")

        def show(progress: Progress) -> None:
            cases, verdicts = progress.test_run.cases, progress.test_run.verdicts
            said = f"{verdicts.right} right, {verdicts.wrong} wrong, {verdicts.not_evaluated} not evaluated"
            bar.update(task, completed=cases.done, total=cases.total, said=said)

        yield show


def _tell_interrupted(out: Out, ran: Ran) -> None:
    cases = ran.test_run.cases
    out.note(f"Stopped: {cases.done} of {cases.total} cases are done, and what was done is kept.")
    out.note(f"> setright test --test-run {ran.test_run.id} and the same agent go on with the rest")
    out.note(f"> setright test-runs cancel {ran.test_run.id} lets it count for nothing")
    if out.as_json:
        out.document({"interrupted": True, "testRun": dict(ran.test_run.raw)})


def _write(then: Then, found: Judgement) -> None:
    for file, render in ((then.junit, junit), (then.markdown, markdown)):
        if file is not None:
            file.write_text(render(found), encoding="utf-8", errors="replace")


def _deploy(client: Setright, test_run: TestRun) -> VersionChange:
    subject = test_run.subject
    resource = client.flows if subject.kind == "flow" else client.agents
    return resource.deploy(subject.id, subject.version, why=f"nothing was newly wrong in {test_run.id}")
