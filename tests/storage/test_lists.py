"""Paging by place: whatever is inserted meanwhile, what was there is seen once, in order, and nothing twice."""

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import bindparam, select

from setright.identity.tables import projects
from setright.kernel.paging import Cursors, Page, Place, page_of
from setright.storage import Row, Snapshot, Sql, Tx, insert
from setright.storage.lists import before, page_values
from tests.support.ledger import Ledger, Tenant

P = projects.c
PAGE = Sql(
    select(P.created_at, P.id)
    .where(P.tenant_id == bindparam("tenant_id"), before(P.created_at, P.id))
    .order_by(P.created_at.desc(), P.id.desc())
    .limit(bindparam("count"))
)
ADD = insert(projects)
CURSORS = Cursors(b"secret")

# Few moments, so that many share one; ids whose order differs between byte order and a language's order.
rows = st.tuples(st.integers(1, 4), st.text("aB_-\u00e9Z1\U0001f600\ufb33", min_size=1, max_size=3))
waves = st.lists(st.sets(rows, max_size=6), min_size=1, max_size=6)


def read_page(ledger: Ledger, tenant: Tenant, after: Place | None, limit: int) -> Page[tuple[int, str]]:
    """One page of the tenant's projects."""

    def read(at: Snapshot) -> Page[tuple[int, str]]:
        found = at.all(PAGE, tenant_id=tenant.id, **page_values(after, limit))
        return page_of(found, limit, lambda row: Place(row["created_at"], row["id"]), key_of)

    return ledger.read(read)


def key_of(row: Row) -> tuple[int, str]:
    """A row as a pair."""
    return row["created_at"], row["id"]


def add(ledger: Ledger, tenant: Tenant, wave: set[tuple[int, str]], known: set[tuple[int, str]]) -> None:
    """Insert what is new of a wave."""
    taken = {name for _, name in known}
    fresh = {name: moment for moment, name in wave if name not in taken}

    def work(tx: Tx) -> None:
        for name, moment in fresh.items():
            tx.run(ADD, tenant_id=tenant.id, id=name, name=name, created_at=moment, updated_at=moment)

    ledger.write(work)
    known |= {(moment, name) for name, moment in fresh.items()}


@settings(max_examples=40, deadline=None)
@given(waves, st.integers(1, 5))
def test_pages_neither_skip_nor_repeat_while_others_insert(
    ledger: Ledger, inserted: list[set[tuple[int, str]]], limit: int
) -> None:
    tenant = ledger.tenant()
    known = {
        key_of(row)
        for row in ledger.read(lambda at: at.all(PAGE, tenant_id=tenant.id, **page_values(None, 9)))
    }
    add(ledger, tenant, inserted[0], known)
    at_first, seen, after = set(known), list[tuple[int, str]](), None
    for wave in [*inserted[1:], *([set()] * 50)]:
        page = read_page(ledger, tenant, after, limit)
        assert len(page.data) <= limit
        seen += page.data
        if page.next is None:
            break
        after = CURSORS.read("projects", CURSORS.make("projects", page.next))
        add(ledger, tenant, wave, known)
    assert seen == sorted(set(seen), reverse=True)
    assert at_first <= set(seen) <= known


def test_a_list_of_nothing_and_a_list_that_fits_exactly_have_no_next_page(ledger: Ledger) -> None:
    tenant = ledger.tenant()
    assert read_page(ledger, tenant, None, 1).next is None
    assert read_page(ledger, tenant, Place(0, ""), 1).data == []
    add(ledger, tenant, {(1, "a")}, set())
    assert read_page(ledger, tenant, None, 2).next is None
    assert read_page(ledger, tenant, None, 1).next is not None
