"""When and how a call is tried again."""

import ssl
import time
from typing import Any

import httpx2
import pytest

from setright.client import (
    Conflict,
    InvalidRequest,
    RateLimited,
    Refused,
    Retries,
    Setright,
    SetrightError,
    Unavailable,
)
from setright.client.answers import Run
from setright.client.request import Request
from setright.client.retries import Attempts, Lost
from tests.client.conftest import Asker
from tests.client.samples import RUN
from tests.client.told_server import ToldServer

SUBJECT = RUN["subject"]


def record(client: Any) -> Any:
    return client.runs.create(subject=SUBJECT, input={"order": 7})


def test_every_try_of_a_write_sends_the_same_key_and_the_same_bytes(server: ToldServer, ask: Asker) -> None:
    server.hangs_up()
    server.refuses(503, "storage-unavailable")
    server.refuses(409, "idempotency-key-in-flight", retry_after="1")
    server.says(201, RUN)

    assert ask(record).id == "run_1"
    assert len(server.asked) == 4
    assert len({asked.key for asked in server.asked}) == 1
    assert server.asked[0].key
    assert len({asked.body for asked in server.asked}) == 1


def test_the_callers_own_key_is_sent_as_it_is(server: ToldServer, ask: Asker) -> None:
    server.says(201, RUN)
    ask(lambda client: client.runs.create(subject=SUBJECT, key="order-7"))
    assert server.asked[0].key == "order-7"


def test_each_call_has_a_key_of_its_own(server: ToldServer, ask: Asker) -> None:
    server.says(201, RUN)
    server.says(201, RUN)
    ask(record)
    ask(record)
    assert server.asked[0].key != server.asked[1].key


def test_a_read_sends_no_key_and_is_tried_again_as_well(server: ToldServer, ask: Asker) -> None:
    server.hangs_up()
    server.says(200, RUN)
    assert ask(lambda client: client.runs.get("run_1")).id == "run_1"
    assert [asked.key for asked in server.asked] == [None, None]


@pytest.mark.parametrize("key", ["", " a", "a\nb", "é"])
def test_a_key_that_no_header_can_carry_is_refused_before_anything_is_sent(
    server: ToldServer, ask: Asker, key: str
) -> None:
    with pytest.raises(ValueError, match="Idempotency-Key"):
        ask(lambda client: client.runs.create(subject=SUBJECT, key=key))
    assert server.asked == []


def test_retry_after_in_seconds_is_waited_for(server: ToldServer, ask: Asker) -> None:
    server.refuses(429, "rate-limited", retry_after="7")
    server.says(201, RUN)
    ask(record)
    assert 7 <= ask.slept[0] <= 7.5


def test_retry_after_as_a_date_is_counted_from_the_date_of_the_answer(server: ToldServer, ask: Asker) -> None:
    server.refuses(
        503,
        "storage-unavailable",
        date="Mon, 30 Nov 2020 10:00:00 GMT",
        retry_after="Mon, 30 Nov 2020 10:00:09 GMT",
    )
    server.says(201, RUN)
    ask(record)
    assert 9 <= ask.slept[0] <= 9.5


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_passing_failure_is_tried_again_whoever_answers_it(
    server: ToldServer, ask: Asker, status: int
) -> None:
    server.says(status, b"<html>busy</html>", content_type="text/html")
    server.says(201, RUN)
    assert ask(record).id == "run_1"


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "invalid-body"),
        (401, "auth-invalid"),
        (403, "scope-missing"),
        (404, "run-not-found"),
        (409, "run-exists"),
        (409, "idempotency-key-body-mismatch"),
        (409, "idempotency-key-replay-withheld"),
        (410, "run-erased"),
        (412, "changed-meanwhile"),
        (413, "request-too-large"),
        (429, "quota-exceeded"),
        (500, "internal"),
    ],
)
def test_a_lasting_refusal_is_raised_at_once(server: ToldServer, ask: Asker, status: int, code: str) -> None:
    server.refuses(status, code)
    with pytest.raises(Refused) as raised:
        ask(record)
    assert (raised.value.status, raised.value.code, raised.value.tries) == (status, code, 1)
    assert raised.value.key == server.asked[0].key
    assert len(server.asked) == 1
    assert ask.slept == []


