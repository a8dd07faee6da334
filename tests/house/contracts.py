"""Two contract types for import-linter: what a part may import directly, and the front doors of the rooms.

Unlike import-linter's own "forbidden", a part that does not exist yet is no fault, so the contracts can name
every part of the plan from the first day on.
"""

import sys
from abc import abstractmethod
from collections.abc import Iterable

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

Edge = tuple[str, str]
NOTHING = "none"
OURS = "setright"


def inside(module: str, package: str) -> bool:
    """Tell whether a module is a package or stands in it."""
    return module == package or module.startswith(f"{package}.")


def direct_imports(graph: ImportGraph, package: str) -> Iterable[Edge]:
    """Yield what the modules of a package import from outside of it."""
    for module in sorted(graph.modules):
        if inside(module, package):
            for imported in sorted(graph.find_modules_directly_imported_by(module)):
                if not inside(imported, package):
                    yield module, imported


def within(imported: str, allowed: list[str]) -> bool:
    """Tell whether a module stands on a list; no list allows everything, the word "none" allows nothing."""
    return not allowed or any(inside(imported, name) for name in allowed if name != NOTHING)


class Ours(Contract):
    """A contract that keeps the edges which break it."""

    @abstractmethod
    def broken(self, graph: ImportGraph) -> list[Edge]:
        """List the imports that break the contract."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Hold the graph of imports against the contract."""
        edges = self.broken(graph)
        return ContractCheck(kept=not edges, metadata={"edges": edges})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print the imports that break the contract."""
        for importer, imported in check.metadata["edges"]:
            output.print_error(f"{importer} imports {imported}")

    def listed(self, option: str) -> list[str]:
        """Read an option of the contract; one that was left out is an empty list."""
        return list(getattr(self, option) or [])


class Direct(Ours):
    """What the sources may import themselves: only some of ours, only some of others, never these."""

    sources = fields.ListField(subfield=fields.StringField())
    only_ours = fields.ListField(subfield=fields.StringField(), required=False)
    only_others = fields.ListField(subfield=fields.StringField(), required=False)
    never = fields.ListField(subfield=fields.StringField(), required=False)

    def broken(self, graph: ImportGraph) -> list[Edge]:
        edges = [edge for source in self.listed("sources") for edge in direct_imports(graph, source)]
        return [edge for edge in edges if not self._allows(edge[1])]

    def _allows(self, imported: str) -> bool:
        if any(inside(imported, name) for name in self.listed("never")):
            return False
        if inside(imported, OURS):
            return within(imported, self.listed("only_ours"))
        return imported.split(".", maxsplit=1)[0] in sys.stdlib_module_names or within(
            imported, self.listed("only_others")
        )


class FrontDoors(Ours):
    """A room's modules are imported by the room itself; everybody else imports the room."""

    rooms = fields.ListField(subfield=fields.StringField())
    readers_of_tables = fields.ListField(subfield=fields.StringField(), required=False)

    def broken(self, graph: ImportGraph) -> list[Edge]:
        return [
            (importer, imported)
            for room in self.listed("rooms")
            for imported in sorted(graph.modules)
            if imported.startswith(f"{room}.")
            for importer in sorted(graph.find_modules_that_directly_import(imported))
            if not inside(importer, room) and not self._reads_tables(importer, imported, room)
        ]

    def _reads_tables(self, importer: str, imported: str, room: str) -> bool:
        return imported == f"{room}.tables" and importer in self.listed("readers_of_tables")
