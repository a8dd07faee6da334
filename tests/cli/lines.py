"""A command line of every command on a ledger that goes well, and where an id or a name can stand in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from setright.faces.cli.command_pages import leaves
from setright.faces.cli.main import COMMANDS, load

MACHINE = """
    bootstrap brief db-backup db-check db-recount db-restore db-scrub db-upgrade demo doctor guard install mcp serve
    sign-in sign-out tenant-create tenant-limits tenant-list token-scan uninstall user-set-password verify worker
""".split()  # noqa: SIM905
"""Commands of who holds the machine, and those that speak to a server by themselves, as its token may."""

SAYS = "--answer wrong --should-say yes"
LINES = {
    "corrections-add": f"{{run}} {SAYS}",
    "corrections-agreement": "",
    "corrections-list": "",
    "corrections-move": "{correction} --status being-fixed",
    "corrections-show": "{correction}",
    "corrections-summary": "",
    "corrections-unregister": "{correction}",
    "corrections-waiting": "",
    "corrections-withdraw": "{held}",
    "erase": "--reason asked --dry-run --participant {participant}",
    "group-change": "{group} --weight 2",
    "group-create": "Readers",
    "group-list": "",
    "group-retire": "{group}",
    "group-show": "{group}",
    "import": "openai-chat chats.jsonl --project {project} --agent {agent}",
    "jobs-cancel": "{job}",
    "jobs-list": "",
    "jobs-retry": "{cancelled}",
    "jobs-show": "{job}",
    "knowledge-accept": "{contested} --reason so",
    "knowledge-annotation": "{contested}",
    "knowledge-correct": "{interaction} --claim 'It is no house.' --correction 'a temple'",
    "knowledge-import": "json text.json --source ours --licence CC0-1.0",
    "knowledge-interpret": "{artifact} o.1.1",
    "knowledge-list": "",
    "knowledge-rate": "{interaction} up",
    "knowledge-reject": "{contested}",
    "knowledge-runs": "",
    "knowledge-search": "lugal",
    "knowledge-show": "{artifact}",
    "knowledge-summary": "{artifact}",
    "legal-hold-list": "",
    "legal-hold-place": "--reason lawsuit --participant {participant}",
    "legal-hold-release": "{hold}",
    "lessons-adopt": "{lesson}",
    "lessons-delete": "{lesson}",
    "lessons-dismiss": "{lesson}",
    "lessons-duplicate": "{lesson} {lesson}",
    "lessons-list": "",
    "lessons-record": "--kind drift --what-happened 'It slipped.' --noticed-by person --project {project}",
    "lessons-reopen": "{lesson}",
    "lessons-retire": "{lesson}",
    "lessons-reword": "{lesson} 'Look first, then leap.'",
    "lessons-show": "{lesson}",
    "lessons-verify": "{lesson}",
    "limits": "",
    "openapi": "",
    "project-create": "P",
    "project-list": "",
    "project-member-list": "{project}",
    "project-member-put": "{project} --role read --user {user}",
    "project-member-remove": "{project} --user {member}",
    "reads-list": "{project}",
    "reads-log": "{project} --on",
    "retention-list": "",
    "retention-passing": "{passing}",
    "retention-run": "--dry-run",
    "retention-set": "--project {project} --runs 30",
    "retention-show": "--project {project}",
    "review-adjudicate": f"{{queue}} {{disagreed}} {SAYS}",
    "review-answer": f"{{queue}} {{claim}} {SAYS}",
    "review-change": "{queue} --claim-seconds 60",
    "review-claim": "{queue}",
    "review-close": "{queue}",
    "review-create": "R --project {project}",
    "review-items": "{queue}",
    "review-list": "",
    "review-release": "{queue} {claim}",
    "review-show": "{queue}",
    "review-skip": "{queue} {claim}",
    "rules-export": "--format agents --yes --space {project}",
    "rules-import": "AGENTS.md --space {project}",
    "rules-list": "",
    "runs-add": "runs.json --project {project}",
    "runs-list": "",
    "runs-show": "{run}",
    "scholars-add": "'A. Scholar'",
    "scholars-approve": "{scholar} {scholarClaim}",
    "scholars-change": "{scholar} --institution here",
    "scholars-claim": "2",
    "scholars-claims": "{scholar}",
    "scholars-list": "",
    "scholars-reject": "{scholar} {scholarClaim}",
    "scholars-show": "{scholar}",
    "scholars-withdraw": "{scholar} {scholarClaim}",
    "sessions-end": "{session}",
    "sessions-list": "",
    "test": "--subject {agent} --project {project} --version v2 --agent answering:answer",
    "test-runs-cancel": "{testRun}",
    "test-runs-finish": "{testRun} --partial",
    "test-runs-list": "",
    "test-runs-show": "{testRun}",
    "test-runs-summary": "{testRun}",
    "test-runs-verdicts": "{testRun}",
    "token-create": "--service robot --role read",
    "token-list": "",
    "token-revoke": "{token}",
    "token-rotate": "{token}",
    "tools-drop": "{tool} --project {project}",
    "tools-list": "--project {project}",
    "tools-set": "{tool} read --project {project}",
    "user-change": "{user} --name flo",
    "user-create": "fay",
    "user-disable": "{user}",
    "user-invite": "{mailed}",
    "user-list": "",
    "versions-deploy": "{agent} v2",
    "versions-history": "{agent}",
    "versions-pin": "{agent} v1 --project {project}",
    "versions-running": "--project {project}",
    "versions-unpin": "{pin} --project {project}",
}
"""What comes after each command, positional arguments first, with what `made_things` made."""

PLACES = {
    "--against": "{testRun} --was wrong",
    "--agent": "{agent}",
    "--artifact": "{artifact}",
    "--correction": "{correction}",
    "--corrector-group": "{group}",
    "--cursor": "{cursor}",
    "--duplicate-of": "{lesson}",
    "--flow": "{flow}",
    "--id": "{project}",
    "--made-by": "{user}",
    "--over": "{lesson}=both",
    "--participant": "{participant}",
    "--project": "{project}",
    "--rater": "{user} --rater somebody",
    "--run": "{run}",
    "--scholar": "{scholar}",
    "--service": "{token}",
    "--session": "{sitting}",
    "--space": "{project}",
    "--subject": "{agent}",
    "--test-run": "{testRun}",
    "--user": "{user}",
    "annotation_id": "{contested}",
    "artifact": "{artifact}",
    "claim": "{scholarClaim}",
    "claim_id": "{claim}",
    "correction": "{correction}",
    "group_name": "{group}",
    "hold": "{hold}",
    "interaction": "{interaction}",
    "job": "{job}",
    "lesson": "{lesson}",
    "of": "{lesson}",
    "passing": "{passing}",
    "pin_id": "{pin}",
    "project": "{project}",
    "queue": "{queue}",
    "run": "{run}",
    "scholar": "{scholar}",
    "session": "{session}",
    "subject": "{agent}",
    "test_run": "{testRun}",
    "token": "{token}",
    "tool": "{tool}",
    "user": "{user}",
}
"""What stands for an argument, or after an option, wherever that names something."""

OTHER_PLACES = {
    ("corrections-withdraw", "correction"): "{held}",
    ("jobs-retry", "job"): "{cancelled}",
    ("review-adjudicate", "run"): "{disagreed}",
    ("user-invite", "user"): "{mailed}",
}
"""The same where the name means something else in one command."""

WORDS = """
    --agent-version --all --answer --answer-match --any-reviewer --anybody --aspect --attribution --briefings
    --calls-match --calls-order --claim --claim-seconds --concurrency --decisions --deploy --dry-run --email --ended
    --endpoint --evidence --expected --experts --expert --expires --external-id --file --focus --format --header --history --hold
    --if-match --institution --interactions --item --junit --keep-old-minutes --key --kind --licence --limit --line --mapping
    --markdown --method --min-reviewer-role --mode --must-not-call --name --no-email --note --noticed-by --orcid
    --outputs --partial --position --principal-kind --reads --reason --repeat --retired --reviewer-role --reviewers --role
    --rule --run-file --runs --runs-per-day --sample --sample-rate --scope --scopes --severity --should-call --should-say
    --since --sort-to --sorted-to --source --source-type --state --status --subject-version --superseded --text
    --timeout --type --until --verdict --version --was --weight --what-happened --why --words --yes effect file files
    form name rating rule version word words
