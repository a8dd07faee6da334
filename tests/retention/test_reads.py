"""The log of who read runs goes when it was kept for long enough, names a pseudonym once its reader is erased, and can be held."""

from setright import runs
from setright.kernel.actor import Actor
from setright.kernel.fields import validate
from setright.kernel.paging import Place
from setright.runs import ReadFilters, ReadLogChange, RunRead
from tests.retention.keeping import Keeping


def read(keeping: Keeping, run_id: str, by: Actor | None = None) -> None:
    """Somebody is shown a run of a project that keeps a log."""
    change = validate(ReadLogChange, {"kept": True})
    keeping.proving.do(lambda tx: runs.set_read_log(tx, "default", change))
    keeping.proving.do(lambda tx: runs.read_run(tx, run_id), by)


def logged(keeping: Keeping, after: Place | None = None) -> list[RunRead]:
    """What stands in the log."""
    wanted = ReadFilters("default")
    return list(keeping.proving.ask(lambda at: runs.list_reads(at, wanted, after, 100)).data)


def test_old_reads_go_and_young_ones_stay(keeping: Keeping) -> None:
    run_id = keeping.run()
    read(keeping, run_id)
    keeping.grows_old(10, table="run_reads")
    read(keeping, run_id)
    keeping.keep(reads=5)
    assert keeping.due() == {"reads": 1}
    assert keeping.passed().counts == {"reads": 1}
    assert len(logged(keeping)) == 1


def test_the_content_goes_and_the_log_of_its_reads_stays(keeping: Keeping) -> None:
    run_id = keeping.run()
    read(keeping, run_id)
    keeping.grows_old(10)
    keeping.keep(runs=5, reads=50)
    assert keeping.passed().counts == {"runs": 1}
    keeping.proving.do(lambda tx: runs.read_run(tx, run_id))
    assert [one.run_id for one in logged(keeping)] == [run_id]


def test_reads_of_a_held_run_and_by_a_held_user_are_kept(keeping: Keeping) -> None:
    held, other, user = keeping.run(), keeping.run(None), keeping.user()
    read(keeping, held)
    read(keeping, other, user)
    read(keeping, other)
    keeping.kept(runId=held)
    keeping.kept(userId=user.id)
    keeping.grows_old(10, table="run_reads")
    keeping.keep(reads=5)
    assert keeping.due() == {"reads": 1}
    cut = keeping.cut()
    assert (cut.cut, cut.held) == (1, 2)
    assert {(one.run_id, one.by_id) for one in logged(keeping)} == {
        (held, keeping.admin.id),
        (other, user.id),
    }


def test_an_erased_reader_is_a_pseudonym(keeping: Keeping) -> None:
    user = keeping.user()
    read(keeping, keeping.run(), user)
    done = keeping.erased(userId=user.id)
    assert [one.by_id for one in logged(keeping)] == [done.pseudonym]
    assert keeping.places(user.id) == []


def test_a_run_that_is_looked_up_only_inside_the_ledger_is_not_read(keeping: Keeping) -> None:
    correction = keeping.corrected(keeping.run())
    read(keeping, correction.run_id)
    keeping.taught(fromCorrectionId=correction.id)
    assert len(logged(keeping)) == 1
