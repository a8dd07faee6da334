"""Signing in, on the wire: a session and an invitation with their secrets."""

from pydantic import Field

from setright.faces.http.samples import AT, TENANT, USER, Sample
from setright.faces.http.schemas import Shape, Time, absent
from setright.faces.http.shapes import Wire, present, time
from setright.identity import IssuedInvitation
from setright.identity import IssuedSession as Opened
from setright.identity import Session as Kept
from setright.kernel.clock import to_wire


class Session(Shape):
    """A user who signed in, without the secret."""

    id: str
    tenant_id: str
    user_id: str
    created_at: Time
    seen_at: Time = Field(description="When it was last used, to the minute.")
    idle_until: Time = Field(description="When it ends if nobody uses it again.")
    expires_at: Time = Field(description="When it ends in any case.")
    ended_at: Time = absent("When it was ended.")


class IssuedSession(Session):
    """A session with its secret, which is shown this once: a request sends it as it would send a token."""

    secret: str


class Invitation(Shape):
    """What lets a user set a password, once; its secret is shown this once."""

    id: str
    tenant_id: str
    user_id: str
    secret: str
    created_at: Time
    expires_at: Time


def session(found: Kept) -> Wire:
    """A session without its secret."""
    return present(
        {
            "id": found.id,
            "tenantId": found.tenant_id,
            "userId": found.user_id,
            "createdAt": to_wire(found.created_at),
            "seenAt": to_wire(found.seen_at),
            "idleUntil": to_wire(found.valid_until),
            "expiresAt": to_wire(found.expires_at),
            "endedAt": time(found.ended_at),
        }
    )


def issued_session(made: Opened) -> Wire:
    """A session with its secret."""
    return {**session(made.session), "secret": made.secret}


def invitation(made: IssuedInvitation) -> Wire:
    """An invitation with its secret."""
    given = made.invitation
    return {
        "id": given.id,
        "tenantId": given.tenant_id,
        "userId": given.user_id,
        "secret": made.secret,
        "createdAt": to_wire(given.created_at),
        "expiresAt": to_wire(given.expires_at),
    }


SESSION: Sample = {
    "id": "ses_01KE5MCQ80000000000000000S",
    "tenantId": TENANT,
    "userId": USER["id"],
    "createdAt": AT,
    "seenAt": AT,
    "idleUntil": "2026-01-05T09:00:00.000000Z",
    "expiresAt": "2026-01-12T01:00:00.000000Z",
}
ISSUED_SESSION: Sample = {**SESSION, "secret": "srs_01KE5MCQ80000000000000000S" + "0" * 43 + "000000"}
INVITATION: Sample = {
    "id": "inv_01KE5MCQ80000000000000000J",
    "tenantId": USER["tenantId"],
    "userId": USER["id"],
    "secret": "sri_01KE5MCQ80000000000000000J" + "0" * 43 + "000000",
    "createdAt": AT,
    "expiresAt": "2026-01-06T01:00:00.000000Z",
}
NEW_SESSION: Sample = {"email": USER["email"], "password": "four words that nobody says"}
NEW_PASSWORD: Sample = {"invitation": INVITATION["secret"], "password": NEW_SESSION["password"]}
