"""The identity room: who calls, what they may do, and in which projects of which tenant."""

from setright.identity.errors import AuthExpired, AuthInvalid, AuthMissing, AuthRevoked
from setright.identity.model import Authenticated, Bootstrapped
from setright.identity.operations import bootstrap, create_tenant
from setright.identity.queries import authenticate
from setright.identity.token_text import Presented, present

__all__ = [
    "AuthExpired",
    "AuthInvalid",
    "AuthMissing",
    "AuthRevoked",
    "Authenticated",
    "Bootstrapped",
    "Presented",
    "authenticate",
    "bootstrap",
    "create_tenant",
    "present",
]
