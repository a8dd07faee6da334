"""A row of the table of routes: everything about one method of one path."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from setright.app.catalog import Operation, Query
from setright.faces.http.parameters import Parameters
from setright.faces.http.request import Request
from setright.faces.http.show import Show
from setright.kernel.answer import Answer
from setright.kernel.fields import Input
from setright.kernel.paging import Place


class Nothing(Input):
    """A body or query in which nothing may stand."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request asks, checked and typed: `after` is the place in its cursor, if it has one.

    `known` holds the updatedAt of the states that If-Match names, None without one.
    """

    path: Mapping[str, str]
    query: Any
    body: Any
    after: Place | None
    known: frozenset[int] | None

    @property
    def page(self) -> dict[str, Any]:
        """Which page of a list: the arguments that every list takes."""
        return {"after": self.after, "limit": self.query.limit}


@dataclass(frozen=True, slots=True)
class Example:
    """An example of a request and its answer; `path` gives the parameters of the path."""

    answer: Any = None
    body: Any = None
    path: Mapping[str, str] = field(default_factory=dict[str, str])
    query: str = ""


@dataclass(frozen=True)
class Route:
    """A method of a path that calls one operation or query.

    `arguments` names what the operation or query takes, `show` turns its result into the answer, `answers` is the
    model of one entry or, without a list or with a head above it, of the whole answer, `refuses` lists the codes of
    what the rooms may refuse. `numbers` names those parameters of the path that are whole numbers (`number_in` reads
    them). `optional_body` takes an empty body for `{}`, `more` says in the API's document what the
    summary leaves out.
    """

    method: str
    path: str
    name: str
    summary: str
    does: Operation | Query
    arguments: Callable[[Asked], Mapping[str, Any]]
    show: Show
    answers: type[BaseModel] | None
    example: Example
    refuses: tuple[str, ...] = ()
    body: type[Input] | None = None
    query: type[Input] = Nothing
    optional_body: bool = False
    numbers: tuple[str, ...] = ()
    more: str = ""
    parameters: tuple[str, ...] = field(init=False)
    reader: Parameters = field(init=False)

    def __post_init__(self) -> None:
        names = tuple(segment[1:-1] for segment in self.path.split("/") if segment.startswith("{"))
        object.__setattr__(self, "parameters", names)
        object.__setattr__(self, "reader", Parameters(self.query))

    @property
    def tag(self) -> str:
        """The first word of the path after the version, under which the route is listed."""
        return self.path.split("/")[2]

    @property
    def writes(self) -> bool:
        """Whether it changes something for the caller, so that it may have a body and a key.

        A GET of an operation does not: what that writes is only the ledger's own record of the answer.
        """
        return isinstance(self.does, Operation) and self.method != "GET"


@dataclass(frozen=True)
class OpenRoute:
    """What needs no token: `answer` is given the server, and answers in the form `produces`.

    One that has a `body` is a POST, of which `answers` is a 201; `example` shows both.
    """

    path: str
    name: str
    summary: str
    answer: Callable[[Any, Request], Awaitable[Answer]]
    produces: str = "application/json"
    answers: type[BaseModel] | None = None
    refuses: tuple[str, ...] = ()
    method: str = "GET"
    parameters: tuple[str, ...] = ()
    tag: str = "server"
    body: type[Input] | None = None
    example: Example = field(default_factory=Example)
    more: str = ""
