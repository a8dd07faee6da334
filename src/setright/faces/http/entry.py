"""Where users sign in and set passwords: what is sent there, read as strictly as everywhere, and from where it comes."""

from typing import Any, TypeVar

from setright.app.assemble import RunningApp
from setright.faces.http.doors import Doors, check_media_type
from setright.faces.http.parameters import Parameters
from setright.faces.http.request import Request
from setright.faces.http.route import Nothing
from setright.faces.http.show import One, path_to
from setright.faces.http.wire import sessions
from setright.identity import NewPassword, NewSession
from setright.kernel import json
from setright.kernel.answer import Answer
from setright.kernel.errors import fault_at, refuse_faults
from setright.kernel.fields import Input, validate

Body = TypeVar("Body", bound=Input)
MOST_BYTES = 32 * 1024
_NO_QUERY = Parameters(Nothing)
_SHOW: One = One(
    sessions.issued_session,
    status=201,
    location=lambda made: path_to("sessions", made.session.id),
    secret=True,
)


class Entry:
    """The way in without a token. Nothing is kept under an Idempotency-Key here: every answer holds a secret."""

    def __init__(self, app: RunningApp, doors: Doors) -> None:
        self._signing_in = app.signing_in
        self._doors = doors
        self._most = min(MOST_BYTES, app.settings.max_body_bytes)

    async def sign_in(self, request: Request) -> Answer:
        """A session for an address and a password."""
        wanted = await self._read(request, NewSession)
        return _SHOW.answer(await self._signing_in.sign_in(wanted, self._doors.address_of(request)))

    async def set_password(self, request: Request) -> Answer:
        """A session for a new password, by an invitation or by the old one."""
        wanted = await self._read(request, NewPassword)
        return _SHOW.answer(await self._signing_in.set_password(wanted, self._doors.address_of(request)))

    async def _read(self, request: Request, model: type[Body]) -> Body:
        if request.has_body:
            check_media_type(request)
        request.check_length(self._most)
        raw = await request.body(self._most)
        _NO_QUERY.read(request.query)
        if not raw:
            raise refuse_faults([fault_at("", "is empty", "a JSON object")])
        body: Any = json.read(raw)
        return validate(model, body)
