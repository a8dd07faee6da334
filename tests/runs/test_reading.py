"""Reading runs: one in full with its calls in pages, and lists that are narrowed, in order and never leaky."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from setright import runs
from setright.identity import ProjectNotFound
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import InvalidParameter, PermissionDenied
from setright.kernel.fields import validate
from setright.kernel.paging import Place
from setright.runs import RunBatch, RunFilters, RunNotFound
from setright.runs.store import FEW_PROJECTS, page
from setright.storage.address import parse
from setright.storage.sqlite import connect
from tests.runs.support import SUBJECT, call, finish, read, record
from tests.support.ledger import Ledger


def listed(ledger: Ledger, actor: Actor, limit: int = 100, **filters: Any) -> list[str]:
    """The ids of a list, page by page."""
    found: list[str] = []
    after: Place | None = None
    while True:
        shown = ledger.read(
            lambda at, after=after: runs.list_runs(at, RunFilters(**filters), after, limit), actor
        )
        found += [run.id for run in shown.data]
        after = shown.next
        if after is None:
            return found


def test_calls_come_in_pages_by_position(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="r", calls=[call(f"t{number}") for number in range(5)])
    pages = [(0, 2), (2, 2), (4, 2), (3, 2), (5, 2), (2**53, 1)]
    found = [read(ledger, admin, "r", after, limit) for after, limit in pages]
    assert [[one["tool"] for one in part.calls] for part in found] == [
        ["t0", "t1"],
        ["t2", "t3"],
        ["t4"],
        ["t3", "t4"],
        [],
        [],
    ]
    assert [part.calls_next for part in found] == [2, 4, None, None, None, None]


def test_a_run_is_read_by_those_with_a_role_and_missing_for_other_tenants(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    record(ledger, tenant.admin, id="r")
    assert read(ledger, ledger.actor(tenant, Role.READ), "r").run.id == "r"
    with pytest.raises(PermissionDenied):
        read(ledger, ledger.actor(tenant), "r")
    for missing in ("other", "R", "r "):
        with pytest.raises(RunNotFound):
            read(ledger, tenant.admin, missing)
    with pytest.raises(RunNotFound):
        read(ledger, ledger.tenant().admin, "r")


def test_a_list_is_newest_first_and_pages_neither_skip_nor_repeat_under_inserts(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    for number in range(7):
        record(ledger, tenant.admin, id=f"r{number}")
    first = ledger.read(lambda at: runs.list_runs(at, RunFilters(), None, 3), tenant.admin)
    assert [run.id for run in first.data] == ["r6", "r5", "r4"]
    assert all(one.created_at >= other.created_at for one, other in pairwise(first.data))
    record(ledger, tenant.admin, id="late")
    second = ledger.read(lambda at: runs.list_runs(at, RunFilters(), first.next, 3), tenant.admin)
    assert [run.id for run in second.data] == ["r3", "r2", "r1"]
    assert listed(ledger, tenant.admin, limit=1) == ["late", *(f"r{number}" for number in range(6, -1, -1))]


def test_runs_of_one_moment_are_told_apart_by_their_id(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    names = [f"r{number}" for number in range(5)]
    bodies = [{"id": name, "projectId": "default", "subject": SUBJECT} for name in names]
    checked = validate(RunBatch, {"runs": bodies}).checked()
    ledger.write(lambda tx: runs.record_batch(tx, checked), admin)
    assert listed(ledger, admin, limit=2) == names[::-1]


def test_filters_narrow_a_list_and_combine(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    other = ledger.project(tenant, "other")
    sent: dict[str, dict[str, Any]] = {
        "a1": {},
        "a2": {"subject": {**SUBJECT, "version": "v2"}, "output": 1},
        "f": {"subject": {**SUBJECT, "kind": "flow"}, "participantId": "p"},
        "b": {"subject": {**SUBJECT, "id": "Returns"}, "status": "failed", "projectId": other},
    }
    for run_id, changes in sent.items():
        record(ledger, tenant.admin, id=run_id, **changes)
    moment = read(ledger, tenant.admin, "a2").run.created_at
    wanted: list[tuple[dict[str, Any], list[str]]] = [
        ({"project_id": other}, ["b"]),
        ({"agent_id": " BILLING"}, ["a2", "a1"]),
        ({"agent_id": "billing", "agent_version": "v2"}, ["a2"]),
        ({"agent_id": "billing", "agent_version": "V2"}, []),
        ({"agent_id": "returns", "project_id": "default"}, []),
        ({"flow_id": "billing"}, ["f"]),
        ({"status": ("running",)}, ["f", "a1"]),
        ({"status": ("failed", "completed", "failed")}, ["b", "a2"]),
        ({"participant_id": "p"}, ["f"]),
        ({"participant_id": "q"}, []),
        ({"since": moment}, ["b", "f", "a2"]),
        ({"until": moment}, ["a1"]),
        ({"since": moment, "until": moment + 1, "agent_id": "billing", "status": ("completed",)}, ["a2"]),
    ]
    for filters, found in wanted:
        assert listed(ledger, tenant.admin, **filters) == found, filters
        assert listed(ledger, tenant.admin, limit=1, **filters) == found, filters


def test_filters_that_no_run_can_answer_are_refused_by_name(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    for filters, name in [
        ({"agent_version": "v1"}, "agentVersion"),
        ({"flow_id": "a", "agent_version": "v1"}, "agentVersion"),
        ({"flow_id": "a", "agent_id": "a"}, "flowId"),
        ({"status": ("done",)}, "status"),
    ]:
        with pytest.raises(InvalidParameter, match=name):
            listed(ledger, admin, **filters)


def test_a_list_shows_the_projects_that_the_caller_may_read(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    other, third = ledger.project(tenant, "other"), ledger.project(tenant, "third")
    for number, project in enumerate(["default", other, third] * 2):
        record(ledger, tenant.admin, id=f"{project}{number}", projectId=project)
    reader = ledger.actor(tenant, Role.READ)
    both = replace(reader, roles={"default": Role.READ, other: Role.WRITE})
    many = replace(both, roles=both.roles | {f"p{number}": Role.READ for number in range(FEW_PROJECTS)})
    assert listed(ledger, reader) == ["default3", "default0"]
    for actor in (both, many):
        assert listed(ledger, actor) == ["other4", "default3", "other1", "default0"]
        assert listed(ledger, actor, limit=1) == ["other4", "default3", "other1", "default0"]
        assert listed(ledger, actor, project_id=other) == ["other4", "other1"]
    assert listed(ledger, ledger.actor(tenant)) == []
    assert listed(ledger, ledger.tenant().admin) == []
    assert len(listed(ledger, tenant.admin)) == 6
    with pytest.raises(PermissionDenied):
        listed(ledger, reader, project_id=other)
    for actor in (reader, tenant.admin):
        with pytest.raises(ProjectNotFound):
            listed(ledger, actor, project_id="nowhere")


def test_a_finished_run_keeps_its_place_in_a_list(ledger: Ledger) -> None:
    admin = ledger.tenant().admin
    record(ledger, admin, id="a")
    record(ledger, admin, id="b")
    finish(ledger, admin, "a", output=1)
    assert listed(ledger, admin) == ["b", "a"]


@pytest.mark.parametrize(
    ("present", "projects", "index"),
    [
        ((), 0, "ix_runs_page"),
        ((), 1, "ix_runs_project"),
        ((), 3, "ix_runs_project"),
        (("since", "until"), 1, "ix_runs_project"),
        (("since", "until"), 2, "ix_runs_project"),
        (("subject_kind", "subject_key"), 0, "ix_runs_subject"),
        (("subject_kind", "subject_key", "subject_version"), 0, "ix_runs_subject"),
    ],
)
def test_a_list_walks_an_index_from_where_the_page_begins(
    ledger: Ledger, present: tuple[str, ...], projects: int, index: str
) -> None:
    path = parse(ledger.url).path
    if path is None:
        return
    statement = page(frozenset(present), projects, 0).compiled("sqlite")
    values = statement.values | dict.fromkeys(present, "1") | {"tenant_id": "t", "count": 1}
    values |= {"before": 1, "before_key": "x"} | {f"project_{number}": "p" for number in range(projects)}
    connection = connect(path)
    plan = connection.cursor().execute(f"EXPLAIN QUERY PLAN {statement.text}", values).fetchall()
    connection.close()
    steps = [row[3] for row in plan]
    searches = [step for step in steps if step.startswith("SEARCH")]
    assert len(searches) == max(projects, 1)
    assert all(index in step and "created_at" in step for step in searches), steps
    assert not any("SCAN runs" in step for step in steps)
