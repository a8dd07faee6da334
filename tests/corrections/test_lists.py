"""Lists of corrections: every filter, every page, only what the caller may read."""

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from setright import corrections, runs
from setright.corrections import Correction, CorrectionFilters, NewCorrection
from setright.corrections.lists import list_statement
from setright.identity import ProjectNotFound
from setright.kernel.actor import Actor, Role
from setright.kernel.errors import PermissionDenied
from setright.kernel.fields import validate
from setright.kernel.paging import Place
from setright.runs import NewRun
from setright.storage.open import create_or_upgrade
from setright.storage.sqlite import connect
from tests.support.ledger import Ledger, Tenant

WRONG_CALL = {"decisions": "wrong", "mustNotCall": ["refund"]}
WRONG_ANSWER = {"answer": "wrong", "shouldSay": "14 days"}
RIGHT = {"decisions": "right"}


def make(
    ledger: Ledger, actor: Actor, body: dict[str, Any], project: str = "default", **subject: str
) -> Correction:
    named = {"kind": "agent", "id": "Support", "version": "v1", **subject}
    run = {"projectId": project, "subject": named, "input": 1, "output": "30 days"}

    def work(tx: Any) -> Correction:
        run_id = runs.record_run(tx, validate(NewRun, run)).run.id
        return corrections.record_correction(tx, validate(NewCorrection, {"runId": run_id, **body}))

    return ledger.write(work, actor)


def page(ledger: Ledger, actor: Actor, after: Place | None = None, limit: int = 100, **filters: Any) -> Any:
    wanted = CorrectionFilters(**filters)
    return ledger.read(lambda at: corrections.list_corrections(at, wanted, after, limit), actor)


def ids(ledger: Ledger, actor: Actor, **filters: Any) -> list[str]:
    return [made.id for made in page(ledger, actor, **filters).data]


@pytest.fixture
def tenant(ledger: Ledger) -> Tenant:
    return ledger.tenant()


def test_each_filter_keeps_exactly_what_it_names(ledger: Ledger, tenant: Tenant) -> None:
    ledger.project(tenant, "other")
    admin, bob = tenant.admin, ledger.actor(tenant, Role.WRITE)
    call = make(ledger, admin, WRONG_CALL)
    answer = make(ledger, bob, WRONG_ANSWER, version="v2")
    right = make(ledger, admin, RIGHT, project="other", kind="flow", id="nightly")
    guest = make(ledger, admin, {**WRONG_ANSWER, "participantId": "p-1"}, id="SUPPORT ")
    everything = [guest.id, right.id, answer.id, call.id]
    expected: list[tuple[dict[str, Any], list[Correction]]] = [
        ({"project_id": "other"}, [right]),
        ({"run_id": call.run_id}, [call]),
        ({"run_id": call.run_id.removeprefix("run_")}, [call]),
        ({"agent_id": "support"}, [guest, answer, call]),
        ({"agent_id": "Support", "agent_version": "v2"}, [answer]),
        ({"flow_id": "nightly"}, [right]),
        ({"agent_id": "nightly"}, []),
        ({"status": ("open",)}, [guest, answer]),
        ({"status": ("fixed", "with-owner")}, [right, call]),
        ({"status": ("removed",)}, []),
        ({"sorted_to": "owner"}, [call]),
        ({"sorted_to": "improve"}, [answer]),
        ({"decisions": "wrong"}, [call]),
        ({"answer": "wrong"}, [guest, answer]),
        ({"participant_id": "p-1"}, [guest]),
        ({"participant_id": "p-2"}, []),
        ({"made_by": bob.id}, [answer]),
        ({"made_by": bob.id.removeprefix("usr_").lower()}, [answer]),
        ({"made_by": "usr_nobody"}, []),
        ({"corrector_group_id": "grp_1"}, []),
        ({"expert": True}, []),
        ({"since": answer.created_at}, [guest, right, answer]),
        ({"until": answer.created_at}, [call]),
        ({"since": answer.created_at, "until": answer.created_at}, []),
        ({"answer": "wrong", "status": ("open",), "project_id": "default", "made_by": bob.id}, [answer]),
    ]
    assert ids(ledger, admin) == everything
    assert ids(ledger, admin, expert=False) == everything
    for filters, wanted in expected:
        assert ids(ledger, admin, **filters) == [made.id for made in wanted], filters


