"""`./dev sbom`: a bill of materials of what is locked, as CycloneDX JSON; the same bytes whenever it is made."""

import json
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from packaging.utils import canonicalize_name

from tests.house.rules_of_tree import READ_BY_HAND
from tests_slow.supply.locked import ROOT, Locked, locked

VERSION = "1.6"


def installed(root: Path = ROOT) -> dict[str, Distribution]:
    """What is installed in the environment of the developers, by name."""
    places = [str(place) for place in (root / ".venv").glob("lib/python*/site-packages")]
    return {canonicalize_name(one.name): one for one in distributions(path=places)}


def licence_of(package: Locked, known: Mapping[str, Distribution]) -> str:
    """What a package says of its licence; empty where it is not installed here and was not read by hand."""
    name = canonicalize_name(package.name)
    if name in READ_BY_HAND or name not in known:
        return READ_BY_HAND.get(name, "")
    told = known[name].metadata
    classifiers = [line for line in told.get_all("Classifier", []) if line.startswith("License ::")]
    ways = (told.get_all("License-Expression", []), told.get_all("License", []), classifiers)
    return next((way[0].split("\n")[0].rpartition(" :: ")[2] for way in ways if way), "")


def component(package: Locked, licence: str) -> dict[str, Any]:
    """A package with the hashes of its files, its licence, and the sets in which it is installed."""
    purl = f"pkg:pypi/{canonicalize_name(package.name)}@{package.version}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "purl": purl,
        "scope": "excluded" if package.sets == ("development",) else "required",
        "licenses": [_licence(licence)] if licence else [],
        "hashes": [{"alg": "SHA-256", "content": one} for one in package.hashes],
        "properties": [{"name": "setright:set", "value": name} for name in package.sets],
    }


def bill(packages: list[Locked], known: Mapping[str, Distribution]) -> str:
    """The whole document; what it is called follows from what stands in it."""
    components = [component(package, licence_of(package, known)) for package in packages]
    content = json.dumps(components, sort_keys=True)
    told = {
        "bomFormat": "CycloneDX",
        "specVersion": VERSION,
        "version": 1,
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, content)}",
        "metadata": {"component": {"type": "application", "name": "setright", "bom-ref": "setright"}},
        "components": components,
    }
    return json.dumps(told, indent=2) + "\n"


def fault_in(text: str) -> str:
    """What is wrong with a document by the schema of CycloneDX; empty when nothing is."""
    schema = import_module("cyclonedx.schema").SchemaVersion.V1_6
    fault = import_module("cyclonedx.validation.json").JsonStrictValidator(schema).validate_str(text)
    return "" if fault is None else str(fault)


def _licence(text: str) -> dict[str, Any]:
    spdx = import_module("cyclonedx.spdx")
    if spdx.is_supported_id(text):
        return {"license": {"id": text}}
    return {"expression": text} if spdx.is_expression(text) else {"license": {"name": text}}


def main(arguments: list[str]) -> int:
    """Write the bill to the file that is named, or print it."""
    packages, known = locked(), installed()
    text = bill(packages, known)
    fault = fault_in(text)
    if fault:
        print(f"./dev sbom: this is no CycloneDX: {fault}", file=sys.stderr)
        return 2
    if arguments:
        Path(arguments[0]).write_text(text, "utf-8")
    else:
        sys.stdout.write(text)
    silent = [package.name for package in packages if not licence_of(package, known)]
    print(f"{len(packages)} packages; without a licence here: {', '.join(silent) or 'none'}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
