"""The seed and the counts of every run, at the end."""

from typing import Any

from tests_slow.fuzz.fuzzing import TOLD


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what each run was and came to."""
    for line in TOLD:
        terminalreporter.write_line(line)
