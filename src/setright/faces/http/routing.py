"""Which route a request belongs to, told from the raw path, so that an encoded slash stays inside its segment."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes

from setright.faces.http.errors import InvalidPath, MethodNotAllowed, RouteNotFound
from setright.faces.http.route import OpenRoute, Route

_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


@dataclass(slots=True)
class _Node:
    """A place in the tree of paths: what may follow, and the routes that end here."""

    literals: dict[str, "_Node"] = field(default_factory=dict[str, "_Node"])
    parameter: "_Node | None" = None
    routes: dict[str, Route | OpenRoute] = field(default_factory=dict[str, Route | OpenRoute])


class Router:
    """Finds a route by method and raw path; literal segments come before parameters.

    `/v1/runs/batch` answers POST, and GET `/v1/runs/batch` is still the run with the id `batch`.
    """

    def __init__(self, routes: Iterable[Route | OpenRoute]) -> None:
        self._root = _Node()
        self._exact: dict[tuple[str, bytes], Route | OpenRoute] = {}
        for route in routes:
            self._add(route)

    def _add(self, route: Route | OpenRoute) -> None:
        node = self._root
        for segment in route.path.split("/"):
            if segment.startswith("{"):
                node.parameter = node.parameter or _Node()
                node = node.parameter
            else:
                node = node.literals.setdefault(segment, _Node())
        if route.method in node.routes:
            raise ValueError(f"{route.method} {route.path} is in the table twice")
        node.routes[route.method] = route
        if "{" not in route.path:
            self._exact[route.method, route.path.encode()] = route

    def find(self, method: str, raw_path: bytes) -> tuple[Route | OpenRoute, dict[str, str]]:
        """The route and the decoded parameters of its path; HEAD finds GET. Refuses with 404, 405 or 400."""
        wanted = "GET" if method == "HEAD" else method
        exact = self._exact.get((wanted, raw_path))
        if exact is not None:
            return exact, {}
        segments = _decoded(raw_path)
        found = list(_ends(self._root, segments, 0, ()))
        for node, values in found:
            route = node.routes.get(wanted)
            if route is not None:
                return route, dict(zip(route.parameters, values, strict=True))
        if not found:
            raise RouteNotFound("There is no such path; GET /docs lists every one.")
        allowed = _methods(node for node, _ in found)
        raise MethodNotAllowed(
            f"This path has no method {method[:20]}; it has {', '.join(allowed)}.", {"allowed": allowed}
        )


def _ends(
    node: _Node, segments: list[str], place: int, values: tuple[str, ...]
) -> Iterator[tuple[_Node, tuple[str, ...]]]:
    """Every place of the tree to which the segments lead, the most literal first."""
    if place == len(segments):
        if node.routes:
            yield node, values
        return
    segment = segments[place]
    literal = node.literals.get(segment)
    if literal is not None:
        yield from _ends(literal, segments, place + 1, values)
    if node.parameter is not None and segment:
        yield from _ends(node.parameter, segments, place + 1, (*values, segment))


def _methods(nodes: Iterable[_Node]) -> list[str]:
    methods = {method for node in nodes for method in node.routes}
    methods |= {"OPTIONS", "HEAD"} if "GET" in methods else {"OPTIONS"}
    return sorted(methods)


def _decoded(raw_path: bytes) -> list[str]:
    """The segments of a path, each decoded by itself; refuses what is badly encoded and dot segments."""
    try:
        text = raw_path.decode("ascii")
    except UnicodeDecodeError:
        raise InvalidPath("The path has a byte outside ASCII; percent-encode it.") from None
    segments = text.split("/")
    if "%" in text:
        if _BAD_ESCAPE.search(text):
            raise InvalidPath("The path has a % that two hexadecimal digits do not follow.")
        try:
            segments = [
                unquote_to_bytes(segment).decode("utf-8") if "%" in segment else segment
                for segment in segments
            ]
        except UnicodeDecodeError:
            raise InvalidPath("The path is not UTF-8 where it is percent-encoded.") from None
        if "%00" in text:
            raise InvalidPath("The path has U+0000 in it.")
    if "." in segments or ".." in segments:
        raise InvalidPath("The path has a segment . or .., which names nothing here.")
    return segments
