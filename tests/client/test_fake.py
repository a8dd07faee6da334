"""A client without a server has the verbs of the real one, and answers what a fixture says."""

import asyncio
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from setright.client import (
    AsyncFakeSetright,
    AsyncSetright,
    Called,
    FakeSetright,
    NoAnswer,
    NotFound,
    Setright,
)
from setright.client.verbs import AsyncResource, Resource
from tests.client.samples import CORRECTION, RUN, SUBJECT

ERROR = {"status": 404, "error": {"code": "run-not-found", "message": "There is no such run."}}


def surface(thing: object, before: str = "") -> Iterator[tuple[str, inspect.Signature]]:
    """Everything public that can be called on a client, with its signature."""
    for name in dir(type(thing)):
        one = getattr(type(thing), name)
        if not name.startswith("_") and inspect.isfunction(one):
            yield before + name, inspect.signature(getattr(thing, name))
    for name, inner in vars(thing).items():
        if isinstance(inner, Resource | AsyncResource):
            yield from surface(inner, f"{before}{name}.")


@pytest.mark.parametrize(
    ("real", "fake"),
    [(Setright("http://h", "t"), FakeSetright()), (AsyncSetright("http://h", "t"), AsyncFakeSetright())],
)
def test_a_fake_has_the_surface_of_the_real_client(real: Any, fake: Any) -> None:
    wanted, found = dict(surface(real)), dict(surface(fake))
    assert len(wanted) > 100
    assert set(found) == set(wanted)
    for name, signature in wanted.items():
        assert found[name] == signature, name


def test_calls_are_kept_and_answers_come_from_the_fixture() -> None:
    fake = FakeSetright({"runs.get": RUN, "corrections.create": CORRECTION})
    assert fake.runs.get("run_1").subject.id == SUBJECT["id"]
    assert fake.corrections.create(run_id="run_1", answer="wrong", why="Too late.").status == "with-owner"
    assert fake.calls == [
        Called("runs.get", {"run_id": "run_1"}),
        Called("corrections.create", {"run_id": "run_1", "answer": "wrong", "why": "Too late."}),
    ]


def test_several_answers_come_one_after_the_other_and_the_last_stays() -> None:
    fake = FakeSetright({"runs.get": [ERROR, {**RUN, "status": "running"}, RUN]})
    with pytest.raises(NotFound, match="run-not-found"):
        fake.runs.get("run_1")
    assert [fake.runs.get("run_1").status for _ in range(3)] == ["running", "completed", "completed"]


def test_lists_nested_verbs_and_answers_without_a_body() -> None:
    page = {"data": [RUN], "hasMore": True, "nextCursor": "c"}
    fake = FakeSetright(
        {
            "runs.list": [page, {"data": [{**RUN, "id": "run_2"}], "hasMore": False}],
            "projects.members.remove": None,
        }
    )
    assert [run.id for run in fake.runs.list(limit=1)] == ["run_1", "run_2"]
    fake.projects.members.remove("default", "usr_1")
    assert [called.verb for called in fake.calls] == ["runs.list", "projects.members.remove"]


def test_a_verb_without_an_answer_says_what_to_write() -> None:
    with pytest.raises(NoAnswer, match=r"me was called, and the fixture answers runs\.get"):
        FakeSetright({"runs.get": RUN}).me()


def test_what_can_never_be_sent_is_refused_as_by_the_real_client() -> None:
    with pytest.raises(ValueError, match="run_id"):
        FakeSetright({"runs.get": RUN}).runs.get("..")


def test_a_fixture_stands_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"runs.get": RUN}))
    assert FakeSetright(file).runs.get("run_1").id == FakeSetright(str(file)).runs.get("run_1").id == "run_1"
    file.write_text("[]")
    with pytest.raises(ValueError, match="is no fixture"):
        FakeSetright(file)


def test_recorded_runs_are_kept_and_nothing_is_written_or_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SETRIGHT_DATA_FOLDER", str(tmp_path))
    monkeypatch.setenv("SETRIGHT_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("SETRIGHT_TOKEN", "t")
    with FakeSetright() as fake:
        with fake.run(agent="refunds", version="v1", input={"order": 7}, run_id="own-1") as run:
            fake.recorder.tool(abs)(-7)
            run.answer("done")
        assert (fake.recorder.flush(1), fake.recorder.waiting) == (0, 0)
    (recorded,) = fake.recorded
    assert (recorded["id"], recorded["input"], recorded["answer"]) == ("own-1", {"order": 7}, "done")
    assert [(call["tool"], call["result"]) for call in recorded["calls"]] == [("abs", 7)]
    assert list(tmp_path.iterdir()) == []


def test_the_asynchronous_fake_does_the_same() -> None:
    async def ask() -> list[str]:
        page = {"data": [RUN], "hasMore": False}
        async with AsyncFakeSetright({"runs.list": page, "runs.get": RUN}) as fake:
            found = [run.id async for run in fake.runs.list()]
            async with fake.run(flow="nightly", version="1"):
                found.append((await fake.runs.get("run_1")).id)
            assert [called.verb for called in fake.calls] == ["runs.list", "runs.get"]
            assert len(fake.recorded) == 1
            return found

    assert asyncio.run(ask()) == ["run_1", "run_1"]
