"""The way to a model: nothing but the operator's address is called, within a size and a time, and the key stays secret."""

import asyncio
import gzip
import json
import threading
from typing import Any

import pytest

from setright.outside import ChatTrouble
from setright.outside.chat import ChatEndpoint
from tests.support.model import Model, a_model, completion

ASKED = [("system", "Be plain."), ("user", "Say it.")]
KEY = "key-of-a-test"


def says(url: str, seconds: float = 10, key: str = "") -> str:
    """What the model at an address says."""
    return asyncio.run(ChatEndpoint(url, "small", key, seconds).say(ASKED))


def trouble(url: str, seconds: float = 10) -> str:
    """The word for what went wrong."""
    with pytest.raises(ChatTrouble) as raised:
        says(url, seconds, KEY)
    assert KEY not in repr(raised.value)
    assert raised.value.__cause__ is None
    return raised.value.word


def test_what_a_model_says() -> None:
    with a_model(lambda _: "It is said.") as model:
        assert says(model.url, key=KEY) == "It is said."
        headers, body = model.sent[0]
    assert body == {
        "model": "small",
        "messages": [{"role": "system", "content": "Be plain."}, {"role": "user", "content": "Say it."}],
        "stream": False,
    }
    assert headers["authorization"] == f"Bearer {KEY}"


def test_without_a_key_none_is_sent() -> None:
    with a_model(lambda _: "Yes.") as model:
        assert says(f"{model.url}/") == "Yes."
        assert "authorization" not in model.sent[0][0]


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with a_model(lambda _: "Stolen.") as other:
        to = {"location": f"{other.url}/chat/completions"}
        with a_model(lambda _: (status, to, b"")) as model:
            assert trouble(model.url) == "down"
        assert other.sent == []


def test_no_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with a_model(lambda _: "Proxied.") as proxy, a_model(lambda _: "Direct.") as model:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert says(model.url) == "Direct."
        assert proxy.sent == []


@pytest.mark.parametrize("status", [201, 204, 400, 401, 429, 500, 503])
def test_a_model_that_does_not_answer_is_down(status: int) -> None:
    with a_model(lambda _: (status, {}, completion("No."))) as model:
        assert trouble(model.url) == "down"


def test_nobody_at_the_address_is_down() -> None:
    model = Model()
    model.close()
    assert trouble(model.url) == "down"


def test_a_model_that_takes_too_long_is_slow() -> None:
    enough = threading.Event()

    def slowly(_: dict[str, Any]) -> str:
        enough.wait(20)
        return "Late."

    with a_model(slowly) as model:
        assert trouble(model.url, 0.2) == "slow"
        enough.set()


def test_a_model_that_never_ends_is_cut_off() -> None:
    with a_model(lambda _: completion("x" * 1_000_000)) as model:
        assert trouble(model.url) == "huge"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"no JSON",
        b"[]",
        b"{}",
        b"null",
        b'{"choices": []}',
        b'{"choices": [{"message": {}}]}',
        b'{"choices": [{"message": {"content": null}}]}',
        b'{"choices": [{"message": {"content": " "}}]}',
        b'{"choices": [{"message": {"content": ["a"]}}]}',
        b'{"choices": {"0": 1}}',
        b"\xff\xfe",
        b"[" * 100_000,
        completion("a\0b"),
    ],
    ids=range(14),
)
def test_what_has_not_the_form_of_an_answer_is_garbage(raw: bytes) -> None:
    with a_model(lambda _: raw) as model:
        assert trouble(model.url) == "garbage"


def test_a_compressed_answer_is_not_unpacked() -> None:
    bomb = gzip.compress(json.dumps({"choices": ["x" * 50_000_000]}).encode())
    with a_model(lambda _: (200, {"content-encoding": "gzip"}, bomb)) as model:
        assert trouble(model.url) == "garbage"


def test_the_key_is_in_no_text_of_the_endpoint() -> None:
    assert KEY not in repr(ChatEndpoint("https://host.example/v1", "small", KEY, 1))
