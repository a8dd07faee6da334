"""What each coding agent reads, and in which form: its list of servers, its hooks, its rules."""

import json
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from setright.hooks.blocks import MARKDOWN, TOML, Marks
from setright.hooks.surgery import APPEND

NAME: Final = "corrections"
CLIENTS: Final = ("claude-code", "codex", "cursor", "vscode", "gemini", "windsurf", "zed")
WITH_GUARD: Final = ("claude-code", "codex")
_OUR_HOOK = re.compile(r"setright(?:\.exe)?[\"']? (?P<word>brief|guard) --agent ")
IN_BRACES: Final = "${SETRIGHT_TOKEN}"  # the name of a variable, as most clients write one
# Of these files Zed reads the first that is there, and no other.
FIRST_OF: Final = (
    ".rules",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".github/copilot-instructions.md",
    "AGENT.md",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
)


class Place(NamedTuple):
    """Where is installed: `folder` is the project, or the user's home when `everywhere`."""

    folder: Path
    home: Path
    everywhere: bool
    system: str
    environment: Mapping[str, str]

    @property
    def settings(self) -> Path:
        """Where programs of this system keep a user's settings."""
        if self.system == "win32":
            return Path(self.environment.get("APPDATA") or self.home / "AppData" / "Roaming")
        if self.system == "darwin":
            return self.home / "Library" / "Application Support"
        return Path(self.environment.get("XDG_CONFIG_HOME") or self.home / ".config")


class Wish(NamedTuple):
    """What is to be installed: `address` is set for the HTTP form, `url` where a server was named."""

    program: str
    agent: str
    space: str
    url: str
    address: str

    def words(self, word: str, form: str = "") -> list[str]:
        """The words of a hook's command."""
        options = ["--agent", self.agent, *(["--space", self.space] if self.space else [])]
        return [self.program, word, *options, *(["--format", form] if form else [])]


class Json(NamedTuple):
    """A value in a JSON file; `companion` is a member that a file of ours must have besides."""

    file: Path
    path: Sequence[str]
    value: Any
    is_ours: Callable[[Any], bool]
    companion: tuple[str, Any] | None = None
    strange: str = ""


class Lines(NamedTuple):
    """A block in a text; `head` is what a new file begins with, `settled` that other lines in it are left alone."""

    file: Path
    marks: Marks
    lines: Sequence[str]
    head: str = ""
    settled: bool = False


Piece = Json | Lines


def pieces(client: str, place: Place, wish: Wish, *, guard: bool) -> list[Piece]:
    """Everything that a client gets, in the order in which it is put there."""
    return _PIECES[client](place, wish, guard)


def is_our_server(value: Any) -> bool:
    """Whether an entry of a client's list of servers is ours, in whatever form it was written."""
    if not isinstance(value, dict):
        return False
    entry = cast("dict[str, Any]", value)
    command, address = (
        entry.get("command"),
        entry.get("url") or entry.get("httpUrl") or entry.get("serverUrl"),
    )
    if isinstance(command, str):
        name = re.split(r"[\\/]", command)[-1]
        return name in ("setright", "setright.exe") and entry.get("args") == ["mcp"]
    if not isinstance(address, str) or not address.endswith("/mcp"):
        return False
    return "SETRIGHT_TOKEN" in json.dumps(entry) or set(entry) == {"url"}


def our_hook(word: str) -> Callable[[Any], bool]:
    """What tells whether an entry of a client's hooks runs ours, and nothing else."""

    def told(value: Any) -> bool:
        if not isinstance(value, dict):
            return False
        entry = cast("dict[str, Any]", value)
        inner = cast("list[Any] | None", entry.get("hooks"))
        if isinstance(inner, list):
            return len(inner) == 1 and told(inner[0])
        found = _OUR_HOOK.search(str(entry.get("command", "")))
        return found is not None and found["word"] == word

    return told