""".split()  # noqa: SIM905
"""What names nothing: choices, numbers, times, words and files."""

OTHER_WORDS = {("test", "--agent"), ("knowledge-correct", "--correction")}
"""What names nothing in one command."""

SETTINGS = {"help", "as_json", "url", "database", "data_folder", "config"}


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it is loaded: its path joined by dashes, and what it takes."""

    name: str
    arguments: tuple[str, ...]
    options: tuple[str, ...]
    flags: frozenset[str]

    @property
    def words(self) -> list[str]:
        """How it is called."""
        return list(_PATHS[self.name])

    @property
    def places(self) -> list[str]:
        """The arguments and options that name something."""
        return [one for one in self.taken if one not in WORDS and (self.name, one) not in OTHER_WORDS]

    @property
    def taken(self) -> list[str]:
        """Whatever takes a value."""
        return [one for one in (*self.arguments, *self.options) if one not in self.flags]


_PATHS: dict[str, tuple[str, ...]] = {}


def every_command() -> list[Command]:
    """All the commands that there are."""
    found: list[Command] = []
    for top in COMMANDS:
        for path, command in leaves(top, load(top)):
            words = tuple(path.split())
            _PATHS["-".join(words)] = words
            found.append(_command("-".join(words), command))
    return found


def _command(name: str, command: Any) -> Command:
    taken = [one for one in command.params if one.name not in SETTINGS]
    options = [one for one in taken if one.param_type_name == "option"]
    return Command(
        name,
        tuple(one.name for one in taken if one.param_type_name == "argument"),
        tuple(one.opts[0] for one in options),
        frozenset(one.opts[0] for one in options if one.is_flag),
    )


def line_of(command: Command, made: Mapping[str, str]) -> str:
    """What comes after the command, about what was made."""
    return LINES[command.name].format(**made)


def line_with(command: Command, place: str, own: Mapping[str, str], foreign: Mapping[str, str]) -> str:
    """The same with something foreign in one place."""
    named = (OTHER_PLACES.get((command.name, place)) or PLACES[place]).format(**foreign)
    line = line_of(command, own)
    if place.startswith("--"):
        before, found, after = line.partition(f"{place} ")
        return f"{before}{place} {named} {after.partition(' ')[2] if found else ''}".strip()
    parts = line.split(" ")
    at = command.arguments.index(place)
    return " ".join([*parts[:at], named, *parts[at + 1 :]])
