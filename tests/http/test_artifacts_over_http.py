"""Artifacts over HTTP: recorded, extended by another source, listed, read line by line."""

from typing import Any

from tests.http.support import Api, Caller, error_of

ARTIFACTS = "/v1/artifacts"


def a_text(**more: Any) -> dict[str, Any]:
    """The body of a text with one line of two words."""
    words = [{"form": "lu₂-gal#", "clean": "lu₂-gal", "annotations": [{"field": "sense", "value": "king"}]}]
    line = {"label": "3\u2032", "text": "lu₂-gal# x", "tokens": [*words, {"form": "x"}]}
    return {"id": "P/1", "source": "first", "title": "T", "lines": [line], **more}


def recorded(caller: Caller, **more: Any) -> Any:
    answer = caller.post(ARTIFACTS, a_text(**more))
    assert answer.status_code in (200, 201), answer.text
    return answer


def test_a_text_is_recorded_once_and_the_same_again_adds_nothing(api: Api) -> None:
    caller = api.tenant()
    made = recorded(caller)
    assert made.status_code == 201
    assert made.headers["location"] == f"{ARTIFACTS}/P%2F1"
    assert made.json()["annotationRunId"] == 1
    assert made.json()["added"] == {"lines": 1, "tokens": 2, "annotations": 2}
    again = recorded(caller)
    assert again.status_code == 200
    assert again.json() == {
        "artifact": made.json()["artifact"],
        "added": {"lines": 0, "tokens": 0, "annotations": 0},
    }
    found = caller.get(made.headers["location"])
    assert found.json() == made.json()["artifact"]
    assert found.headers["etag"] == made.headers["etag"]


def test_another_source_adds_what_was_not_there(api: Api) -> None:
    caller = api.tenant()
    recorded(caller)
    other = recorded(caller, source="second", licence="CC BY-SA 3.0", attribution="Them").json()
    assert other["annotationRunId"] == 2
    assert other["artifact"]["sources"] == [
        {"source": "first"},
        {"source": "second", "licence": "CC BY-SA 3.0", "attribution": "Them"},
    ]
    assert (other["added"]["lines"], other["added"]["tokens"]) == (0, 0)


def test_lines_come_in_their_order_page_by_page(api: Api) -> None:
    caller = api.tenant()
    lines = [{"label": str(number), "text": f"line {number}"} for number in range(5)]
    recorded(caller, lines=[*lines, {"kind": "ruling", "text": "$ ruling"}])
    texts: list[str] = []
    path = f"{ARTIFACTS}/P%2F1/lines?limit=4"
    page = caller.get(path).json()
    texts += [line["text"] for line in page["data"]]
    assert page["hasMore"]
    page = caller.get(f"{path}&cursor={page['nextCursor']}").json()
    assert (page["hasMore"], page["data"][-1]) == (
        False,
        {"line": 5, "surface": "o", "kind": "ruling", "text": "$ ruling", "source": "first", "tokens": []},
    )
    texts += [line["text"] for line in page["data"]]
    assert texts == [*(f"line {number}" for number in range(5)), "$ ruling"]


def test_a_line_has_its_target_and_its_words_have_their_ids(api: Api) -> None:
    caller = api.tenant()
    recorded(caller)
    (line,) = caller.get(f"{ARTIFACTS}/P%2F1/lines").json()["data"]
    assert (line["target"], line["text"]) == ("o.3'", "lu₂-gal# x")
    assert [(token["id"], token["position"], token["form"], token["clean"]) for token in line["tokens"]] == [
        ("o.3'.1", 1, "lu₂-gal#", "lu₂-gal"),
        ("o.3'.2", 2, "x", "x"),
    ]


def test_artifacts_are_listed_by_source_newest_first(api: Api) -> None:
    caller = api.tenant()
    for name, source in (("a", "first"), ("b", "second"), ("c", "first")):
        recorded(caller, id=name, source=source)
    assert [one["id"] for one in caller.get(ARTIFACTS).json()["data"]] == ["c", "b", "a"]
    assert [one["id"] for one in caller.get(f"{ARTIFACTS}?source=first").json()["data"]] == ["c", "a"]


def test_what_an_artifact_cannot_hold_is_refused_with_every_place(api: Api) -> None:
    caller = api.tenant()
    lines = [{"label": "1.a", "text": "x"}, {"text": "y"}, {"label": "1", "kind": "state", "text": "z"}]
    error = error_of(caller.post(ARTIFACTS, a_text(lines=lines, titel="T")), 400, "invalid-body")
    assert {fault["pointer"] for fault in error["details"]["faults"]} >= {
        "/lines/0/label",
        "/lines/1/label",
        "/lines/2/label",
    }
    error_of(caller.post(ARTIFACTS, a_text(run={"scholarId": 5})), 404, "scholar-not-found")
    error_of(caller.get(f"{ARTIFACTS}/P%2F1"), 404, "artifact-not-found")


def test_another_tenants_artifact_is_not_there(api: Api) -> None:
    recorded(api.tenant())
    other = api.tenant()
    error_of(other.get(f"{ARTIFACTS}/P%2F1"), 404, "artifact-not-found")
    error_of(other.get(f"{ARTIFACTS}/P%2F1/lines"), 404, "artifact-not-found")
    assert other.get(ARTIFACTS).json() == {"data": [], "hasMore": False}


def test_who_may_only_read_knowledge_records_none(api: Api) -> None:
    caller = api.tenant()
    reader = caller.service("read", projectId="default")
    error_of(reader.post(ARTIFACTS, a_text()), 403, "scope-missing")
    assert reader.get(ARTIFACTS).status_code == 200