def _claude_code(place: Place, wish: Wish, guard: bool) -> list[Piece]:
    servers = place.home / ".claude.json" if place.everywhere else place.folder / ".mcp.json"
    settings = place.folder / ".claude" / "settings.json"
    found: list[Piece] = [
        _server(servers, "mcpServers", _stdio(wish, "${SETRIGHT_TOKEN:-}"), wish, _over_http("url"))
    ]
    # VS Code reads this file too, and takes JSON only; Claude Code takes both.
    found.append(_session_start(settings, wish, "vscode", "startup|resume|clear|compact|fork"))
    return [*found, *_guard(settings, wish, guard)]


def _codex(place: Place, wish: Wish, guard: bool) -> list[Piece]:
    chosen = place.environment.get("CODEX_HOME")
    folder = Path(chosen) if place.everywhere and chosen else place.folder / ".codex"
    lines = [f"[mcp_servers.{NAME}]"]
    if wish.address:
        lines += [f"url = {json.dumps(wish.address)}", 'bearer_token_env_var = "SETRIGHT_TOKEN"']
    else:
        lines += [f"command = {json.dumps(wish.program)}", 'args = ["mcp"]', "startup_timeout_sec = 20"]
        if wish.url:
            lines += ['env_vars = ["SETRIGHT_TOKEN"]', f"env = {{ SETRIGHT_URL = {json.dumps(wish.url)} }}"]
    hooks = folder / "hooks.json"
    start = _session_start(hooks, wish, "claude", "startup|resume|clear|compact")
    return [Lines(folder / "config.toml", TOML, lines), start, *_guard(hooks, wish, guard)]


def _cursor(place: Place, wish: Wish, _guard: bool) -> list[Piece]:
    folder = place.folder / ".cursor"
    server = _server(
        folder / "mcp.json",
        "mcpServers",
        _stdio(wish, "${env:SETRIGHT_TOKEN}"),
        wish,
        _over_http("url", "${env:SETRIGHT_TOKEN}", typed=False),
    )
    entry = {"command": _line(wish.words("brief", "cursor")), "timeout": 10}
    hook = Json(
        folder / "hooks.json", ["hooks", "sessionStart", APPEND], entry, our_hook("brief"), ("version", 1)
    )
    if place.everywhere:
        return [server, hook]
    head = "---\ndescription: Adopted corrections for this project\nglobs:\nalwaysApply: true\n---\n"
    return [
        server,
        hook,
        Lines(folder / "rules" / f"{NAME}.mdc", MARKDOWN, _pointer(wish), head, settled=True),
    ]


def _vscode(place: Place, wish: Wish, _guard: bool) -> list[Piece]:
    folder = place.settings / "Code" / "User" if place.everywhere else place.folder / ".vscode"
    stdio = {"type": "stdio", **_stdio(wish, "${env:SETRIGHT_TOKEN}")}
    server = _server(folder / "mcp.json", "servers", stdio, wish, _over_http("url", "${env:SETRIGHT_TOKEN}"))
    if place.everywhere:
        return [server, vscode_hook(place, wish)]
    head = '---\nname: Corrections\ndescription: Adopted corrections for this project\napplyTo: "**"\n---\n'
    rules = place.folder / ".github" / "instructions" / f"{NAME}.instructions.md"
    return [server, vscode_hook(place, wish), Lines(rules, MARKDOWN, _pointer(wish), head, settled=True)]


def vscode_hook(place: Place, wish: Wish) -> Json:
    """The hook of VS Code, which it needs only where it reads none of Claude Code's."""
    folder = place.home / ".copilot" if place.everywhere else place.folder / ".github"
    entry = {"type": "command", "command": _line(wish.words("brief", "vscode")), "timeout": 10}
    return Json(
        folder / "hooks" / f"{NAME}.json", ["hooks", "SessionStart", APPEND], entry, our_hook("brief")
    )


def _gemini(place: Place, wish: Wish, _guard: bool) -> list[Piece]:
    settings = place.folder / ".gemini" / "settings.json"
    stdio = {**_stdio(wish, "$SETRIGHT_TOKEN"), "timeout": 15000}
    server = _server(
        settings, "mcpServers", stdio, wish, _over_http("httpUrl", "$SETRIGHT_TOKEN", typed=False)
    )
    return [server, _session_start(settings, wish, "gemini", "startup", {"name": NAME, "timeout": 10000})]


