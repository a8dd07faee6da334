"""Every route, asked by callers with a role, a scope or a kind one step too small: 403, and nothing is changed."""

from typing import Any

import pytest

from setright.faces.http.route import Route
from setright.faces.http.table import ROUTES
from tests.http.places import request_of
from tests.http.rights import (
    ENOUGH,
    ITS_OWN,
    NEEDS,
    OTHERWISE,
    OWN,
    PERSON,
    PERSON_OR_ADMIN,
    PERSONAL,
    STEPS,
    People,
    everything,
    has_scope,
    is_personal,
    need_of,
    people,
)
from tests.http.support import Api, Caller, error_of

MINE = [route for route in ROUTES if isinstance(route, Route)]
CODES = ("person-needed", "permission-denied", "scope-missing")
IS_SHARED = ("group",)
"""What is the whole tenant's, so that everybody in it may read it."""


@pytest.fixture(scope="module")
def those(api: Api) -> People:
    """The people of one tenant on each engine."""
    return people(api.tenant())


def every(routes: list[Route]) -> Any:
    return pytest.mark.parametrize("route", routes, ids=lambda route: route.name)


def asked(caller: Caller, route: Route, made: dict[str, str]) -> Any:
    path, body = request_of(route, made)
    return caller.send(route.method, path, body, headers={"if-match": "*"} if route.method == "PATCH" else {})


def refused(those: People, route: Route, callers: dict[str, Caller], *codes: str) -> None:
    """Every one of these callers is refused with one of the codes, and afterwards all is as it was."""
    before = everything(those.owner)
    for name, caller in callers.items():
        answer = asked(caller, route, those.made)
        told = answer.json()
        if OTHERWISE.get(route.name, {}).get(name) == "":
            assert answer.status_code == 200, answer.text
            continue
        code = OTHERWISE.get(route.name, {}).get(name) or next(
            iter({told["error"]["code"]} & {*codes}), codes[0]
        )
        error_of(answer, 404 if code.endswith("-not-found") else 403, code)
    assert everything(those.owner) == before


def test_every_route_says_what_it_needs() -> None:
    said = [name for names in NEEDS.values() for name in names.split()]
    assert sorted(said) == sorted(route.name for route in MINE)
    assert {name for names in PERSONAL.values() for name in names.split()} <= set(said)


@every([route for route in MINE if STEPS[need_of(route)]])
def test_a_role_one_step_too_small_is_refused(those: People, route: Route) -> None:
    callers = {name: those.by_name[name] for name in STEPS[need_of(route)]}
    refused(those, route, callers, "permission-denied")


@every([route for route in MINE if has_scope(route)])
def test_a_token_without_the_scope_is_refused(those: People, route: Route) -> None:
    refused(those, route, those.without(route.does.scope), "scope-missing")


@every([route for route in MINE if route.does.scope])
def test_somebody_without_any_role_is_refused(those: People, route: Route) -> None:
    refused(those, route, {"nobody": those.by_name["nobody"]}, "scope-missing")


@every([route for route in MINE if is_personal(route, PERSON)])
def test_what_only_persons_do_is_refused_to_services(those: People, route: Route) -> None:
    callers = {name: those.by_name[name] for name in ("service", "admin's service")}
    refused(those, route, callers, *CODES)


@every([route for route in MINE if is_personal(route, PERSON_OR_ADMIN)])
def test_what_persons_and_admins_do_is_refused_to_other_services(those: People, route: Route) -> None:
    refused(those, route, {"service": those.by_name["service"]}, "permission-denied")


@every([route for route in MINE if need_of(route) == OWN])
def test_what_shows_what_may_be_read_shows_an_outsider_nothing(those: People, route: Route) -> None:
    ids = {value for name, value in those.made.items() if "_" in value and name not in IS_SHARED}
    answer = asked(those.by_name["outsider"], route, those.made)
    assert answer.status_code == 200, answer.text
    assert [one for one in ids if one in answer.text] == []


@every(MINE)
def test_just_what_is_needed_is_enough(lone: Caller, route: Route) -> None:
    those = people(lone)
    who = "owner" if route.name in ITS_OWN else ENOUGH[need_of(route)]
    answer = asked(those.by_name[who], route, those.made)
    assert answer.status_code in (200, 201, 202, 204), answer.text
