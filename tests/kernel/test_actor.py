"""What a caller may do in the whole tenant: it takes the role, and a token that was not made for one purpose."""

import pytest

from setright.kernel.actor import SCOPES, Actor, Role
from setright.kernel.errors import Refusal


def caller(role: Role | None, *scopes: str, **more: Role) -> Actor:
    return Actor("ten_1", "user", "usr_1", "tok_1", frozenset(scopes), more, role)


@pytest.mark.parametrize(
    ("actor", "code"),
    [
        (caller(None, *SCOPES, default=Role.ADMIN), "permission-denied"),
        (caller(Role.WRITE, *SCOPES), "permission-denied"),
        (caller(Role.ADMIN, *(scope for scope in SCOPES if scope != "admin")), "scope-missing"),
        (caller(Role.ADMIN), "scope-missing"),
    ],
)
def test_who_has_less_than_the_whole_is_refused(actor: Actor, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        actor.require_admin()
    assert refused.value.code == code


def test_an_admin_with_the_scope_is_let_through() -> None:
    caller(Role.ADMIN, "admin").require_admin()
