"""How long content is kept is set by admins, and by nobody else."""

from typing import Any

import pytest

from setright import events, retention
from setright.kernel.actor import Role
from setright.kernel.errors import ChangedMeanwhile, InvalidBody, PermissionDenied
from setright.kernel.fields import validate
from setright.retention import NewProjectRetention, NewTenantRetention, Passing
from tests.retention.keeping import Keeping


def told(keeping: Keeping, project_id: str = "default") -> dict[str, int]:
    """How long content of a project is kept."""
    return dict(keeping.proving.ask(lambda at: retention.get_project_retention(at, project_id)).days)


def test_nothing_is_set_at_first_and_everything_is_kept(keeping: Keeping) -> None:
    keeping.run()
    keeping.grows_old(30_000)
    assert told(keeping) == {}
    assert keeping.passed().counts == {}


def test_what_is_left_out_stays_and_null_lifts(keeping: Keeping) -> None:
    assert keeping.keep_all(outputs=3, interactions=4).days == {"outputs": 3, "interactions": 4}
    assert keeping.keep_all(interactions=None).days == {"outputs": 3}
    assert told(keeping) == {}


def test_a_longer_retention_says_that_it_brings_nothing_back(keeping: Keeping) -> None:
    assert keeping.keep(runs=30).longer == []
    assert keeping.keep(runs=10).longer == []
    assert keeping.keep(runs=11).longer == ["runs"]
    assert keeping.keep(runs=None).longer == ["runs"]


def test_the_same_again_changes_nothing_and_tells_nothing(keeping: Keeping) -> None:
    first = keeping.keep(runs=30)
    again = keeping.keep(runs=30)
    assert again.updated_at == first.updated_at
    assert keeping.proving.story("default") == ["retention.changed"]


def test_who_knows_an_older_state_is_refused(keeping: Keeping) -> None:
    keeping.keep(runs=30)
    new = validate(NewProjectRetention, {"runs": 3})
    with pytest.raises(ChangedMeanwhile):
        keeping.proving.do(lambda tx: retention.set_project_retention(tx, "default", new, [0]))
    assert told(keeping) == {"runs": 30}


def test_an_admin_of_the_project_sets_its_own_and_nothing_of_the_tenant(keeping: Keeping) -> None:
    ledger, tenant = keeping.proving.ledger, keeping.proving.tenant
    ledger.project(tenant, f"other-{tenant.id}")
    own = ledger.actor(tenant, Role.ADMIN)
    keeping.keep(runs=5, by=own)
    with pytest.raises(PermissionDenied):
        keeping.keep(f"other-{tenant.id}", runs=5, by=own)
    with pytest.raises(PermissionDenied):
        keeping.keep_all(outputs=5, by=own)
    with pytest.raises(PermissionDenied):
        keeping.keep(runs=4, by=ledger.actor(tenant, Role.WRITE))
    with pytest.raises(PermissionDenied):
        keeping.proving.do(retention.begin_passing, own)


@pytest.mark.parametrize("days", [{}, {"runs": 0}, {"runs": 36_501}, {"runs": 1.5}])
def test_days_are_whole_and_bounded(days: dict[str, Any]) -> None:
    with pytest.raises(InvalidBody):
        validate(NewProjectRetention, days)


def test_sessions_are_never_remembered_for_longer_than_ninety_days() -> None:
    assert validate(NewTenantRetention, {"briefings": 90}).briefings == 90
    with pytest.raises(InvalidBody):
        validate(NewTenantRetention, {"briefings": 91})


def test_a_passing_comes_every_day_and_not_before_a_day_is_over(keeping: Keeping) -> None:
    keeping.run()
    keeping.grows_old(10)
    keeping.keep(runs=5)
    keeping.keep(runs=6)
    keeping.proving.work()
    assert passings(keeping) == []
    for count in (1, 0):
        keeping.a_day_goes_by()
        keeping.proving.work()
        newest = passings(keeping)[0]
        assert (newest.asked_by_id, newest.state) == ("ledger", "done")
        assert newest.counts == ({"runs": count} if count else {})
    assert len(passings(keeping)) == 2


def passings(keeping: Keeping) -> list[Passing]:
    """The passings so far, newest first."""
    return list(keeping.proving.ask(lambda at: retention.list_passings(at, None, 10)).data)


def test_the_feed_of_the_project_tells_what_was_cut(keeping: Keeping) -> None:
    keeping.run()
    keeping.grows_old(10)
    keeping.keep(runs=5)
    keeping.passed()
    feed = keeping.proving.ask(lambda at: events.feed(at, 0, 100, "default")).data
    assert [(one.kind, list(one.changed)) for one in feed][-2:] == [
        ("retention.changed", ["runs"]),
        ("retention.cut", ["runs"]),
    ]
