"""What a request must show at the door, before anybody asks who it is: host, origin, media types."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

from setright.app.settings import Settings
from setright.faces.http.errors import (
    InvalidRequest,
    MisdirectedHost,
    NotAcceptable,
    OriginNotAllowed,
    UnsupportedMediaType,
)
from setright.faces.http.request import Request

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
FORWARDED = frozenset(
    {b"forwarded", b"via", b"x-real-ip", b"x-client-ip", b"true-client-ip", b"cf-connecting-ip"}
)
_JSON_HEADERS = frozenset(
    {b"application/json", b"application/json; charset=utf-8", b"application/json;charset=utf-8"}
)


class Doors:
    """The checks of one server; a host or origin that passed once is remembered as it was written."""

    def __init__(self, settings: Settings) -> None:
        own = settings.host.strip("[]").lower()
        public = urlsplit(settings.public_url).hostname
        names = {host_of(name) or name.lower() for name in settings.allowed_hosts}
        self._hosts: set[str] = {*LOOPBACK, *names, *([public] if public else [])}
        if own not in ("0.0.0.0", "::", ""):  # noqa: S104
            self._hosts.add(own)
        self._origins = {origin.rstrip("/").lower() for origin in settings.allowed_origins}
        self._passed: set[bytes] = set()
        proxies = [proxy.partition("/")[0].strip("[]").lower() for proxy in settings.trusted_proxies]
        self._proxies = _networks(settings.trusted_proxies)
        self._is_behind_proxy = any(map(_is_own_name, proxies)) or (bool(proxies) and _is_own_name(own))

    def check_host(self, request: Request) -> None:
        """Refuse a request under a name that is not ours, so that no page can reach us under a name of its own."""
        host = request.headers.get(b"host")
        if host in self._passed and b"host" not in request.doubled:
            return
        if not host or b"host" in request.doubled:
            many = b"host" in request.doubled
            raise InvalidRequest(f"The request has {'several Host headers' if many else 'no Host header'}.")
        name = host_of(host.decode("latin-1"))
        if name is None:
            raise InvalidRequest("The Host header is no host.")
        if name not in self._hosts and not _is_own_name(name):
            raise MisdirectedHost(
                f"This server does not answer as {name[:100]}. "
                "Names besides loopback are allowed by the setting allowed_hosts."
            )
        if len(self._passed) < 100:
            self._passed.add(host)

    def check_origin(self, request: Request) -> None:
        """Refuse what a page of another origin sends through a browser, unless it may do no harm or is allowed."""
        origin = request.text(b"origin")
        if request.method in SAFE or origin is None or origin.lower() in self._origins:
            return
        host = request.text(b"host") or ""
        if _place_of(origin) != host.lower() or b"origin" in request.doubled:
            raise OriginNotAllowed(
                f"Pages of {origin[:100]} may not write here. "
                "Origins are allowed by the setting allowed_origins; other clients send no Origin header."
            )

    def address_of(self, request: Request) -> str:
        """From where a request comes: for one from a trusted proxy, the last address in X-Forwarded-For that is none.

        Of IPv6 it is the network of 64 bits, which one caller has as a whole.
        """
        seen = [] if request.client is None else [request.client[0]]
        if b"x-forwarded-for" not in request.doubled:
            told = request.text(b"x-forwarded-for") or ""
            seen = [*(part.strip() for part in told.split(",") if part.strip()), *seen]
        read = [_address(text) for text in seen]
        while len(read) > 1 and read[-1] is not None and any(read[-1] in net for net in self._proxies):
            if read[-2] is None:
                break
            read.pop()
        last = read[-1] if read else None
        if isinstance(last, IPv6Address):
            return str(ip_network((last, 64), strict=False))
        return "unknown" if last is None else str(last)

    def is_local(self, request: Request) -> bool:
        """Whether a request comes from this machine itself, and not through a proxy on it.

        A proxy is known by the setting trusted_proxies, by what it adds, or by the name under which it was asked.
        Only the first cannot be taken away by whoever asks the proxy.
        """
        if self._is_behind_proxy or request.client is None:
            return False
        if any(name in FORWARDED or name.startswith(b"x-forwarded") for name in request.headers):
            return False
        asked = host_of(request.text(b"host") or "")
        return (
            _is_own_name(request.client[0].removeprefix("::ffff:"))
            and asked is not None
            and _is_own_name(asked)
        )


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """An address of the internet, None for what is none; an IPv4 address in the clothes of IPv6 is itself."""
    try:
        found = ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def _networks(proxies: Iterable[str]) -> list[IPv4Network | IPv6Network]:
    """The addresses and networks of proxies; what is a name there is no address that a request could come from."""
    found: list[IPv4Network | IPv6Network] = []
    for text in proxies:
        try:
            found.append(ip_network(text.strip("[]"), strict=False))
        except ValueError:
            continue
    return found


def _place_of(origin: str) -> str | None:
    """The host and port of an origin in lower case, None where it is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def host_of(text: str) -> str | None:
    """The host in a Host header or a setting, in lower case and without its port; None when it is no host."""
    try:
        parts = urlsplit(f"//{text}")
        name, _ = parts.hostname, parts.port
    except ValueError:
        return None
    whole = parts.netloc == text and "@" not in text and not text.endswith(":")
    return name if name and whole and all("!" <= letter <= "~" for letter in name) else None


