"""`import setright` is light, and its names come on first use."""

import json
import subprocess
import sys

import pytest

import setright

HEAVY = {"asyncio", "email", "http", "inspect", "logging", "sqlite3", "ssl", "urllib"}


def loaded_by(statement: str) -> set[str]:
    """List the top-level modules that a statement adds to a bare interpreter."""
    code = (
        "import sys, json; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(json.dumps(sorted({name.split('.')[0] for name in set(sys.modules) - before})))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def foreign(names: set[str]) -> set[str]:
    return {name for name in names if name not in sys.stdlib_module_names} - {"setright"}


def test_importing_the_package_loads_nothing_but_itself() -> None:
    loaded = loaded_by("import setright; setright.__version__")
    assert not foreign(loaded)
    assert not loaded & HEAVY


def test_a_heavy_import_is_found() -> None:
    assert "httpx2" in foreign(loaded_by("import httpx2"))
    assert "asyncio" in loaded_by("import asyncio")


@pytest.mark.parametrize("name", ["Setright", "AsyncSetright", "Recorder", "FakeSetright"])
def test_the_client_comes_on_first_use(name: str) -> None:
    assert getattr(setright, name).__module__.startswith("setright.client")
    assert name in dir(setright)


@pytest.mark.parametrize("name", ["nothing"])
def test_an_unknown_name_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        getattr(setright, name)
