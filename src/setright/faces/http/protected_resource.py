"""How clients of /mcp find who issues tokens for it (RFC 9728)."""

from typing import Any

from setright.app.assemble import RunningApp
from setright.kernel.actor import SCOPES

PATH = "/.well-known/oauth-protected-resource/mcp"
"""The path form, and no other: a document at the root would speak of another resource."""


class ProtectedResource:
    """What is said of /mcp where the settings name an issuer and the public address; nothing where they do not.

    Issuer and address are passed through letter for letter: clients compare them with what they asked for.
    """

    def __init__(self, app: RunningApp) -> None:
        settings = app.settings
        self._issuer = app.issuer if settings.public_url else None
        self._public = settings.public_url

    def document(self) -> dict[str, Any] | None:
        """The metadata, None where there is none."""
        issuer = self._issuer
        if issuer is None:
            return None
        whole: dict[str, Any] = {
            "resource": f"{self._public}/mcp",
            "authorization_servers": [issuer.name],
            "bearer_methods_supported": ["header"],
            "resource_name": "Setright",
        }
        scopes = issuer.called(tuple(scope for scope in SCOPES if scope != "admin"))
        return {**whole, "scopes_supported": list(scopes)} if scopes else whole

    def challenge(self, scopes: tuple[str, ...]) -> str:
        """What a challenge says besides its error: the scopes, as the issuer calls them, and where the metadata is."""
        issuer = self._issuer
        if issuer is None:
            return f'scope="{" ".join(scopes)}"'
        called = issuer.called(scopes)
        named = f'scope="{" ".join(called)}", ' if called else ""
        return f'{named}resource_metadata="{self._public}{PATH}"'
