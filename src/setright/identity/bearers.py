"""Who is let in by what a caller presented: a token, a session, or what an issuer vouches for."""

from setright.identity.model import Authenticated
from setright.identity.queries import authenticate_token
from setright.identity.sessions import authenticate_session
from setright.identity.token_text import Presented
from setright.identity.vouching import authenticate_vouched
from setright.storage import Snapshot


def authenticate(at: Snapshot, presented: Presented) -> Authenticated:
    """Whose this is, with the exact rights now; refuses what is unknown, was ended or is past its time."""
    if presented.vouched is not None:
        return authenticate_vouched(at, presented.vouched)
    if presented.token_id.startswith("ses_"):
        return authenticate_session(at, presented)
    return authenticate_token(at, presented)
