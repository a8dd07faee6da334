"""The one table of settings: each from a flag, the environment (`SETRIGHT_*`) or `setright.toml`, in that order."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from setright.kernel.actor import SCOPES

OF_EMBED = ("wordllama", "numpy", "tokenizers")
"""What the extra `embed` brings."""
LLM_KEY = "SETRIGHT_LLM_KEY"
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
MCP_GROUPS = ("lessons", "runs", "knowledge")
MOST_LEEWAY = 300


class SettingFault(ValueError):
    """A setting that cannot be used; the message names it, where it came from and what is allowed."""


def _setting(default: Any, meaning: str, lowest: int | None = None) -> Any:
    return field(default=default, metadata={"meaning": meaning, "lowest": lowest})


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator can set; lists are written with commas in the environment."""

    database: str = _setting("", "SQLite file or postgresql:// address; empty: ledger.db in the data folder")
    data_folder: str = _setting(
        "", "where the SQLite file and the local token are kept; empty: the user's own"
    )
    host: str = _setting(
        "127.0.0.1", "address to listen on; anything but loopback needs TLS or trusted_proxies"
    )
    port: int = _setting(8321, "port to listen on; 0 takes a free one", 0)
    allowed_hosts: tuple[str, ...] = _setting((), "names, besides loopback, that requests may come in under")
    allowed_origins: tuple[str, ...] = _setting((), "web origins that may send writing requests")
    trusted_proxies: tuple[str, ...] = _setting(
        (), "addresses of proxies that end TLS in front of this server"
    )
    tls_certificate: str = _setting(
        "", "PEM file of the certificate; with tls_key the server speaks TLS itself"
    )
    tls_key: str = _setting("", "PEM file of the certificate's key")
    max_body_bytes: int = _setting(4 * 1024 * 1024, "largest request body", 1024)
    rate_per_second: int = _setting(1000, "requests a second for one token in the long run; 0: no limit", 0)
    rate_burst: int = _setting(2000, "requests that one token may send at once", 1)
    public_url: str = _setting(
        "",
        "address under which clients reach this server, such as https://setright.example.org, without a path",
    )
    oidc_issuer: str = _setting(
        "", "issuer whose access tokens let users in, letter for letter as it calls itself; empty: none"
    )
    oidc_audience: tuple[str, ...] = _setting(
        (), "audiences for which its tokens count; empty: public_url followed by /mcp"
    )
    oidc_keys: str = _setting(
        "", "file with its public keys, as JWKS or PEM; empty: they are read from the issuer"
    )
    oidc_user_claim: str = _setting(
        "email",
        "claim that tells the user: email (which must be verified), or another for the user's externalId",
    )
    oidc_tenant: str = _setting("", "tenant of its users; empty: the only one there is")
    oidc_tenant_claim: str = _setting("", "claim that tells the tenant, instead of oidc_tenant")
    oidc_scope_claim: str = _setting(
        "scope", "claim that tells the scopes; none: its tokens are not narrowed by any"
    )
    oidc_scopes: tuple[str, ...] = _setting(
        (), "its names of our scopes, each as theirs=ours; a scope under our own name counts by itself"
    )
    oidc_leeway_seconds: int = _setting(30, "seconds by which its clock may differ from ours, at most 300", 0)
    session_idle_minutes: int = _setting(
        480, "after how many minutes without a request the session of a user ends", 5
    )
    session_hours: int = _setting(168, "after how many hours a session ends in any case", 1)
    runs_per_day: int = _setting(0, "runs that one tenant may record in a day (UTC); 0: no limit", 0)
    run_bytes_per_day: int = _setting(
        0, "bytes of runs that one tenant may record in a day (UTC); 0: no limit", 0
    )
    corrections_per_day: int = _setting(
        0, "corrections that one tenant may record in a day (UTC); 0: no limit", 0
    )
    most_tokens: int = _setting(
        0, "tokens that one tenant may have, without revoked and expired ones; 0: no limit", 0
    )
    most_users: int = _setting(0, "users that one tenant may have, without disabled ones; 0: no limit", 0)
    most_projects: int = _setting(0, "projects that one tenant may have; 0: no limit", 0)
    most_corrector_groups: int = _setting(
        0, "corrector groups that one tenant may have, without retired ones; 0: no limit", 0
    )
    mcp_tools: tuple[str, ...] = _setting(
        (),
        "groups of tools that /mcp shows: lessons, runs, knowledge; empty: all that a token's scopes allow",
    )
    llm_url: str = _setting(
        "",
        "address of an OpenAI-compatible API, such as https://host/v1, whose model words answers about texts; empty: "
        "no model is asked",
    )
    llm_model: str = _setting("", "which model; belongs together with llm_url")
    llm_timeout_seconds: int = _setting(
        20, "how long the model has for one answer; after that it is told without a model", 1
    )
    otlp_quiet_seconds: int = _setting(
        30, "for how many seconds no span may come before a trace becomes a run", 0
    )
    semantic_search: str = _setting(
        "off", "on: texts are found by what they mean, too; needs the extra embed. off: by their words only"
    )
    slow_call_ms: int = _setting(500, "calls that take longer are logged as slow", 1)
    log_level: str = _setting("info", "debug, info, warning or error")
    log_format: str = _setting("auto", "json, text, or auto (text on a terminal)")
    postgres_connections: int = _setting(10, "connections to PostgreSQL that this process may hold", 6)
    postgres_writers: int = _setting(2, "of these, how many write; raise it when the database is far away", 1)
    ready_free_mb: int = _setting(
        64, "free megabytes beside the SQLite file below which /readyz says not ready; 0: never", 0
    )
    stop_seconds: int = _setting(20, "how long a stopping server waits for what it accepted", 1)


