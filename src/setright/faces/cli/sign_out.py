"""The command that ends the session which `setright sign-in` opened."""

from setright.client import NotAuthenticated, Setright
from setright.faces.cli import kept_session
from setright.faces.cli.desk import Desk
from setright.faces.cli.failures import No
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Sign out of a server.")


@command(app, "sign-out", OF_LEDGER)
def sign_out(desk: Desk) -> None:
    """End your session at a server (SETRIGHT_URL or --url), and forget it here."""
    url = desk.url
    secret = None if url is None else kept_session.kept(desk.settings, url)
    if url is None or secret is None:
        raise No(f"Nobody is signed in at {url or 'the ledger of this machine'}.", kind="not-signed-in")
    ended = True
    try:
        with Setright(url, secret, timeout=30) as client:
            client.sessions.end()
    except NotAuthenticated:
        ended = False
    kept_session.drop(desk.settings, url)
    if desk.out.as_json:
        desk.out.document({"signedOut": True, "ended": ended})
    else:
        desk.out.line(
            "You are signed out." if ended else "The session had ended already; it is forgotten here."
        )
