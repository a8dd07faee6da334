"""Setright, the corrections ledger for AI agents: correct it once, and it stays right."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES: dict[str, str] = dict.fromkeys(
    ("Setright", "AsyncSetright", "Recorder", "FakeSetright", "AsyncFakeSetright"), "setright.client"
)


def __getattr__(name: str) -> Any:
    """Load a public name on first use (PEP 562), so that importing the package loads no HTTP library."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """List the public names, also those that are not loaded yet."""
    return sorted(["__version__", *_HOMES])