def test_pages_go_on_where_the_last_one_ended_whatever_comes_in_between(
    ledger: Ledger, tenant: Tenant
) -> None:
    made = [make(ledger, tenant.admin, WRONG_CALL).id for _ in range(7)]
    seen: list[str] = []
    after = None
    while True:
        part = page(ledger, tenant.admin, after, 3)
        seen += [entry.id for entry in part.data]
        make(ledger, tenant.admin, WRONG_CALL)
        if part.next is None:
            break
        after = part.next
    assert seen == list(reversed(made))


def test_only_projects_that_the_caller_may_read_are_listed(ledger: Ledger, tenant: Tenant) -> None:
    ledger.project(tenant, "secret")
    ledger.project(tenant, "shared")
    open_to_bob = [
        make(ledger, tenant.admin, RIGHT, project=name).id for name in ("default", "shared", "default")
    ]
    hidden = make(ledger, tenant.admin, RIGHT, project="secret")
    bob = ledger.actor(tenant, roles={"default": Role.READ, "shared": Role.READ})
    assert ids(ledger, bob) == list(reversed(open_to_bob))
    assert ids(ledger, bob, run_id=hidden.run_id) == []
    assert ids(ledger, ledger.actor(tenant)) == []
    assert ids(ledger, ledger.tenant().admin) == []


def test_an_unknown_project_is_missing_and_a_closed_one_is_denied(ledger: Ledger, tenant: Tenant) -> None:
    ledger.project(ledger.tenant(), "elsewhere")
    with pytest.raises(ProjectNotFound):
        page(ledger, tenant.admin, project_id="elsewhere")
    with pytest.raises(PermissionDenied):
        page(ledger, ledger.actor(tenant), project_id="default")


def test_many_projects_are_listed_as_exactly_as_few(ledger: Ledger, tenant: Tenant) -> None:
    for number in range(40):
        ledger.project(tenant, f"p{number}")
    made = [make(ledger, tenant.admin, RIGHT, project=f"p{number}").id for number in (3, 30, 3, 39)]
    assert ids(ledger, tenant.admin) == list(reversed(made))
    bob = ledger.actor(tenant, roles={f"p{number}": Role.READ for number in range(40) if number != 30})
    assert ids(ledger, bob, status=("fixed", "open")) == [made[3], made[2], made[0]]


def test_a_list_of_one_shape_is_compiled_once() -> None:
    shape = frozenset({"place", "subject_key"})
    assert list_statement(shape, 2, 1) is list_statement(shape, 2, 1)


@pytest.mark.parametrize(
    ("present", "projects", "statuses", "index"),
    [
        ({"place"}, 0, 0, "ix_corrections_page"),
        ({"place"}, 1, 0, "ix_corrections_project"),
        ({"place", "since", "until"}, 1, 0, "ix_corrections_project"),
        ({"place", "since", "until"}, 2, 2, "ix_corrections_status"),
        ({"place"}, 1, 1, "ix_corrections_status"),
        ({"place", "run_id"}, 1, 1, "uq_corrections_current"),
        ({"place", "subject_kind", "subject_key"}, 2, 1, "ix_corrections_subject"),
        ({"place", "participant_key"}, 2, 0, "ix_corrections_participant"),
        ({"made_by_id"}, 2, 0, "ix_corrections_maker"),
        ({"corrector_group_id"}, 0, 1, "ix_corrections_group"),
    ],
)
@pytest.mark.parametrize("admin_of", [None, 2])
def test_on_sqlite_a_list_walks_an_index_in_its_own_order(
    tmp_path: Path, present: set[str], projects: int, statuses: int, index: str, admin_of: int | None
) -> None:
    create_or_upgrade(str(tmp_path / "l.db"))
    text = list_statement(frozenset(present), projects, statuses, admin_of).compiled("sqlite").text
    names = dict.fromkeys(re.findall(r":(\w+)", text))
    with closing(connect(tmp_path / "l.db")) as connection:
        plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {text}", names)]
    by_id = "sqlite_autoindex_corrections_1 (id=?)"
    walks = [step for step in plan if "corrections" in step and "USING" in step and by_id not in step]
    assert walks
    assert all(index in step for step in walks), plan
    assert (
        present & {"run_id"} or projects * statuses > 1 or not any("TEMP B-TREE" in step for step in plan)
    ), plan
