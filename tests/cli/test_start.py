"""The command answers for help at once, and says which package is missing."""

import json
import subprocess
import sys

import pytest

from setright import __version__
from setright.faces.cli.main import COMMANDS
from tests.cli.shell import Shell

HEAVY = {
    "alembic",
    "asyncio",
    "httpx2",
    "psycopg",
    "pydantic",
    "sqlalchemy",
    "ssl",
    "starlette",
    "structlog",
    "uvicorn",
}

OF_SERVER = (
    "alembic",
    "psycopg",
    "pysqlite3",
    "rfc8785",
    "sqlalchemy",
    "starlette",
    "structlog",
    "ulid",
    "uvicorn",
)


def python(code: str, shell: Shell) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=shell.bare(),
        cwd=shell.folder,
        check=False,
    )


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], []])
def test_help_loads_nothing_heavy(shell: Shell, arguments: list[str]) -> None:
    done = python(
        "import sys, json\n"
        "from setright.faces.cli.main import main\n"
        f"sys.argv = ['setright', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})), file=sys.stderr)\n",
        shell,
    )
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert not loaded & HEAVY
    assert done.stdout


def test_the_server_loads_no_client(shell: Shell) -> None:
    done = python("import sys, setright.faces.cli.serve; print('httpx2' in sys.modules)", shell)
    assert done.stdout == "False\n", done.stderr


def test_help_names_every_command(shell: Shell) -> None:
    told = shell.outside("--help").good()
    assert all(name in told.out for name in COMMANDS)
    assert shell.outside("--version").good().out == f"setright {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_json(shell: Shell, name: str) -> None:
    told = shell(name, "--help").good().out
    assert COMMANDS[name][2].split()[0] in told or "Usage" in told


def without(*packages: str) -> str:
    """Code that makes packages look not installed."""
    return (
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.split('.')[0] in {packages!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name.split('.')[0])\n"
        "sys.meta_path.insert(0, Missing())\n"
        "from setright.faces.cli.main import main\n"
    )


@pytest.mark.parametrize(
    "arguments", [["serve"], ["runs", "list"], ["bootstrap"], ["doctor"], ["db", "check"], ["openapi"]]
)
def test_a_missing_extra_is_named_with_its_pip_line(shell: Shell, arguments: list[str]) -> None:
    done = python(f"{without(*OF_SERVER)}sys.argv = ['setright', *{arguments!r}]\nmain()\n", shell)
    assert done.returncode == 2, done.stderr
    assert "pip install 'setright[server]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_base_install_speaks_to_a_server(shell: Shell, served: tuple[str, str]) -> None:
    shell.environment |= {"SETRIGHT_URL": served[0], "SETRIGHT_TOKEN": served[1]}
    done = python(
        f"{without(*OF_SERVER)}sys.argv = ['setright', 'project', 'list', '--json']\nmain()\n", shell
    )
    assert done.returncode == 0, done.stderr
    assert "default" in done.stdout
