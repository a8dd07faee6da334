"""The command that prints the OpenAPI document."""

from typing import Any

from setright.faces.cli.desk import Desk
from setright.faces.cli.wiring import OF_LEDGER, command, group

app = group("Print the OpenAPI document of the HTTP API.")


def of_this_version() -> dict[str, Any]:
    """The document that a server of this version answers."""
    # The whole face is loaded, because the document tells every refusal that exists.
    from setright.faces.http import application
    from setright.faces.http.openapi import document

    return document(application.ROUTES)


@command(app, "openapi", OF_LEDGER)
def openapi(desk: Desk) -> None:
    """Print the OpenAPI document: of this version, or of the server of --url or SETRIGHT_URL."""
    desk.out.document(of_this_version() if desk.url is None else desk.client.openapi())
