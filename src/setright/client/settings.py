"""Where a client's address and token come from, and what is refused before anything is sent."""

import os
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import urlsplit

from setright.client.errors import NotConfigured
from setright.client.retries import Retries
from setright.client.senders import Target


def target(url: str | None, token: str | None, timeout: float, retries: Retries | int) -> Target:
    """The settings of a client; what is not given comes from SETRIGHT_URL and SETRIGHT_TOKEN."""
    return Target(
        url=_checked_url(
            _given("url", url, "SETRIGHT_URL", "the address of the server, such as http://127.0.0.1:8321")
        ),
        headers={
            "Authorization": f"Bearer {_checked_token(_given('token', token, 'SETRIGHT_TOKEN', 'a token of the server'))}",
            "Accept": "application/json",
            "User-Agent": f"setright-python/{_version()}",
        },
        timeout=timeout,
        retries=Retries(count=retries) if isinstance(retries, int) else retries,
    )


def _given(name: str, value: str | None, variable: str, what: str) -> str:
    found = (os.environ.get(variable) if value is None else value) or ""
    if not found.strip():
        raise NotConfigured(f"{name} is missing: give Setright(url, token) or set {variable} to {what}.")
    return found.strip()


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits, parts = False, urlsplit("")
    if not fits or parts.query or parts.fragment:
        raise NotConfigured(
            f"url is {url!r}, not an address such as https://setright.example.com, with a path at most."
        )
    if parts.username or parts.password:
        raise NotConfigured(
            "url holds a user name or password; Setright is entered by a token, so leave them out."
        )
    return url.rstrip("/")


def _checked_token(token: str) -> str:
    """The token, which no message ever repeats."""
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NotConfigured("token has characters that no token has, such as a space or a line break inside.")
    return token


def _version() -> str:
    try:
        return version("setright")
    except PackageNotFoundError:
        return "unknown"
