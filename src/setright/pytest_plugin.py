"""The options of the pytest plugin: without `--setright` it loads nothing and does nothing."""

import pytest

_WORKER = "setright.client.runner.as_pytest"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options, in a group of their own."""
    group = parser.getgroup("setright", "test an agent against the corrections in Setright")
    group.addoption(
        "--setright",
        action="store_true",
        help="One test for each correction of a subject (SETRIGHT_URL, SETRIGHT_TOKEN).",
    )
    for name, metavar, text in (
        ("project", "ID", "The project whose corrections are tested."),
        ("subject", "NAME", "The agent that is tested."),
        ("flow", "NAME", "The flow that is tested, instead of an agent."),
        ("version", "VERSION", "The version that is tested."),
        ("agent", "MODULE:FUNCTION", "What is called with each case."),
        ("endpoint", "URL", "What each case is posted to, instead of a function."),
    ):
        group.addoption(f"--setright-{name}", metavar=metavar, help=text)
    for name, kind, default, text in (
        ("concurrency", int, 1, "How many cases at a time, for each process."),
        ("repeat", int, 1, "How often each case is tried."),
        ("timeout", float, 300.0, "Seconds for each case."),
    ):
        group.addoption(f"--setright-{name}", type=kind, default=default, help=f"{text} Default: {default}.")
    group.addoption(
        "--setright-status",
        action="append",
        metavar="STATUS",
        help="Only corrections in this status; may be given several times.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Load the plugin proper where it is wanted."""
    config.addinivalue_line("markers", "setright: a test that holds an agent against a correction")
    if config.getoption("setright"):
        config.pluginmanager.import_plugin(_WORKER)
