"""What our examples use of curl, for machines that have none: -sS, -H, -d, -w and one address."""

import argparse
import os
import shutil
import sys
import urllib.error
import urllib.request
from pathlib import Path


def path_with_curl(folder: Path, *, even_if_there: bool = False) -> str:
    """A search path on which curl is found: the machine's own, or else this stand-in, put into `folder`."""
    path = os.environ["PATH"]
    if shutil.which("curl") and not even_if_there:
        return path
    program = folder / "curl"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I "{Path(__file__).resolve()}" "$@"\n')
    program.chmod(0o755)
    return f"{folder}:{path}"


def main() -> None:
    """Send one request and write the body of its answer, whatever its status."""
    arguments = argparse.ArgumentParser(allow_abbrev=False)
    arguments.add_argument("-s", action="store_true")
    arguments.add_argument("-S", action="store_true")
    arguments.add_argument("-H", action="append", default=[])
    arguments.add_argument("-d")
    arguments.add_argument("-w", default="")
    arguments.add_argument("url")
    given = arguments.parse_args()
    headers = dict(line.split(": ", 1) for line in given.H)
    body = None if given.d is None else given.d.encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(given.url, body, headers), timeout=30) as answer:
            sys.stdout.write(answer.read().decode())
    except urllib.error.HTTPError as refused:
        sys.stdout.write(refused.read().decode())
    sys.stdout.write(given.w.replace("\\n", "\n"))


if __name__ == "__main__":
    main()