def load(
    flags: Mapping[str, Any], environment: Mapping[str, str] | None = None, file: Path | None = None
) -> Settings:
    """The settings; raises SettingFault for unknown names in the file and for values that are not allowed."""
    environment = os.environ if environment is None else environment
    given = _given(flags, environment, file)
    chosen = {
        entry.name: _convert(*given[entry.name], entry.default, entry.metadata["lowest"])
        for entry in fields(Settings)
        if entry.name in given
    }
    settings = _checked(Settings(**chosen))
    _check_model(settings, with_key=bool(llm_key(environment)))
    if settings.semantic_search == "on" and any(find_spec(name) is None for name in OF_EMBED):
        raise SettingFault(
            "semantic_search: on needs what is not installed here: pip install 'setright[embed]' (its model is made for "
            "CPython 3.11 to 3.13)."
        )
    return settings


def sources(
    flags: Mapping[str, Any], environment: Mapping[str, str] | None = None, file: Path | None = None
) -> dict[str, str]:
    """Where each setting comes from: its flag, its variable, the settings file, or `default`."""
    given = _given(flags, os.environ if environment is None else environment, file)
    return {
        entry.name: given[entry.name][0] if entry.name in given else "default" for entry in fields(Settings)
    }


def _given(
    flags: Mapping[str, Any], environment: Mapping[str, str], file: Path | None
) -> dict[str, tuple[str, Any]]:
    """The settings that were given: for each the source that wins, and its value there."""
    from_file = _read_file(file, environment)
    given: dict[str, tuple[str, Any]] = {}
    for entry in fields(Settings):
        variable = f"SETRIGHT_{entry.name.upper()}"
        if flags.get(entry.name) is not None:
            given[entry.name] = (f"--{entry.name.replace('_', '-')}", flags[entry.name])
        elif environment.get(variable):
            given[entry.name] = (variable, environment[variable])
        elif entry.name in from_file:
            given[entry.name] = (f"{entry.name} in setright.toml", from_file[entry.name])
    return given


def _read_file(file: Path | None, environment: Mapping[str, str]) -> dict[str, Any]:
    named = file or (Path(environment["SETRIGHT_CONFIG"]) if environment.get("SETRIGHT_CONFIG") else None)
    path = named or Path("setright.toml")
    if not path.exists():
        if named is not None:
            raise SettingFault(f"The settings file {path} does not exist.")
        return {}
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingFault(f"{path} is not valid TOML: {error}") from None
    known = {entry.name for entry in fields(Settings)}
    unknown = sorted(set(found) - known)
    if unknown:
        raise SettingFault(
            f"{path}: unknown setting {', '.join(unknown)}; known are {', '.join(sorted(known))}."
        )
    return found


def _convert(source: str, value: Any, default: Any, lowest: int | None) -> Any:
    if isinstance(default, tuple):
        return _texts(source, value)
    if isinstance(default, int):
        return _integer(source, value, lowest or 0)
    if not isinstance(value, str):
        raise SettingFault(f"{source}: must be a text.")
    return value


def _texts(source: str, value: Any) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise SettingFault(f"{source}: must be a list of texts.")
    entries = list(cast("list[Any]", parts))
    texts = [part.strip() for part in entries if isinstance(part, str)]
    if len(texts) != len(entries):
        raise SettingFault(f"{source}: must be a list of texts.")
    return tuple(text for text in texts if text)


def _integer(source: str, value: Any, lowest: int) -> int:
    try:
        number = int(value) if not isinstance(value, bool) else None
    except (TypeError, ValueError):
        number = None
    if number is None or number < lowest:
        raise SettingFault(f"{source}: {value!r} is not an integer of at least {lowest}.")
    return number


