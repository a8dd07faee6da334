"""The wheel, built once, and an environment to install it into."""

import pytest

from tests.readme.installed import Installed, build_wheel, new_environment


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An environment that could install the wheel, in an empty folder."""
    wheels = tmp_path_factory.mktemp("wheels")
    build_wheel(wheels)
    home = tmp_path_factory.mktemp("home")
    return Installed(new_environment(tmp_path_factory.mktemp("environment") / "venv"), home, wheels)
