"""What may be sent to the identity room, and how a fault is named."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from setright.identity.model import NewMember, NewProject, NewToken, NewUser, Rotation, Scope, is_label
from setright.kernel.actor import SCOPES
from setright.kernel.errors import Refusal
from setright.kernel.fields import validate

SERVICE = {"kind": "service", "name": "agent", "role": "read"}
ULID = "01JZZZZZZZZZZZZZZZZZZZZZZZ"


def faults(model: Any, body: Any) -> list[str]:
    """Where a body is at fault."""
    with pytest.raises(Refusal) as caught:
        validate(model, body)
    assert all(fault["fault"] for fault in caught.value.details["faults"])
    return [fault["pointer"] for fault in caught.value.details["faults"]]


@pytest.mark.parametrize(
    "name", ["", " ", "\u3000", "a\tb", "a\nb", "a\x7fb", "a\u202eb", "a\u2028b", "x" * 201, 7, None]
)
def test_a_name_is_one_line_that_can_be_read(name):
    assert faults(NewUser, {"name": name}) == ["/name"]
    assert faults(NewProject, {"name": name}) == ["/name"]
    assert faults(NewToken, {**SERVICE, "name": name}) == ["/name"]


@pytest.mark.parametrize("name", ["a", " grace ", "Ядро", "x" * 200, "👩‍💻", "O'Neil; DROP"])
def test_a_name_is_kept_as_it_was_written(name):
    assert validate(NewUser, {"name": name}).name == name


@given(st.text(max_size=210))
def test_a_name_is_taken_exactly_when_it_can_be_looked_up(name):
    try:
        taken = validate(NewUser, {"name": name}).name == name
    except Refusal:
        taken = False
    assert taken == is_label(name)


@pytest.mark.parametrize("email", ["", "grace", "@", "a@", "a\n@b", "x" * 320 + "@b"])
def test_an_email_has_two_ends_and_fits(email):
    assert faults(NewUser, {"name": "grace", "email": email}) == ["/email"]


def test_null_is_absent():
    assert validate(NewUser, {"name": "grace", "email": None, "role": None}) == validate(
        NewUser, {"name": "grace"}
    )


@pytest.mark.parametrize(
    "own_id", ["", "a b", "a/b", ".", "é", "x" * 65, "a\n", ULID, ULID.lower(), f"prj_{ULID}", f"run_{ULID}"]
)
def test_an_own_project_id_is_short_and_not_shaped_like_ours(own_id):
    assert faults(NewProject, {"name": "x", "id": own_id}) == ["/id"]


@pytest.mark.parametrize("own_id", ["a", "-", "_", "x" * 64, "prj_1", "Support-2026", "usr_x"])
def test_other_own_project_ids_are_taken(own_id):
    assert validate(NewProject, {"name": "x", "id": own_id}).id == own_id


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"userId": "usr_1"}, "/userId"),
        ({"role": None}, "/role"),
        ({"role": "owner"}, "/role"),
        ({"scopes": []}, "/scopes"),
        ({"scopes": ["everything"]}, "/scopes/0"),
        ({"scopes": ["admin", "admin"]}, "/scopes"),
        ({"scopes": "admin"}, "/scopes"),
        ({"kind": "robot"}, "/kind"),
        ({"kind": "user"}, "/role"),
        ({"kind": "user", "role": None, "projectId": "default"}, "/projectId"),
        ({"expiresAt": "tomorrow"}, "/expiresAt"),
        ({"expiresAt": "2030-01-01T00:00:00"}, "/expiresAt"),
        ({"expiresAt": "2030-02-30T00:00:00Z"}, "/expiresAt"),
        ({"expiresAt": 1893456000}, "/expiresAt"),
        ({"expiresAt": True}, "/expiresAt"),
        ({"project_id": "default"}, "/project_id"),
    ],
)
def test_a_faulty_token_is_refused_at_its_field(more, where):
    assert faults(NewToken, {**SERVICE, **more}) == [where]


def test_a_tokens_end_is_read_in_any_offset():
    token = validate(NewToken, {**SERVICE, "expiresAt": "2030-01-01T01:00:00.5+01:00"})
    assert token.expires_at == 1_893_456_000_500_000


@pytest.mark.parametrize("minutes", [-1, 1441, 1.5, "10", True])
def test_an_old_secret_is_kept_for_a_day_at_most(minutes):
    assert faults(Rotation, {"keepOldMinutes": minutes}) == ["/keepOldMinutes"]


def test_every_fault_of_a_body_is_named_at_once():
    assert faults(NewMember, {"kind": "x", "id": "", "role": "y", "reviewerRole": "z"}) == [
        "/kind",
        "/id",
        "/role",
        "/reviewerRole",
    ]


def test_the_scopes_of_a_body_are_those_of_the_product():
    assert get_args(Scope) == SCOPES


def test_the_schema_says_what_is_sent_and_not_what_is_kept():
    token = NewToken.model_json_schema()["properties"]
    assert {"type": "string", "format": "date-time"} in token["expiresAt"]["anyOf"]
    assert set(token) == {"kind", "name", "userId", "projectId", "role", "scopes", "expiresAt"}
    assert "pattern" in NewProject.model_json_schema()["properties"]["id"]["anyOf"][0]
