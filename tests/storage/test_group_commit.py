"""The SQLite writer: what arrives together is committed together, and each request answers for itself only."""

import asyncio
import threading
from typing import Any

import pytest

from setright.kernel.errors import Refusal, StorageUnavailable
from setright.storage import Tx
from setright.storage.embedded import EmbeddedStore
from setright.storage.sqlite import SqliteSession
from tests.storage import notes
from tests.storage.conftest import Opener
from tests.storage.notes import Held


class TooManyNotes(Refusal):
    """A refusal of some room."""


def refuse_after_writing(name: str) -> Any:
    """Work that writes and then refuses."""

    def work(tx: Tx) -> None:
        notes.add(name)(tx)
        raise TooManyNotes("No more notes.")

    return work


def test_what_arrives_during_a_commit_is_one_group(store: EmbeddedStore) -> None:
    held = Held(store)
    futures = [store.write(notes.add(str(number))) for number in range(10)]
    held.let_go()
    assert [future.result(10) for future in futures] == [str(number) for number in range(10)]
    assert store.figures()["group_sizes"][-1] == 10
    assert store.figures()["writes"] == 11


def test_a_group_has_at_most_64_members(store: EmbeddedStore) -> None:
    held = Held(store)
    futures = [store.write(notes.add(f"{number:03}")) for number in range(150)]
    held.let_go()
    for future in futures:
        future.result(20)
    assert store.figures()["group_sizes"] == [1, 64, 64, 22]
    assert len(store.read(notes.names).result(10)) == 150


@pytest.mark.parametrize("fault", [TooManyNotes("No."), ValueError("a fault of the program")])
def test_a_refused_request_undoes_itself_and_no_other(store: EmbeddedStore, fault: Exception) -> None:
    def work(tx: Tx) -> None:
        notes.add("refused")(tx)
        raise fault

    held = Held(store)
    first, refused, last = store.write(notes.add("a")), store.write(work), store.write(notes.add("b"))
    held.let_go()
    assert (first.result(10), last.result(10)) == ("a", "b")
    with pytest.raises(type(fault)):
        refused.result(10)
    assert store.read(notes.names).result(10) == ["a", "b"]


def test_a_request_that_breaks_a_unique_key_undoes_itself_and_no_other(store: EmbeddedStore) -> None:
    held = Held(store)
    futures = [store.write(notes.add(name)) for name in ("a", "a", "b")]
    held.let_go()
    assert futures[0].result(10) == "a"
    assert futures[1].exception(10) is not None
    assert futures[2].result(10) == "b"


def test_nobody_is_answered_before_the_commit(store: EmbeddedStore) -> None:
    seen: list[list[str]] = []
    future = store.write(notes.add("a"))
    future.add_done_callback(lambda _: seen.append(store.read(notes.names).result(10)))
    future.result(10)
    held = Held(store)
    waiting = store.write(notes.add("b"))
    assert not waiting.done()
    held.let_go()
    waiting.result(10)
    assert seen == [["a"]]


def test_when_a_groups_commit_fails_only_what_fails_alone_is_refused(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = SqliteSession.plain

    def commit_fails_beside_poison(self: SqliteSession, text: str) -> None:
        if (
            text == "COMMIT"
            and self._cursor.execute("SELECT 1 FROM marks WHERE name='note-poison'").fetchone()
        ):
            self._cursor.execute("INSERT INTO no_such_table VALUES (1)")
        plain(self, text)

    held = Held(store)
    futures = {name: store.write(notes.add(name)) for name in ("a", "poison", "b")}
    monkeypatch.setattr(SqliteSession, "plain", commit_fails_beside_poison)
    held.let_go()
    assert isinstance(futures["poison"].exception(10), StorageUnavailable)
    assert [futures[name].result(10) for name in ("a", "b")] == ["a", "b"]
    assert store.read(notes.names).result(10) == ["a", "b"]


def test_a_refusal_stays_a_refusal_when_its_group_is_done_again(
    store: EmbeddedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, left = SqliteSession.plain, [1]

    def first_commit_fails(self: SqliteSession, text: str) -> None:
        if (
            text == "COMMIT"
            and self._cursor.execute("SELECT 1 FROM marks WHERE name='note-a'").fetchone()
            and left
        ):
            left.pop()
            self._cursor.execute("INSERT INTO no_such_table VALUES (1)")
        plain(self, text)

    monkeypatch.setattr(SqliteSession, "plain", first_commit_fails)
    held = Held(store)
    kept, refused = store.write(notes.add("a")), store.write(refuse_after_writing("b"))
    held.let_go()
    assert kept.result(10) == "a"
    assert isinstance(refused.exception(10), TooManyNotes)
    assert store.read(notes.names).result(10) == ["a"]


def test_closing_finishes_what_was_accepted_and_refuses_what_comes_later(open_embedded: Opener) -> None:
    store = open_embedded()
    held = Held(store)
    accepted = [store.write(notes.add(f"{number:02}")) for number in range(70)]
    closing = threading.Thread(target=store.close)
    closing.start()
    held.let_go()
    closing.join(20)
    assert not closing.is_alive()
    assert len([future.result(1) for future in accepted]) == 70
    assert isinstance(store.write(notes.add("late")).exception(5), StorageUnavailable)
    assert isinstance(store.read(notes.names).exception(5), StorageUnavailable)
    assert len(open_embedded().read(notes.names).result(10)) == 70


def test_whatever_is_written_while_the_store_closes_is_kept_or_refused(open_embedded: Opener) -> None:
    for _ in range(20):
        store = open_embedded()
        outcomes: list[Any] = []
        writers = [threading.Thread(target=_write_some, args=(store, outcomes)) for _ in range(4)]
        for writer in writers:
            writer.start()
        store.close()
        for writer in writers:
            writer.join(10)
        assert len(outcomes) == 80
        assert {type(outcome) for outcome in outcomes} <= {str, StorageUnavailable}


def _write_some(store: EmbeddedStore, outcomes: list[Any]) -> None:
    futures = [store.write(lambda tx: "kept") for _ in range(20)]
    outcomes += [future.exception(5) or future.result(5) for future in futures]


def test_an_abandoned_request_harms_nobody(store: EmbeddedStore) -> None:
    held = Held(store)
    futures = [store.write(notes.add(str(number))) for number in range(30)]
    for future in futures[::2]:
        future.cancel()
    held.let_go()
    assert [future.result(10) for future in futures[1::2]] == [str(number) for number in range(1, 30, 2)]
    assert store.write(notes.add("after")).result(10) == "after"


def test_a_coroutine_that_gave_up_and_a_loop_that_ended_harm_nobody(store: EmbeddedStore) -> None:
    async def give_up() -> None:
        waiting = store.write_in_loop(notes.add("given up"), asyncio.get_running_loop())
        waiting.cancel()

    held = Held(store)
    asyncio.run(give_up())
    held.let_go()
    assert store.write(notes.add("after")).result(10) == "after"


def test_many_requests_of_one_loop_get_their_own_outcomes(store: EmbeddedStore) -> None:
    async def all_at_once() -> list[Any]:
        loop = asyncio.get_running_loop()
        works = [notes.add(f"{n:02}") if n % 3 else refuse_after_writing(f"{n:02}") for n in range(60)]
        return await asyncio.gather(
            *[store.write_in_loop(work, loop) for work in works], return_exceptions=True
        )

    outcomes = asyncio.run(all_at_once())
    assert [type(outcome) for outcome in outcomes] == [str if n % 3 else TooManyNotes for n in range(60)]
    assert store.read(notes.names).result(10) == [f"{n:02}" for n in range(60) if n % 3]