def _checked(settings: Settings) -> Settings:
    for name, allowed in (
        ("log_level", ("debug", "info", "warning", "error")),
        ("log_format", ("json", "text", "auto")),
        ("semantic_search", ("on", "off")),
    ):
        if getattr(settings, name) not in allowed:
            raise SettingFault(f"{name}: {getattr(settings, name)!r} is not one of {', '.join(allowed)}.")
    unknown = [group for group in settings.mcp_tools if group not in MCP_GROUPS]
    if unknown:
        raise SettingFault(f"mcp_tools: {unknown[0]!r} is not one of {', '.join(MCP_GROUPS)}.")
    if settings.postgres_writers + 4 > settings.postgres_connections:
        raise SettingFault(
            "postgres_connections: must be at least postgres_writers + 4, which are for reading."
        )
    if settings.port > 65535:
        raise SettingFault(f"port: {settings.port} is above 65535.")
    if bool(settings.tls_certificate) != bool(settings.tls_key):
        raise SettingFault("tls_certificate and tls_key belong together; set both or neither.")
    _check_issuer(settings)
    return settings


def llm_key(environment: Mapping[str, str] | None = None) -> str:
    """The key of the model, from the environment only, so that it stands in no file and in no list of processes."""
    return (os.environ if environment is None else environment).get(LLM_KEY, "")


def _check_model(settings: Settings, *, with_key: bool) -> None:
    if bool(settings.llm_url) != bool(settings.llm_model):
        raise SettingFault("llm_url and llm_model belong together; set both or neither.")
    if with_key and not settings.llm_url:
        raise SettingFault(f"{LLM_KEY} is the key of a model that is not named; set llm_url and llm_model.")
    fault = _address_fault(settings.llm_url, with_key=with_key) if settings.llm_url else None
    if fault is not None:
        raise SettingFault(f"llm_url: {fault}.")


def _address_fault(url: str, *, with_key: bool) -> str | None:
    """Why an address cannot be that of a model, or None; a key goes over plain HTTP to this machine only."""
    try:
        given = urlsplit(url)
        usable = bool(given.hostname) and given.port != 0 and url.isascii() and url.isprintable()
    except ValueError:
        return "is no address"
    if not usable or " " in url or given.scheme not in ("http", "https"):
        return "must be an address that begins with https:// or http:// and names a host"
    if "@" in given.netloc or "?" in url or "#" in url:
        return "must hold neither a name nor a password, and no ? or #"
    if with_key and given.scheme == "http" and given.hostname not in _LOOPBACK:
        return f"must begin with https://, so that {LLM_KEY} does not travel in the clear"
    return None


def _check_issuer(settings: Settings) -> None:
    """Refuse settings of an issuer by which no token could be checked as it must be."""
    public = urlsplit(settings.public_url)
    if settings.public_url and (
        public.scheme not in ("http", "https")
        or not public.netloc
        or settings.public_url != f"{public.scheme}://{public.netloc}"
        or "@" in public.netloc
    ):
        raise SettingFault(
            f"public_url: {settings.public_url!r} is no address without a path, such as https://setright.example.org."
        )
    if not settings.oidc_issuer:
        return
    if not settings.oidc_audience and not settings.public_url:
        raise SettingFault(
            "oidc_audience: without one, or public_url, tokens for other services would let their users in."
        )
    if settings.oidc_leeway_seconds > MOST_LEEWAY:
        raise SettingFault(f"oidc_leeway_seconds: {settings.oidc_leeway_seconds} is above {MOST_LEEWAY}.")
    if settings.oidc_tenant and settings.oidc_tenant_claim:
        raise SettingFault("oidc_tenant and oidc_tenant_claim exclude each other; set one of them.")
    for pair in settings.oidc_scopes:
        theirs, _, ours = pair.partition("=")
        if not theirs or ours not in SCOPES:
            raise SettingFault(f"oidc_scopes: {pair!r} is not theirs=ours, with one of {', '.join(SCOPES)}.")


def unsafe_bind(settings: Settings) -> str | None:
    """Why a server with these settings must not start (an open address without TLS), or None."""
    if settings.host in ("127.0.0.1", "::1", "localhost") or settings.host.startswith("127."):
        return None
    if settings.tls_certificate or settings.trusted_proxies:
        return None
    return (
        f"host {settings.host} can be reached from outside, and tokens would travel in the clear. "
        "Give --tls-certificate and --tls-key, or --trusted-proxies with the address of the proxy that ends "
        "TLS, or listen on 127.0.0.1."
    )


def data_folder(settings: Settings, environment: Mapping[str, str] | None = None) -> Path:
    """The folder of the SQLite file and of the local token."""
    environment = os.environ if environment is None else environment
    if settings.data_folder:
        return Path(settings.data_folder).expanduser()
    base = environment.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "setright"


def database_url(settings: Settings) -> str:
    """The address of the database, with the default filled in."""
    return settings.database or f"sqlite:///{data_folder(settings) / 'ledger.db'}"