def _windsurf(place: Place, wish: Wish, _guard: bool) -> list[Piece]:
    folder = place.home / ".codeium" / "windsurf"
    http = _over_http("serverUrl", "${env:SETRIGHT_TOKEN}", typed=False)
    server = _server(
        folder / "mcp_config.json", "mcpServers", _stdio(wish, "${env:SETRIGHT_TOKEN}"), wish, http
    )
    if place.everywhere:
        return [
            server,
            Lines(folder / "memories" / "global_rules.md", MARKDOWN, _pointer(wish), settled=True),
        ]
    rules = place.folder / ".windsurf" / "rules" / f"{NAME}.md"
    return [server, Lines(rules, MARKDOWN, _pointer(wish), "---\ntrigger: always_on\n---\n", settled=True)]


def _zed(place: Place, wish: Wish, _guard: bool) -> list[Piece]:
    if place.everywhere:
        folder = place.settings / "Zed" if place.system == "win32" else place.home / ".config" / "zed"
    else:
        folder = place.folder / ".zed"
    stdio = {"source": "custom", **_stdio(wish, ""), "env": {"SETRIGHT_URL": wish.url} if wish.url else {}}
    server = _server(
        folder / "settings.json", "context_servers", stdio, wish, _over_http("url", "", typed=False)
    )
    if place.everywhere:
        return [server]
    there = (place.folder / name for name in FIRST_OF)
    rules = next((file for file in there if file.is_file()), place.folder / "AGENTS.md")
    return [server, Lines(rules, MARKDOWN, _pointer(wish), settled=True)]


_PIECES: Mapping[str, Callable[[Place, Wish, bool], list[Piece]]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "cursor": _cursor,
    "vscode": _vscode,
    "gemini": _gemini,
    "windsurf": _windsurf,
    "zed": _zed,
}


def _stdio(wish: Wish, token: str) -> dict[str, Any]:
    """The entry that starts our program; `token` is how a client names the variable of the token."""
    entry: dict[str, Any] = {"command": wish.program, "args": ["mcp"]}
    if wish.url:
        entry["env"] = {"SETRIGHT_URL": wish.url, "SETRIGHT_TOKEN": token}
    return entry


def _over_http(key: str, token: str = IN_BRACES, *, typed: bool = True) -> Callable[[str], dict[str, Any]]:
    def entry(address: str) -> dict[str, Any]:
        found: dict[str, Any] = {"type": "http", key: address} if typed else {key: address}
        if token:
            found["headers"] = {"Authorization": f"Bearer {token}"}
        return found

    return entry


def _server(
    file: Path, key: str, stdio: Mapping[str, Any], wish: Wish, over_http: Callable[[str], dict[str, Any]]
) -> Json:
    value = over_http(wish.address) if wish.address else stdio
    strange = f"{key}.{NAME} is there already, and is not ours"
    return Json(file, [key, NAME], value, is_our_server, strange=strange)


def _session_start(
    file: Path, wish: Wish, form: str, matcher: str, more: Mapping[str, Any] | None = None
) -> Json:
    entry = {"type": "command", "command": _line(wish.words("brief", form)), "timeout": 10, **(more or {})}
    group = {"matcher": matcher, "hooks": [entry]}
    return Json(file, ["hooks", "SessionStart", APPEND], group, our_hook("brief"))


def _guard(file: Path, wish: Wish, wanted: bool) -> list[Piece]:
    if not wanted:
        return []
    entry = {"type": "command", "command": _line(wish.words("guard")), "timeout": 10}
    group = {"matcher": "*", "hooks": [entry]}
    return [Json(file, ["hooks", "PreToolUse", APPEND], group, our_hook("guard"))]


def _line(words: Sequence[str]) -> str:
    """Words as one line for the shell that runs hooks."""
    if re.match(r"[A-Za-z]:\\", words[0]):
        return subprocess.list2cmdline(words)
    return shlex.join(words)


def _pointer(wish: Wish) -> list[str]:
    """Where the rules are, for a session that no hook told them: facts, and no second briefing."""
    return [
        "Corrections adopted for this project are kept in Setright. A session that was not told them when it started",
        f"finds them with the tool `corrections_rules` (agent `{wish.agent}`), and a correction by a person is recorded",
        "with `corrections_record`.",
    ]
