"""One call from start to commit: what happens around the operation, and what is said when the database fails."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from setright.app import reactions
from setright.app.catalog import Operation
from setright.app.keys import key_of
from setright.app.perform import Call
from setright.app.reactions import Reaction
from setright.identity import present
from setright.kernel.answer import Answer
from setright.kernel.errors import Refusal, StorageUnavailable, invalid
from setright.kernel.events import Event
from setright.storage import Tx
from tests.http.conftest import new_sqlite
from tests.http.support import Api, Caller, a_run, error_of, open_api


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """An application whose writer may be held."""
    opened = open_api(new_sqlite(tmp_path_factory.mktemp("perform")))
    yield opened
    opened.close()


Perform = Callable[..., Answer]


@pytest.fixture
def perform(own: Api) -> Perform:
    """Performs an operation of the test's own, in a new tenant, under a key if one is given."""
    token = present(own.tenant().token)
    caller = own.app.store.read(lambda at: own.app.callers.read(at, token)).result(20)

    def run(verb: Callable[[Tx], Any], key: bytes | None = None, fault: Refusal | None = None) -> Answer:
        def arguments() -> dict[str, Any]:
            if fault is not None:
                raise fault
            return {}

        stored = key_of(caller.actor, "POST", b"/", b"", key, b"") if key else None
        operation = Operation("of-a-test", "", verb)
        call = Call(operation, arguments, caller, lambda _: Answer(200, b"done"), stored)
        return asyncio.run(own.app.performer.perform(call))

    return run


def fail_at_the_end(_: Tx) -> None:
    raise StorageUnavailable("a disk error", 5, outcome_known=False)


@pytest.mark.parametrize("key", [None, b"k"])
def test_trouble_after_the_key_was_claimed_is_never_told_as_nothing_ran(
    perform: Perform, key: bytes | None
) -> None:
    with pytest.raises(StorageUnavailable, match="is not known") as caught:
        perform(fail_at_the_end, key)
    assert caught.value.code == "storage-unavailable"
    assert caught.value.retry_after == 5


@pytest.mark.parametrize(
    ("key", "code"), [(None, "storage-unavailable"), (b"k", "idempotency-store-unavailable")]
)
def test_a_faulty_body_is_not_judged_while_the_database_cannot_be_read(
    own: Api, perform: Perform, monkeypatch: pytest.MonkeyPatch, key: bytes | None, code: str
) -> None:
    def gone(*_: Any) -> None:
        raise StorageUnavailable("gone", 5)

    monkeypatch.setattr("setright.app.perform.look_up", gone)
    with pytest.raises(Refusal) as caught:
        perform(lambda _: None, key, invalid("/x", "is faulty"))
    assert (caught.value.code, caught.value.retry_after) == (code, 5)


def test_a_request_whose_twin_waits_in_this_process_is_told_so_at_once(own: Api) -> None:
    caller, body = own.tenant(), a_run()
    held, go_on = threading.Event(), threading.Event()

    def hold(_: Tx) -> None:
        held.set()
        go_on.wait(30)

    holding = own.app.store.write(hold)
    assert held.wait(20)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(caller.keyed, "k", "/v1/runs", body)
        try:
            wait_until_queued(own)
            twin = caller.keyed("k", "/v1/runs", body)
            other = caller.keyed("k", "/v1/runs", a_run(output="another"))
        finally:
            go_on.set()
        holding.result(20)
        assert first.result(20).status_code == 201
    for told in (twin, other):
        error_of(told, 409, "idempotency-key-in-flight")
        assert int(told.headers["retry-after"]) >= 1
    assert caller.keyed("k", "/v1/runs", body).content == first.result().content


def wait_until_queued(own: Api) -> None:
    """Wait until a write stands behind the one that holds the writer."""
    for _ in range(2000):
        if own.app.store.figures()["write_queue_depth"]:
            return
        threading.Event().wait(0.01)
    raise AssertionError("no write was queued")


def announcing(kind: str) -> tuple[Reaction, ...]:
    def announce(tx: Tx, told: Sequence[Event]) -> None:
        for one in told:
            tx.announce(Event(kind, "test", one.subject_id, "default"))

    return (Reaction(announce),)


def seen(caller: Caller) -> list[str]:
    return [event["kind"] for event in caller.get("/v1/events?limit=100&projectId=default").json()["data"]]


def test_a_reaction_and_what_it_announces_belong_to_the_same_transaction(
    own: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    caller = own.tenant()
    chain = {"run.finished": announcing("test.first"), "test.first": announcing("test.second")}
    monkeypatch.setattr(reactions, "REACTIONS", chain)
    caller.run()
    assert seen(caller)[-3:] == ["run.finished", "test.first", "test.second"]


def test_a_reaction_gets_all_events_of_its_kind_at_once(own: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    caller, told = own.tenant(), list[list[str]]()
    note = Reaction(lambda _, ended: told.append([event.subject_id for event in ended]))
    monkeypatch.setattr(reactions, "REACTIONS", {"run.finished": (note,)})
    caller.post(
        "/v1/runs/batch", {"runs": [a_run(id="one"), {**a_run(), "output": 1, "no": 1}, a_run(id="two")]}
    )
    assert told == [["one", "two"]]


def test_a_reaction_that_refuses_undoes_everything(own: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    caller = own.tenant()
    before = seen(caller)

    def refuse(*_: Any) -> None:
        raise invalid("/x", "is refused by a reaction")

    monkeypatch.setattr(reactions, "REACTIONS", {"run.finished": (Reaction(refuse),)})
    error_of(caller.post("/v1/runs", a_run(id="undone")), 400, "invalid-body")
    error_of(caller.get("/v1/runs/undone"), 404, "run-not-found")
    assert seen(caller) == before
