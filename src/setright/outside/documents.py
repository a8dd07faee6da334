"""Reading a small public JSON document over HTTPS, or over HTTP from this machine itself."""

import time
from ipaddress import ip_address
from urllib.parse import urlsplit

import httpx2

MOST_BYTES = 256 * 1024
STEP_SECONDS = 5.0
WHOLE_SECONDS = 10.0


class DocumentTrouble(Exception):
    """The document could not be had; the message says why, and shows nothing of what came."""


def is_safe_address(url: str) -> bool:
    """Whether a document may be read there: https, or http to a loopback address, with no name or password in it."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return False
    if not host or parts.username is not None or parts.password is not None or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host))


def read_document(url: str) -> bytes:
    """What stands there, whole: no redirect is followed, no proxy is asked, and no more than 256 KiB are taken."""
    if not is_safe_address(url):
        raise DocumentTrouble("the address is neither https nor http on loopback")
    ends = time.monotonic() + WHOLE_SECONDS
    found = bytearray()
    try:
        with (
            httpx2.Client(timeout=STEP_SECONDS, trust_env=False, follow_redirects=False) as client,
            client.stream("GET", url, headers={"Accept": "application/json"}) as answer,
        ):
            if answer.status_code != 200:
                raise DocumentTrouble(f"it answered {answer.status_code}")
            for part in answer.iter_bytes():
                found += part
                if len(found) > MOST_BYTES:
                    raise DocumentTrouble(f"it is larger than {MOST_BYTES} bytes")
                if time.monotonic() > ends:
                    raise DocumentTrouble(f"it took longer than {WHOLE_SECONDS:.0f} seconds")
    except httpx2.HTTPError as error:
        raise DocumentTrouble(f"it could not be reached ({type(error).__name__})") from None
    return bytes(found)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
