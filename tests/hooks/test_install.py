"""Each client gets its server, its briefing and its guard beside what a user has there, and gives it all back."""

import json
import shutil
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from setright.hooks.blocks import MARKDOWN
from setright.hooks.clients import CLIENTS, FIRST_OF, Place, Wish
from setright.hooks.install import CannotInstall, plan_install, plan_uninstall, write
from setright.hooks.scan import scan

PROGRAM = "/opt/a b/.venv/bin/setright"
LOCAL = Wish(PROGRAM, "", "", "", "")
REMOTE = LOCAL._replace(url="https://setright.example")
OVER_HTTP = LOCAL._replace(address="http://127.0.0.1:8321/mcp")
# What users have: comments, other servers, odd indentation, other line ends, a mark at the front, no end of line.
SETTINGS = '\ufeff{\r\n   "permissions": {"allow": ["Bash"]}, // mine\r\n   "hooks": { "SessionStart": [ {"matcher": "x", "hooks": []} ] }\r\n}'
SERVERS = '{\n\t"mcpServers": {\n\t\t"other": {"command": "x", "args": ["//", "}"]}, /* keep */\n\t},\n}'
WHOLE: Mapping[str, str] = {
    ".mcp.json": SERVERS,
    ".claude/settings.json": SETTINGS,
    ".claude.json": '{"numStartups":3,"mcpServers":{},"projects":{"/x":{"mcpServers":{}}}}',
    ".codex/config.toml": '# mine\r\nmodel = "o"\r\n[mcp_servers.other]\r\ncommand = "x"',
    ".codex/hooks.json": '{"hooks": {"Stop": []}}\n',
    ".cursor/mcp.json": '{\n    "mcpServers": {}\n}\n',
    ".cursor/hooks.json": '{ "version": 1, "hooks": { "stop": [ {"command": "x"} ] } }',
    ".cursor/rules/corrections.mdc": "---\ndescription: mine\n---\n# Mine",
    ".vscode/mcp.json": '{\n  // servers of the team\n  "servers": {\n    "other": {"type": "stdio", "command": "x"}\n  },\n  "inputs": []\n}\n',
    ".github/hooks/corrections.json": "{}",
    ".github/instructions/corrections.instructions.md": "Mine.\r\nToo.",
    ".gemini/settings.json": '{\n  "theme": "x"\n}\n',
    ".codeium/windsurf/mcp_config.json": '{"mcpServers":{\n"other":{"serverUrl":"https://x.example/mcp"}}}',
    ".codeium/windsurf/memories/global_rules.md": "Be kind.",
    ".windsurf/rules/corrections.md": "---\ntrigger: manual\n---\n",
    ".zed/settings.json": "// Zed settings\n//\n",
    ".config/zed/settings.json": '{\n  "theme": "x", // dark\n  "context_servers": {\n  },\n}\n',
    "AGENTS.md": "# Agents\n\n- be kind",
    ".config/Code/User/mcp.json": "",
}
EMPTY = dict.fromkeys(WHOLE, "")
BRACES = {name: "{}" for name in WHOLE if name.endswith(".json")}


