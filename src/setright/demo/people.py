"""Who plays in the demo, and where: the rental's app and Mara, each with a token of its own."""

from contextlib import ExitStack
from dataclasses import dataclass

from setright.client import Setright
from setright.demo.wire import Wire

PROJECT = "default"


@dataclass(frozen=True, slots=True)
class People:
    """Who plays: the rental's app, which sends runs, and Mara, who reviews them; each with a token of its own."""

    app: Setright
    mara: Setright
    mara_token: str
    mara_wire: Wire


def people(url: str, admin_token: str, open_clients: ExitStack) -> People:
    """The people of the story, made by the admin of the server at `url`."""

    def client(token: str, wire: Wire) -> Setright:
        return open_clients.enter_context(Setright(url, token, transport=wire))

    admin = client(admin_token, Wire())
    app_token = admin.tokens.create(
        kind="service", name="rental app", project_id=PROJECT, role="write"
    ).secret
    mara = admin.users.create(name="Mara", role="write")
    mara_token = admin.tokens.create(kind="user", name="Mara's desk", user_id=mara.id).secret or ""
    wire = Wire()
    return People(client(app_token or "", Wire()), client(mara_token, wire), mara_token, wire)
