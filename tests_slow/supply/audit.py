"""`./dev audit`: what is locked, held against known advisories; 0 without a finding, 1 with one, 2 where nobody could tell."""

import json
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from tests_slow.supply.locked import ROOT, Locked, locked

SOURCES = ("osv", "pypi")
"""The services that are asked, the one after the other where one is not reached."""
SECONDS = 300
Advisory = Mapping[str, Any]


def findings(packages: Iterable[Locked], advisories: Sequence[Advisory]) -> list[str]:
    """What advisories in the form of OSV say of what is locked, a line each."""
    return sorted(
        f"{package.name} {package.version}: {advisory['id']} {advisory.get('summary', '')}".rstrip()
        for package in packages
        for advisory in advisories
        if "withdrawn" not in advisory
        and any(_is_about(one, package) for one in advisory.get("affected", ()))
    )


def _is_about(affected: Mapping[str, Any], package: Locked) -> bool:
    named = affected.get("package", {})
    if named.get("ecosystem") != "PyPI" or canonicalize_name(named["name"]) != canonicalize_name(
        package.name
    ):
        return False
    ranges = [one for one in affected.get("ranges", ()) if one.get("type") == "ECOSYSTEM"]
    listed = package.version in affected.get("versions", ())
    return listed or any(_is_within(one.get("events", ()), Version(package.version)) for one in ranges)


def _is_within(events: Iterable[Mapping[str, str]], version: Version) -> bool:
    """Whether a version lies in a range of OSV: its events in their order, the last that it reached counts."""
    within = False
    for event in events:
        ((kind, at),) = event.items()
        if kind == "introduced" and (at == "0" or version >= _read(at)):
            within = True
        if (kind == "fixed" and version >= _read(at)) or (kind == "last_affected" and version > _read(at)):
            within = False
    return within


def _read(text: str) -> Version:
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0")


def of_file(path: Path) -> list[Advisory]:
    """The advisories in a file: a JSON array of them, or one a line."""
    text = path.read_text("utf-8").strip()
    if not text:
        raise ValueError("the file is empty")
    read = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]
    if not read or not all(isinstance(one, dict) and "id" in one for one in read):
        raise ValueError("the file holds no advisories in the form of OSV")
    return read


def of_service(source: str, root: Path = ROOT) -> list[str] | str:
    """What a service says of what is locked, a line each; or, as a text, why nobody could tell."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "found.json"
        command = [
            sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--progress-spinner", "off",
            "--vulnerability-service", source, "--format", "json", "--output", out, "--timeout", "15",
            "--requirement", root / "requirements.txt",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"no answer within {SECONDS} s"
        if done.returncode not in (0, 1) or not out.is_file():
            return (done.stderr.strip().splitlines() or ["it ended without a word"])[-1][:300]
        return told(json.loads(out.read_text("utf-8")))


def told(report: Mapping[str, Any]) -> list[str] | str:
    """The report of the service as lines; a package that it skipped makes it no answer."""
    packages = report.get("dependencies", ())
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    if skipped or not packages:
        return (
            f"it said nothing of {len(skipped)} packages, such as {skipped[0]}"
            if skipped
            else "it said nothing"
        )
    return [f"{one['name']} {one['version']}: {each['id']}" for one in packages for each in one["vulns"]]


def main(arguments: list[str]) -> int:
    """Audit, and say by what."""
    parser = ArgumentParser(prog="./dev audit", description=__doc__)
    parser.add_argument(
        "--database", type=Path, help="a file of advisories in the form of OSV, instead of a service"
    )
    given = parser.parse_args(arguments)
    packages = locked()
    if given.database is not None:
        try:
            return _say(findings(packages, of_file(given.database)), str(given.database), len(packages))
        except (OSError, ValueError) as error:
            print(f"./dev audit: {given.database} cannot be used: {error}", file=sys.stderr)
            return 2
    for source in SOURCES:
        found = of_service(source)
        if not isinstance(found, str):
            return _say(found, source, len(packages))
        print(f"./dev audit: {source} could not be asked: {found}", file=sys.stderr)
    print("./dev audit: nobody could tell; this says nothing of what is locked.", file=sys.stderr)
    return 2


def _say(found: list[str], source: str, count: int) -> int:
    for line in found:
        print(line)
    print(f"{count} packages, {len(found)} findings, by {source}.", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