class Sample:
    """A user's home with a project in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = self.home / "work" / "project"
        self.project.mkdir(parents=True)

    def fill(self, files: Mapping[str, str]) -> None:
        for top in (self.home, self.project):
            for name, text in files.items():
                (top / name).parent.mkdir(parents=True, exist_ok=True)
                (top / name).write_bytes(text.encode())

    def place(self, *, everywhere: bool) -> Place:
        return Place(self.home if everywhere else self.project, self.home, everywhere, "linux", {})

    def bytes(self) -> dict[str, bytes]:
        return {
            str(file.relative_to(self.home)): file.read_bytes()
            for file in self.home.rglob("*")
            if file.is_file()
        }

    def install(
        self, client: str, wish: Wish = LOCAL, *, everywhere: bool = False, guard: bool = True
    ) -> list[str]:
        place = self.place(everywhere=everywhere)
        plan = plan_install(client, place, wish._replace(agent=client), guard=guard)
        write(plan, place)
        return [*plan.notes]

    def uninstall(self, client: str, *, everywhere: bool = False) -> list[str]:
        place = self.place(everywhere=everywhere)
        plan = plan_uninstall(client, place, LOCAL._replace(agent=client))
        write(plan, place)
        return [*plan.notes]

    def json(self, name: str, *, top: Path | None = None) -> Any:
        node = scan(((top or self.project) / name).read_text())
        assert node is not None
        return node.value


@pytest.fixture
def sample(tmp_path: Path) -> Iterator[Sample]:
    made = Sample(tmp_path)
    yield made
    shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.mark.parametrize(
    ("files", "wish"),
    [
        (WHOLE, LOCAL),
        (WHOLE, REMOTE),
        (WHOLE, OVER_HTTP),
        (EMPTY, LOCAL),
        (BRACES, REMOTE),
        ({}, OVER_HTTP),
        ({}, LOCAL),
    ],
    ids=["full", "full, remote", "full, http", "empty", "braces, remote", "none, http", "none"],
)
@pytest.mark.parametrize("everywhere", [False, True])
@pytest.mark.parametrize("client", CLIENTS)
def test_installed_twice_and_taken_out_every_byte_is_as_before(
    sample: Sample, client: str, everywhere: bool, wish: Wish, files: Mapping[str, str]
) -> None:
    sample.fill(files)
    before = sample.bytes()
    sample.install(client, wish, everywhere=everywhere)
    once = sample.bytes()
    assert once != before
    sample.install(client, wish, everywhere=everywhere)
    assert sample.bytes() == once
    assert not any(b"srt_" in content for content in once.values())
    sample.uninstall(client, everywhere=everywhere)
    assert sample.bytes() == before
    sample.uninstall(client, everywhere=everywhere)
    assert sample.bytes() == before


@pytest.mark.parametrize("client", CLIENTS)
def test_no_folder_of_ours_is_left(sample: Sample, client: str) -> None:
    before = sorted(sample.home.rglob("*"))
    sample.install(client)
    sample.uninstall(client)
    assert sorted(sample.home.rglob("*")) == before


@pytest.mark.parametrize("client", CLIENTS)
def test_a_change_of_form_leaves_nothing_of_the_earlier_one(sample: Sample, client: str) -> None:
    sample.fill(WHOLE)
    before = sample.bytes()
    for wish in (REMOTE, OVER_HTTP, LOCAL, LOCAL._replace(program="setright"), REMOTE):
        sample.install(client, wish)
    at_last = sample.bytes()
    sample.uninstall(client)
    assert sample.bytes() == before
    sample.install(client, REMOTE)
    assert sample.bytes() == at_last


@pytest.mark.parametrize("client", CLIENTS)
def test_what_a_user_writes_beside_ours_stays(sample: Sample, client: str) -> None:
    sample.install(client)
    changed = [sample.home / name for name in sample.bytes()]
    for file in changed:
        text = file.read_text()
        if file.suffix == ".json":
            file.write_text(text.replace("{\n", '{\n  "mine": [1], // mine\n', 1))
        else:
            file.write_text(text + "\nmine = 1\n")
    sample.uninstall(client)
    for file in changed:
        text = file.read_text()
        assert "mine" in text
        assert "setright" not in text.lower()


def test_claude_code_gets_server_briefing_and_guard(sample: Sample) -> None:
    sample.install("claude-code")
    assert sample.json(".mcp.json") == {"mcpServers": {"corrections": {"command": PROGRAM, "args": ["mcp"]}}}
    hooks = sample.json(".claude/settings.json")["hooks"]
    (start,), (before_call,) = hooks["SessionStart"], hooks["PreToolUse"]
    assert start["matcher"] == "startup|resume|clear|compact|fork"
    assert start["hooks"][0]["command"] == f"'{PROGRAM}' brief --agent claude-code --format vscode"
    assert before_call["matcher"] == "*"
    assert before_call["hooks"][0]["command"] == f"'{PROGRAM}' guard --agent claude-code"


def test_codex_gets_its_toml_and_its_hooks(sample: Sample) -> None:
    sample.fill(WHOLE)
    sample.install("codex", REMOTE)
    found = tomllib.loads((sample.project / ".codex/config.toml").read_bytes().decode())
    assert found["model"] == "o"
    assert found["mcp_servers"]["other"] == {"command": "x"}
    ours = found["mcp_servers"]["corrections"]
    assert (ours["command"], ours["args"], ours["env_vars"]) == (PROGRAM, ["mcp"], ["SETRIGHT_TOKEN"])
    assert ours["env"] == {"SETRIGHT_URL": "https://setright.example"}
    hooks = sample.json(".codex/hooks.json")["hooks"]
    assert list(hooks) == ["Stop", "SessionStart", "PreToolUse"]
    assert b"\r\n# BEGIN" in (sample.project / ".codex/config.toml").read_bytes()


def test_cursor_gets_a_hook_and_a_rule_for_builds_without_hooks(sample: Sample) -> None:
    sample.install("cursor", OVER_HTTP)
    ours = sample.json(".cursor/mcp.json")["mcpServers"]["corrections"]
    assert ours == {
        "url": "http://127.0.0.1:8321/mcp",
        "headers": {"Authorization": "Bearer ${env:SETRIGHT_TOKEN}"},
    }
    hooks = sample.json(".cursor/hooks.json")
    assert hooks["version"] == 1
    assert hooks["hooks"]["sessionStart"][0]["command"].endswith(" brief --agent cursor --format cursor")
    rule = (sample.project / ".cursor/rules/corrections.mdc").read_text()
    assert rule.startswith("---\ndescription: ")
    assert "alwaysApply: true" in rule
    assert "corrections_rules" in rule


def test_vscode_gemini_windsurf_and_zed_get_their_own_forms(sample: Sample) -> None:
    for client in ("vscode", "gemini", "windsurf", "zed"):
        sample.install(client)
    stdio = {"command": PROGRAM, "args": ["mcp"]}
    assert sample.json(".vscode/mcp.json") == {"servers": {"corrections": {"type": "stdio", **stdio}}}
    gemini = sample.json(".gemini/settings.json")
    assert gemini["mcpServers"]["corrections"] == {**stdio, "timeout": 15000}
    (hook,) = gemini["hooks"]["SessionStart"][0]["hooks"]
    assert (hook["name"], hook["timeout"]) == ("corrections", 10000)
    servers = sample.json(".codeium/windsurf/mcp_config.json", top=sample.home)
    assert servers["mcpServers"]["corrections"] == stdio
    assert "trigger: always_on" in (sample.project / ".windsurf/rules/corrections.md").read_text()
    zed = sample.json(".zed/settings.json")
    assert zed["context_servers"]["corrections"] == {"source": "custom", **stdio, "env": {}}


@pytest.mark.parametrize("first", FIRST_OF)
def test_zed_gets_its_block_in_the_first_file_that_it_reads(sample: Sample, first: str) -> None:
    for name in FIRST_OF[FIRST_OF.index(first) :]:
        (sample.project / name).parent.mkdir(exist_ok=True)
        (sample.project / name).write_text("Mine.\n")
    sample.install("zed")
    having = [
        name
        for name in FIRST_OF
        if (sample.project / name).exists() and MARKDOWN.begin in (sample.project / name).read_text()
    ]
    assert having == [first]


@pytest.mark.parametrize("order", [("claude-code", "vscode"), ("vscode", "claude-code")])
@pytest.mark.parametrize("out", [("claude-code", "vscode"), ("vscode", "claude-code")])
def test_vscode_never_gets_two_briefings(
    sample: Sample, order: tuple[str, str], out: tuple[str, str]
) -> None:
    own = sample.project / ".github/hooks/corrections.json"
    notes = [note for client in order for note in sample.install(client)]
    assert not own.exists()
    assert any("VS Code" in note for note in notes)
    sample.uninstall(out[0])
    assert own.exists() == (out[0] == "claude-code")
    sample.uninstall(out[1])
    assert sample.bytes() == {}


def test_vscode_sees_the_hook_in_the_users_own_settings(sample: Sample) -> None:
    sample.install("claude-code", everywhere=True)
    sample.install("vscode")
    assert not (sample.project / ".github/hooks").exists()


def test_a_guard_is_added_later_and_stays(sample: Sample) -> None:
    sample.install("claude-code", guard=False)
    assert "PreToolUse" not in sample.json(".claude/settings.json")["hooks"]
    sample.install("claude-code", guard=True)
    with_guard = sample.bytes()
    sample.install("claude-code", guard=False)
    assert sample.bytes() == with_guard


def test_a_hook_of_the_users_in_our_group_stays(sample: Sample) -> None:
    sample.install("claude-code", guard=False)
    settings = sample.project / ".claude/settings.json"
    found = json.loads(settings.read_text())
    found["hooks"]["SessionStart"][0]["hooks"].append({"type": "command", "command": "mine"})
    settings.write_text(json.dumps(found, indent=2))
    sample.uninstall("claude-code")
    (group,) = sample.json(".claude/settings.json")["hooks"]["SessionStart"]
    assert [entry["command"] for entry in group["hooks"]] == ["mine"]


@pytest.mark.parametrize(
    ("client", "name", "text", "reason"),
    [
        ("claude-code", ".mcp.json", '{"mcpServers": {"corrections": {"command": "mine"}}}', "is not ours"),
        ("claude-code", ".mcp.json", '{"mcpServers": []}', "is no object"),
        ("claude-code", ".mcp.json", "{", "not valid JSON: line 1"),
        ("claude-code", ".claude/settings.json", '{"hooks": {"SessionStart": {}}}', "is no array"),
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.corrections]\ncommand = 'mine'\n",
            "of this name already",
        ),
        ("codex", ".codex/config.toml", "mcp_servers = {}\n", "none can be added"),
        ("codex", ".codex/config.toml", "x = \n", "not valid TOML"),
        ("cursor", ".cursor/rules/corrections.mdc", f"{MARKDOWN.begin}\n", "must both be there once"),
    ],
)
def test_what_cannot_be_added_is_refused_and_nothing_is_written(
    sample: Sample, client: str, name: str, text: str, reason: str
) -> None:
    sample.fill({name: text})
    before = sample.bytes()
    with pytest.raises(CannotInstall, match=reason):
        sample.install(client)
    assert sample.bytes() == before


def test_a_file_that_is_not_utf8_is_refused(sample: Sample) -> None:
    (sample.project / ".mcp.json").write_bytes(b'{"a": "\xff"}')
    with pytest.raises(CannotInstall, match="not UTF-8"):
        sample.install("claude-code")


def test_a_link_stays_a_link_and_a_file_keeps_its_mode(sample: Sample) -> None:
    dotfiles = sample.home / "dotfiles.json"
    dotfiles.write_text("{}\n")
    dotfiles.chmod(0o600)
    (sample.project / ".mcp.json").symlink_to(dotfiles)
    sample.install("claude-code")
    assert (sample.project / ".mcp.json").is_symlink()
    assert "corrections" in dotfiles.read_text()
    assert stat.S_IMODE(dotfiles.stat().st_mode) == 0o600


def test_the_diff_shows_every_change(sample: Sample) -> None:
    sample.fill({".mcp.json": '{\n  "a": 1\n}'})
    plan = plan_install("claude-code", sample.place(everywhere=False), LOCAL._replace(agent="a"), guard=False)
    first, second = (change.diff(change.file.name) for change in plan.changes)
    assert first.startswith("--- .mcp.json\n+++ .mcp.json\n")
    assert '-  "a": 1\n+  "a": 1,\n' in first
    assert "\\ No newline at end of file" in first
    assert second.startswith("--- /dev/null\n+++ settings.json\n")
