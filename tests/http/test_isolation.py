"""With another tenant's id in any place of any route everything is as if nobody had that id: words, status, and work.

Two strangers to a tenant do the same; one knows the tenant's ids, the other ids of the same shape that nobody has.
"""

from typing import Any

import pytest

from setright.faces.http.route import Route
from setright.faces.http.table import ROUTES
from tests.http.places import (
    BODIES,
    BODY_WORDS,
    OTHER_BODIES,
    PATHS,
    QUERIES,
    QUERY_WORDS,
    Where,
    fields_of,
    places_of,
    request_of,
    request_with,
)
from tests.http.strangers import SECRET, Stranger, Strangers, counted, strangers
from tests.http.support import Api

MINE = [route for route in ROUTES if isinstance(route, Route)]
# A word of a text is named within the text, whose id stands before it.
OTHER_MEANING = {("interpretToken", "tokenId")}
PLACES = [where for route in MINE for where in places_of(route)]


@pytest.fixture(scope="module")
def those(api: Api) -> Strangers:
    """Strangers who make nothing under names that they know, on each engine."""
    return strangers(api)


@pytest.fixture(scope="module")
def makers(api: Api) -> Strangers:
    """Strangers who do, so that such a name may be one of theirs from then on."""
    return strangers(api)


def asked(stranger: Stranger, route: Route, path: str, body: Any) -> tuple[Any, list[str]]:
    """The answer to a request, and the statements that it took."""
    caller = stranger.caller
    caller.get("/v1/me")
    with counted() as statements:
        answer = caller.send(
            route.method, path, body, headers={"if-match": "*"} if route.method == "PATCH" else {}
        )
        caller.app.store.write(lambda tx: None).result(20)
    return answer, statements


def alike(those: Strangers, route: Route, mine: tuple[str, Any], other: tuple[str, Any]) -> Any:
    """The answer to the one who knows the ids, which is the answer to the one who knows nobody's."""
    answer, statements = asked(those.first, route, *mine)
    twin, statements_of_twin = asked(those.second, route, *other)
    assert answer.status_code == twin.status_code
    assert statements == statements_of_twin
    those.check(f"{mine[0]} {mine[1]}", answer.text, twin.text)
    return answer


def test_every_place_for_an_id_is_known() -> None:
    paths = {name for route in MINE for name in route.parameters}
    queries = {field.alias or name for route in MINE for name, field in route.query.model_fields.items()}
    bodies = {name for route in MINE for name in fields_of(route)}
    assert paths == set(PATHS)
    assert queries == {*QUERIES, *QUERY_WORDS}
    assert bodies == {*BODIES, *(name for _, name in OTHER_BODIES), *BODY_WORDS}


def walked(those: Strangers, where: Where) -> Any:
    """The answer to a request with something foreign in one place, which is looked at and not refused for its form."""
    first, second = those.first, those.second
    mine = request_with(where, first.own, first.knows)
    answer = alike(those, where.route, mine, request_with(where, second.own, second.knows))
    assert "invalid-parameter" not in answer.text
    assert "invalid-body" not in answer.text or " the id of " in answer.text, answer.text
    return answer


@pytest.mark.parametrize("where", [where for where in PLACES if not where.makes], ids=str)
def test_an_id_of_another_tenant_in_one_place(those: Strangers, where: Where) -> None:
    answer = walked(those, where)
    if where.part == "path" and (where.route.name, where.name) not in OTHER_MEANING:
        assert answer.status_code == 404, answer.text


@pytest.mark.parametrize("where", [where for where in PLACES if where.makes], ids=str)
def test_an_id_of_another_tenant_in_one_field_of_a_body(makers: Strangers, where: Where) -> None:
    walked(makers, where)


@pytest.mark.parametrize("route", MINE, ids=lambda route: route.name)
def test_ids_of_another_tenant_in_every_place(makers: Strangers, route: Route) -> None:
    first, second = makers.first, makers.second
    alike(makers, route, request_of(route, first.knows), request_of(route, second.knows))


@pytest.mark.parametrize(
    "route",
    [route for route in MINE if route.method == "GET" and not route.parameters],
    ids=lambda route: route.name,
)
def test_a_list_shows_nothing_of_another_tenant(api: Api, those: Strangers, route: Route) -> None:
    shown = api.tenant().get(route.path).text
    assert "theirs-" not in shown
    assert SECRET not in shown
    assert [value for value in those.secrets if value in shown] == []
