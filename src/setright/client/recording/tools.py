"""Tools that record their own calls: into the run of the context they are called in, or into one run."""

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

P = ParamSpec("P")
T = TypeVar("T")
HIDDEN = "(not recorded)"


class BegunCall(Protocol):
    """A tool call that has begun."""

    def end(self, result: object = None, *, ended_at: datetime | None = None) -> None:
        """It gave this back."""
        ...

    def fail(self, error: object, *, ended_at: datetime | None = None) -> None:
        """It failed."""
        ...


class TakesCalls(Protocol):
    """A run that takes tool calls."""

    def start_call(
        self, tool: str, args: object = None, *, started_at: datetime | None = None, agent: str | None = None
    ) -> BegunCall:
        """A tool call that begins now."""
        ...


CURRENT: ContextVar[TakesCalls | None] = ContextVar("setright_run", default=None)
"""The run whose block we are in."""


class Tool:
    """Wraps functions, plain or asynchronous, so that each call of one is recorded with its times.

    The `run` is the one that is given, else that of the context: tasks have it from where they were started, a new
    thread only if it runs in a copy of the context. Where there is no run, nothing is recorded. A call that raises is
    recorded as failed, and the exception goes on.
    """

    def __init__(self, run: TakesCalls | None = None) -> None:
        self._run = run

    @overload
    def __call__(self, function: Callable[P, T], /) -> Callable[P, T]: ...
    @overload
    def __call__(
        self, /, *, name: str | None = None, without: Collection[str] = (), agent: str | None = None
    ) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
    def __call__(
        self,
        function: Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        without: Collection[str] = (),
        agent: str | None = None,
    ) -> Any:
        """Wrap a function, or say how one is to be wrapped.

        `name` is the tool's, left out that of the function; the values of the arguments in `without` are not recorded;
        `agent` is the sub-agent that calls it.
        """
        if function is not None:
            return self._wrapped(function, _Call(function, name, without, agent))

        def wrap(wrapped: Callable[..., Any]) -> Callable[..., Any]:
            return self._wrapped(wrapped, _Call(wrapped, name, without, agent))

        return wrap

    def _wrapped(self, function: Callable[..., Any], call: "_Call") -> Callable[..., Any]:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def awaited(*args: Any, **kwargs: Any) -> Any:
                recording = call.begins(self._run or CURRENT.get(), args, kwargs)
                try:
                    result = await function(*args, **kwargs)
                except BaseException as error:
                    _fails(recording, error)
                    raise
                return _ends(recording, result)

            return awaited

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            recording = call.begins(self._run or CURRENT.get(), args, kwargs)
            try:
                result = function(*args, **kwargs)
            except BaseException as error:
                _fails(recording, error)
                raise
            return _ends(recording, result)

        return called


class _Call:
    """How the calls of one function are recorded."""

    def __init__(
        self, function: Callable[..., Any], name: str | None, without: Collection[str], agent: str | None
    ) -> None:
        self._name = name or getattr(function, "__name__", type(function).__name__)
        self._without = frozenset(without)
        self._agent = agent
        try:
            self._signature = inspect.signature(function)
        except (TypeError, ValueError):
            self._signature = None

    def begins(
        self, run: TakesCalls | None, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> BegunCall | None:
        """The call as it begins; None where nothing is recorded."""
        if run is None:
            return None
        said = {
            name: HIDDEN if name in self._without else value
            for name, value in self._named(args, kwargs).items()
        }
        return run.start_call(self._name, said, started_at=datetime.now(UTC), agent=self._agent)

    def _named(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Mapping[str, Any]:
        try:
            bound = self._signature.bind(*args, **kwargs).arguments if self._signature else None
        except TypeError:
            bound = None
        if bound is None or self._signature is None:
            return {**({"args": list(args)} if args else {}), **kwargs}
        named: dict[str, Any] = {}
        for place, (name, value) in enumerate(bound.items()):
            kind = self._signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_KEYWORD:
                named |= cast("dict[str, Any]", value)
            elif place > 0 or name not in ("self", "cls"):
                named[name] = value
        return named


def _ends(recording: BegunCall | None, result: T) -> T:
    if recording is not None:
        recording.end(result)
    return result


def _fails(recording: BegunCall | None, error: BaseException) -> None:
    if recording is not None:
        recording.fail(error)