def test_a_server_that_never_comes_back_is_unavailable_with_the_cause_and_the_tries(
    server: ToldServer, ask: Asker
) -> None:
    for _ in range(3):
        server.refuses(503, "storage-unavailable", "The database is locked.")
    with pytest.raises(Unavailable, match=r"The database is locked \(tried 3 times\)\.") as raised:
        ask(record, retries=2)
    assert raised.value.tries == len(server.asked) == 3
    assert isinstance(raised.value.cause, Refused)
    assert raised.value.__cause__ is raised.value.cause
    assert raised.value.key == server.asked[0].key


def test_a_call_that_was_given_up_succeeds_later_with_the_key_of_the_error(
    server: ToldServer, ask: Asker
) -> None:
    server.hangs_up()
    with pytest.raises(Unavailable) as raised:
        ask(record, retries=0)
    server.says(201, RUN)
    ask(lambda client: client.runs.create(subject=SUBJECT, input={"order": 7}, key=raised.value.key))
    assert server.asked[0].key == server.asked[1].key
    assert server.asked[0].body == server.asked[1].body


def test_an_address_where_nobody_listens_is_unavailable(ask: Asker, server: ToldServer) -> None:
    server.close()
    with pytest.raises(Unavailable, match="is not available") as raised:
        ask(record, retries=1)
    assert raised.value.tries == 2


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(429, "rate-limited", RateLimited), (409, "idempotency-key-in-flight", Conflict)],
)
def test_a_refusal_that_does_not_pass_in_time_is_raised_as_itself(
    server: ToldServer, ask: Asker, status: int, code: str, kind: type[Refused]
) -> None:
    server.refuses(status, code, retry_after="1")
    server.refuses(status, code, retry_after="1")
    with pytest.raises(kind) as raised:
        ask(record, retries=1)
    assert (raised.value.tries, raised.value.retry_after) == (2, 1.0)


def test_a_wait_beyond_the_total_time_is_not_begun(server: ToldServer, ask: Asker) -> None:
    server.refuses(429, "rate-limited", retry_after="3600")
    with pytest.raises(RateLimited):
        ask(record)
    assert ask.slept == []


def attempts(rule: Retries) -> Attempts:
    return Attempts(Request("GET", "/v1/runs/run_1", Run.read), rule, "http://127.0.0.1:1")


def test_waits_double_up_to_their_limit_and_differ_by_chance() -> None:
    trying = attempts(Retries(count=8, first=1, most=8, seconds=1000))
    waits = [wait for _ in range(8) if isinstance(wait := trying.settle(Lost(OSError("gone"))), float)]
    longest = [1, 2, 4, 8, 8, 8, 8, 8]
    assert all(most / 2 <= wait <= most for wait, most in zip(waits, longest, strict=True))
    assert len(set(waits)) == len(waits)


def test_no_try_starts_after_the_total_time() -> None:
    trying = attempts(Retries(count=1000, seconds=60))
    trying.began = time.monotonic() - 60
    with pytest.raises(Unavailable):
        trying.settle(Lost(OSError("gone")))


class Untrusted(httpx2.BaseTransport):
    """A way to a server whose certificate nobody vouches for."""

    tries = 0

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self.tries += 1
        raise httpx2.ConnectError("certificate verify failed") from ssl.SSLCertVerificationError(
            "self-signed"
        )


def test_a_certificate_that_is_not_trusted_is_not_tried_again() -> None:
    way = Untrusted()
    with pytest.raises(SetrightError, match="certificate verify failed"):
        Setright("https://setright.test", "secret", transport=way).me()
    assert way.tries == 1


def test_a_refusal_after_a_retry_counts_both_tries(server: ToldServer, ask: Asker) -> None:
    server.hangs_up()
    server.refuses(400, "invalid-body")
    with pytest.raises(InvalidRequest) as raised:
        ask(record)
    assert raised.value.tries == 2
