"""One reader under atheris, which looks for inputs by the lines that they reach; run in the environment of `./dev fuzz`.

`python -m tests_slow.fuzz.guided TARGET SECONDS FOLDER`: what the reader reads well is in FOLDER when it begins, and an
input at which it breaks when it ends.
"""

import sys
from importlib import import_module
from typing import Any

# Only the environment of `./dev fuzz` has it.
atheris: Any = import_module("atheris")

with atheris.instrument_imports(include=["setright"]):
    from setright.kernel.errors import Refusal
    from tests_slow.fuzz.targets import TARGETS


def main() -> None:
    """Give the reader bytes until the time is over; a fault ends the process with its traceback."""
    name, seconds, folder = sys.argv[1:]
    target, _ = TARGETS[name]

    def once(raw: bytes) -> None:
        try:
            target(raw)
        except Refusal:
            return

    limits = [
        f"-max_total_time={seconds}",
        "-rss_limit_mb=2048",
        f"-artifact_prefix={folder}/",
        "-print_final_stats=1",
    ]
    atheris.Setup([sys.argv[0], *limits, f"{folder}/inputs"], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