def _is_own_name(name: str) -> bool:
    """Whether a host is this machine, as it names itself."""
    parts = name.split(".")
    numbers = len(parts) == 4 and all(part.isdigit() and len(part) <= 3 for part in parts)
    return name in LOOPBACK or (numbers and parts[0] == "127")


def check_accept(request: Request, produces: str) -> None:
    """Refuse a request that excludes the form in which the route answers."""
    accept = request.headers.get(b"accept")
    if accept is None or accept == b"*/*" or accept.decode("latin-1") == produces:
        return
    if not _accepts(accept.decode("latin-1"), produces.partition(";")[0]):
        raise NotAcceptable(f"This route answers in {produces}, which the Accept header excludes.")


def _accepts(accept: str, wanted: str) -> bool:
    """Whether the most exact range that covers `wanted` has a weight above 0; an empty header accepts everything."""
    ranges = {wanted: 3, wanted.partition("/")[0] + "/*": 2, "*/*": 1}
    best, accepted = 0, not accept.strip()
    for entry in accept.split(","):
        name, *parameters = [part.strip().lower() for part in entry.split(";")]
        if ranges.get(name, 0) > best:
            best = ranges[name]
            accepted = not any(_is_zero(parameter) for parameter in parameters)
    return accepted


def _is_zero(parameter: str) -> bool:
    name, _, weight = parameter.partition("=")
    return name.strip() == "q" and weight.strip() in ("0", "0.", "0.0", "0.00", "0.000")


def check_media_type(request: Request) -> None:
    """Refuse a body that is not declared as JSON, in UTF-8 and not compressed."""
    coding = request.headers.get(b"content-encoding")
    if coding is not None and coding.strip().lower() != b"identity":
        raise UnsupportedMediaType("The body is compressed; send it as it is.", {"allowed": ["identity"]})
    given = request.headers.get(b"content-type")
    if given in _JSON_HEADERS and b"content-type" not in request.doubled:
        return
    name, *parameters = [part.strip().lower() for part in (given or b"").decode("latin-1").split(";")]
    fits = name == "application/json" and b"content-type" not in request.doubled
    if not fits or not all(_is_utf8(parameter) for parameter in parameters if parameter):
        shown = f"as {name[:100]}" if name else "without a Content-Type"
        raise UnsupportedMediaType(
            f"The body came {shown}; send it as application/json in UTF-8.", {"allowed": ["application/json"]}
        )


def _is_utf8(parameter: str) -> bool:
    name, _, charset = parameter.partition("=")
    return name.strip() != "charset" or charset.strip().strip('"') in ("utf-8", "utf8")
