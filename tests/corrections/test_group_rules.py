"""Which runs a corrector group covers and who may assert it: rules that hold for everything that can be said."""

from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from setright.corrections.group_model import AssertableBy, Scope
from setright.corrections.group_rules import covers, parts_not_held
from setright.identity import REVIEWER_ROLES

WIRE = {
    "min_reviewer_role": "minReviewerRole",
    "principal_kinds": "principalKinds",
    "principal_ids": "principalIds",
}
projects = st.sampled_from(["default", "other"])
keys = st.sampled_from(["support", "sales"])
ids = st.sampled_from(["usr_1", "usr_2", "tok_1"])
kinds = st.sampled_from(["user", "service"])
roles = st.none() | st.sampled_from(REVIEWER_ROLES)
restrictions = st.builds(
    AssertableBy,
    roles,
    st.none() | st.lists(kinds, min_size=1, unique=True).map(tuple),
    st.none() | st.lists(ids, min_size=1, unique=True).map(tuple),
)


@given(projects, keys, projects, kinds.map({"user": "agent", "service": "flow"}.get), keys)
def test_a_wider_scope_covers_what_a_narrower_one_does(
    of: str, agent: str, project: str, subject_kind: str, key: str
) -> None:
    ran = (project, subject_kind, key)
    agents, whole = Scope("agent", of, agent.upper(), agent), Scope("project", of)
    assert covers(Scope("tenant"), *ran)
    assert covers(whole, *ran) == (project == of)
    assert covers(agents, *ran) == (covers(whole, *ran) and (subject_kind, key) == ("agent", agent))


@given(restrictions, kinds, ids, roles)
def test_a_restriction_holds_when_each_of_its_parts_does(
    by: AssertableBy, kind: str, principal: str, role: str | None
) -> None:
    alone = {
        WIRE[part.name]: parts_not_held(
            replace(AssertableBy(), **{part.name: getattr(by, part.name)}), kind, principal, role
        )
        for part in fields(by)
    }
    assert parts_not_held(by, kind, principal, role) == [name for name, missing in alone.items() if missing]
    assert all(missing in ([], [name]) for name, missing in alone.items())


@given(restrictions, kinds, ids, roles)
def test_what_is_not_set_asks_nothing_and_what_is_set_never_lets_more_in(
    by: AssertableBy, kind: str, principal: str, role: str | None
) -> None:
    assert parts_not_held(AssertableBy(), kind, principal, role) == []
    missing = set(parts_not_held(by, kind, principal, role))
    for part in fields(by):
        lifted = replace(by, **{part.name: None})
        assert set(parts_not_held(lifted, kind, principal, role)) == missing - {WIRE[part.name]}


@given(restrictions, kinds, ids, st.sampled_from(REVIEWER_ROLES))
def test_a_higher_reviewer_role_never_loses_what_a_lower_one_may(
    by: AssertableBy, kind: str, principal: str, role: str
) -> None:
    lower = (None, *REVIEWER_ROLES[: REVIEWER_ROLES.index(role)])
    missing = set(parts_not_held(by, kind, principal, role))
    assert all(missing <= set(parts_not_held(by, kind, principal, less)) for less in lower)


@given(restrictions)
def test_a_restriction_is_read_as_it_was_written(by: AssertableBy) -> None:
    assert AssertableBy.from_wire(by.on_wire()) == by


def test_the_reviewer_roles_rank_from_standard_to_admin() -> None:
    assert REVIEWER_ROLES == ("standard", "senior", "admin")
