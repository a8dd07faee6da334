"""Lists that are walked page by page."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from setright.client import Setright, Unexpected
from tests.client.conftest import Asker
from tests.client.samples import RUN, event
from tests.client.told_server import Asked, ToldServer


def runs(first: int, stop: int) -> list[dict[str, Any]]:
    return [{**RUN, "id": f"run_{number}"} for number in range(first, stop)]


def parameters(asked: Asked) -> dict[str, list[str]]:
    return parse_qs(urlsplit(asked.path).query)


def test_a_list_gives_every_entry_of_every_page_in_order(server: ToldServer, ask: Asker) -> None:
    server.says(200, {"data": runs(0, 3), "nextCursor": "a+/=&", "hasMore": True})
    server.says(200, {"data": [], "nextCursor": "b", "hasMore": True})
    server.says(200, {"data": runs(3, 5), "hasMore": False})
    found = ask(lambda client: client.runs.list(project_id="default", limit=3))
    assert [run.id for run in found] == ["run_0", "run_1", "run_2", "run_3", "run_4"]
    assert [parameters(asked).get("cursor") for asked in server.asked] == [None, ["a+/=&"], ["b"]]
    assert all(parameters(asked)["projectId"] == ["default"] for asked in server.asked)
    assert all(parameters(asked)["limit"] == ["3"] for asked in server.asked)


def test_a_page_that_fails_for_a_moment_is_asked_for_again_and_nothing_is_skipped(
    server: ToldServer, ask: Asker
) -> None:
    server.says(200, {"data": runs(0, 1), "nextCursor": "a", "hasMore": True})
    server.hangs_up()
    server.says(200, {"data": runs(1, 2), "hasMore": False})
    found = ask(lambda client: client.runs.list())
    assert [run.id for run in found] == ["run_0", "run_1"]
    assert server.asked[1].path == server.asked[2].path


def test_one_page_tells_where_the_next_begins(server: ToldServer, ask: Asker) -> None:
    server.says(200, {"data": runs(0, 2), "nextCursor": "a", "hasMore": True, "total": 9})
    page = ask(lambda client: client.runs.page())
    assert ([run.id for run in page.data], page.next_cursor, page.has_more) == (["run_0", "run_1"], "a", True)
    assert page.raw["total"] == 9


def test_a_feed_goes_on_after_the_number_of_its_last_event(server: ToldServer, ask: Asker) -> None:
    server.says(200, {"data": [event(5), event(9)], "hasMore": True})
    server.says(200, {"data": [event(12)], "hasMore": False})
    found = ask(lambda client: client.events.list(after=4, project_id="default"))
    assert [one.seq for one in found] == [5, 9, 12]
    assert [parameters(asked)["after"] for asked in server.asked] == [["4"], ["9"]]


def test_the_history_of_a_correction_is_a_feed_too(server: ToldServer, ask: Asker) -> None:
    server.says(200, {"data": [event(5)], "hasMore": True})
    server.says(200, {"data": [event(6)], "hasMore": False})
    found = ask(lambda client: client.corrections.history("cor_1"))
    assert [one.seq for one in found] == [5, 6]
    assert server.asked[1].path == "/v1/corrections/cor_1/history?after=5"


def test_the_calls_of_a_run_are_walked_page_by_page(server: ToldServer, ask: Asker) -> None:
    calls = [{"tool": f"t{number}", "args": {}} for number in range(5)]
    server.says(200, {**RUN, "calls": calls[:3], "callsNext": 3})
    server.says(200, {**RUN, "calls": calls[3:]})
    found = ask(lambda client: client.runs.calls("run_1", calls_limit=3))
    assert [call.tool for call in found] == ["t0", "t1", "t2", "t3", "t4"]
    assert [parameters(asked)["callsAfter"] for asked in server.asked] == [["0"], ["3"]]


def test_a_list_asks_for_a_page_only_when_it_is_needed(server: ToldServer) -> None:
    server.says(200, {"data": runs(0, 1), "nextCursor": "a", "hasMore": True})
    server.says(200, {"data": runs(1, 2), "hasMore": False})
    with Setright(server.url, "secret") as client:
        walk = client.runs.list()
        assert isinstance(walk, Iterator)
        assert server.asked == []
        next(walk)
        assert len(server.asked) == 1
        next(walk)
        assert len(server.asked) == 2


@pytest.mark.parametrize("cursor", [None, "same"])
def test_a_list_that_goes_on_to_nowhere_or_in_a_circle_is_unexpected(
    server: ToldServer, ask: Asker, cursor: str | None
) -> None:
    for _ in range(2):
        server.says(200, {"data": runs(0, 1), "nextCursor": cursor, "hasMore": True})
    with pytest.raises(Unexpected, match="goes on"):
        ask(lambda client: client.runs.list())


@pytest.mark.parametrize("envelope", [[], {}, {"data": {}}, {"data": [], "nextCursor": 7}, {"data": [7]}])
def test_what_is_no_list_is_unexpected(server: ToldServer, ask: Asker, envelope: Any) -> None:
    server.says(200, envelope)
    with pytest.raises(Unexpected):
        ask(lambda client: client.runs.list())
