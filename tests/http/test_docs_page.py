"""The page at /docs: what it explains, and how it says it."""

import re
from typing import Any

import pytest

from setright.faces.http.docs_page import page
from setright.faces.http.openapi import document
from setright.faces.http.route import Route
from setright.faces.http.table import ROUTES
from tests.http.support import Api

DOCUMENT = document(ROUTES)
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
OPERATIONS = [operation for item in DOCUMENT["paths"].values() for operation in item.values()]


def reached_from(name: str) -> set[str]:
    """An object of the document, and every object that it names."""
    found, left = set[str](), [name]
    while left:
        here = left.pop()
        if here not in found:
            found.add(here)
            left += re.findall(r"#/components/schemas/(\w+)", str(SCHEMAS[here]))
    return found


BODIES = {route.body.__name__ for route in ROUTES if isinstance(route, Route) and route.body is not None}


@pytest.mark.parametrize("model", sorted(set().union(*map(reached_from, BODIES))))
def test_every_field_that_can_be_sent_is_explained(model: str) -> None:
    bare = [name for name, field in SCHEMAS[model]["properties"].items() if not field.get("description")]
    assert bare == []


def test_every_parameter_but_those_of_the_path_is_explained() -> None:
    bare = [
        (operation["operationId"], parameter["name"])
        for operation in OPERATIONS
        for parameter in operation.get("parameters", [])
        if parameter["in"] != "path" and not parameter.get("description")
    ]
    assert bare == []


def test_recording_a_correction_says_where_it_goes_and_what_it_replaces() -> None:
    words = DOCUMENT["paths"]["/v1/corrections"]["post"]["description"]
    for promise in ("`with-owner`", "recorded-right", "supersedes", "copy", "authenticated caller", "write"):
        assert promise in words


def test_the_page_begins_with_what_people_come_for() -> None:
    assert [operation["operationId"] for operation in OPERATIONS][:2] == ["recordRun", "listRuns"]
    assert [tag["name"] for tag in DOCUMENT["tags"]][:2] == ["runs", "corrections"]


def test_the_page_is_written_for_people(lone_api: Api) -> None:
    text = lone_api.client.get("/docs").text
    for odd in ("DESIGN", ".:", "(1–)", "  </"):  # noqa: RUF001
        assert odd not in text, odd
    for words in ("string (1 or more)", "object (at most 100)", "Only with decisions wrong"):
        assert words in text, words


def test_what_comes_from_the_document_is_never_markup() -> None:
    evil = "<b>&`x`</b>"
    made = page(
        {
            "info": {"title": evil, "version": evil, "description": evil},
            "paths": {
                f"/{evil}": {"get": {"operationId": evil, "tags": [evil], "summary": evil, "responses": {}}}
            },
            "components": {"schemas": {evil: {"description": evil, "properties": {evil: {"enum": [evil]}}}}},
        }
    ).decode()
    assert "<b>" not in made
