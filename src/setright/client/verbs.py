"""How one description of a call becomes a method of the plain client and one of the asynchronous client."""

import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Concatenate, ParamSpec, Required, TypeVar, get_args, get_origin

from setright.client.paging import Page
from setright.client.request import Plan, Request
from setright.client.senders import AsyncSender, Sender

P = ParamSpec("P")
T = TypeVar("T")


class Resource:
    """What the plain client does with one kind of thing; `sender` is how its requests go out."""

    def __init__(self, sender: Sender) -> None:
        self.sender = sender


class AsyncResource:
    """What the asynchronous client does with one kind of thing; `sender` is how its requests go out."""

    def __init__(self, sender: AsyncSender) -> None:
        self.sender = sender


def sends(describe: Callable[P, Request[T]]) -> Callable[Concatenate[Any, P], T]:
    """The method that sends what `describe` describes and returns what the answer holds."""

    def verb(self: Resource, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.sender.send(describe(*args, **kwargs))

    return _named(verb, describe)


def follows(describe: Callable[P, Plan[T]]) -> Callable[Concatenate[Any, P], T]:
    """The method that follows a plan of several requests to its end."""

    def verb(self: Resource, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.sender.follow(describe(*args, **kwargs))

    return _named(verb, describe)


def walks(describe: Callable[P, Request[Page[T]]]) -> Callable[Concatenate[Any, P], Iterator[T]]:
    """The method that walks through a list entry by entry, asking for its pages as they are needed."""

    def verb(self: Resource, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        return self.sender.each(describe(*args, **kwargs))

    return _named(verb, describe, walked=Iterator)


def sends_async(describe: Callable[P, Request[T]]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """`sends` for the asynchronous client."""

    async def verb(self: AsyncResource, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.sender.send(describe(*args, **kwargs))

    return _named(verb, describe)


def follows_async(describe: Callable[P, Plan[T]]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """`follows` for the asynchronous client."""

    async def verb(self: AsyncResource, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.sender.follow(describe(*args, **kwargs))

    return _named(verb, describe)


def walks_async(describe: Callable[P, Request[Page[T]]]) -> Callable[Concatenate[Any, P], AsyncIterator[T]]:
    """`walks` for the asynchronous client."""

    def verb(self: AsyncResource, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        return self.sender.each(describe(*args, **kwargs))

    return _named(verb, describe, walked=AsyncIterator)


V = TypeVar("V", bound=Callable[..., Any])


def _named(verb: V, describe: Callable[..., Any], walked: Any = None) -> V:
    """Gives a method what help() and completion show: name, docstring, and the fields behind `**fields` one by one.

    `walked` is the type of iterator that a method returns which walks through a list.
    """
    verb.__name__ = describe.__name__
    verb.__doc__ = describe.__doc__
    verb.__signature__ = _signature(describe, walked)
    return verb


def _signature(describe: Callable[..., Any], walked: Any) -> inspect.Signature:
    described = inspect.signature(describe)
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)]
    for parameter in described.parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            (fields,) = get_args(parameter.annotation)
            parameters += [_field(name, hint) for name, hint in fields.__annotations__.items()]
        else:
            parameters.append(parameter)
    answered = get_args(described.return_annotation)[-1]
    return inspect.Signature(
        parameters, return_annotation=walked[get_args(answered)[0]] if walked else answered
    )


def _field(name: str, hint: Any) -> inspect.Parameter:
    required = get_origin(hint) is Required
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if required else None,
        annotation=get_args(hint)[0] if required else hint,
    )
