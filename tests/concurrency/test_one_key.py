"""Twenty simultaneous requests with one Idempotency-Key are one request."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from tests.concurrency.wire import Told, Wire, a_run

MANY = 20


def at_once(sends: Sequence[Callable[[], Told]]) -> list[Told]:
    """What each gets when all are sent at the same moment."""
    ready = threading.Barrier(len(sends))

    def send(one: Callable[[], Told]) -> Told:
        ready.wait(20)
        return one()

    with ThreadPoolExecutor(len(sends)) as threads:
        return list(threads.map(send, sends))


def twenty(callers: Sequence[Wire], path: str, body: Any) -> list[Told]:
    """Twenty requests with one key, spread over the callers."""

    def send(number: int) -> Told:
        return callers[number % len(callers)].send("POST", path, body, "one")

    return at_once([partial(send, number) for number in range(MANY)])


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("path", ["/v1/runs", "/v1/corrections", "/v1/runs/batch"])
def test_one_row_and_one_answer_for_all(callers: tuple[Wire, Wire], path: str, processes: int) -> None:
    caller = callers[0]
    bodies = {
        "/v1/runs": a_run(),
        "/v1/runs/batch": {"runs": [a_run(), a_run(input="again")]},
        "/v1/corrections": {"run": a_run(), "answer": "right"},
    }
    told = twenty(callers[:processes], path, bodies[path])
    first = [one for one in told if one.status < 300 and "idempotent-replay" not in one.headers]
    assert len(first) == 1
    for one in told:
        if one.status < 300:
            assert one.content == first[0].content
        else:
            assert one.code == "idempotency-key-in-flight"
            assert one.headers["retry-after"] == "1"
    for who in callers:
        again = who.until_settled("POST", path, bodies[path], "one")
        assert (again.status, again.content) == (first[0].status, first[0].content)
        assert again.headers["idempotent-replay"] == "true"
        assert [again.headers.get(name) for name in ("location", "etag")] == [
            first[0].headers.get(name) for name in ("location", "etag")
        ]
    assert len(caller.all("/v1/runs")) == (2 if path == "/v1/runs/batch" else 1)
    assert len(caller.all("/v1/corrections?includeUnregistered=true")) == (path == "/v1/corrections")


def test_of_twenty_that_ask_for_a_token_one_gets_it_and_no_other_is_made(callers: tuple[Wire, Wire]) -> None:
    caller = callers[0]
    before = len(caller.all("/v1/tokens"))
    told = twenty(callers, "/v1/tokens", {"kind": "service", "name": "agent", "role": "write"})
    assert [one.status for one in told].count(201) == 1
    assert {one.code for one in told} <= {
        None,
        "idempotency-key-in-flight",
        "idempotency-key-replay-withheld",
    }
    assert len(caller.all("/v1/tokens")) == before + 1


def test_of_twenty_with_one_key_and_two_bodies_one_body_counts(callers: tuple[Wire, Wire]) -> None:
    caller = callers[0]
    bodies = [a_run(input="one"), a_run(input="other")]
    told = at_once(
        [
            lambda n=n: callers[n // 2 % 2].until_settled("POST", "/v1/runs", bodies[n % 2], "one")
            for n in range(MANY)
        ]
    )
    assert {one.code for one in told} == {None, "idempotency-key-body-mismatch"}
    assert len({one.content for one in told if one.status == 201}) == 1
    assert len(caller.all("/v1/runs")) == 1


def test_twenty_keys_at_once_are_twenty_requests(callers: tuple[Wire, Wire]) -> None:
    told = at_once(
        [lambda n=n: callers[n % 2].send("POST", "/v1/runs", a_run(input=n), f"key {n}") for n in range(MANY)]
    )
    assert [one.status for one in told] == [201] * MANY
    assert len(callers[0].all("/v1/runs")) == MANY


def test_twenty_that_send_one_run_under_its_own_id_without_a_key_make_one_run(
    callers: tuple[Wire, Wire],
) -> None:
    told = at_once(
        [lambda n=n: callers[n % 2].send("POST", "/v1/runs", a_run(id="own")) for n in range(MANY)]
    )
    assert sorted(one.status for one in told) == [200] * (MANY - 1) + [201]
    assert len({one.json["createdAt"] for one in told}) == 1
    other = at_once(
        [lambda n=n: callers[n % 2].send("POST", "/v1/runs", a_run(id="own", input=n)) for n in range(4)]
    )
    assert [one.code for one in other] == ["run-exists"] * 4
