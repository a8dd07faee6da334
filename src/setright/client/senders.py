"""The two senders: the only places that send, wait and sleep; what to send and when is decided by the parts they share."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2

from setright.client.errors import SetrightError
from setright.client.paging import Page, next_page
from setright.client.request import Answer, Plan, Request
from setright.client.retries import Attempts, Lost, Retries

T = TypeVar("T")


@dataclass(frozen=True)
class Target:
    """Where requests go and as whom; `headers` go with every request."""

    url: str
    headers: dict[str, str]
    timeout: float
    retries: Retries


class Sender:
    """Sends requests one at a time on the calling thread; it may be shared by threads."""

    def __init__(
        self, target: Target, transport: httpx2.BaseTransport | None, sleep: Callable[[float], object]
    ) -> None:
        self._target = target
        self._sleep = sleep
        self._http = httpx2.Client(headers=target.headers, timeout=target.timeout, transport=transport)

    def send(self, request: Request[T]) -> T:
        """What the answer to `request` holds, after as many tries as the rule allows."""
        attempts = Attempts(request, self._target.retries, self._target.url)
        while True:
            settled = attempts.settle(self._try(request))
            if isinstance(settled, Answer):
                return request.read(settled)
            self._sleep(settled)

    def follow(self, plan: Plan[T]) -> T:
        """What a plan of several requests comes to."""
        try:
            request = next(plan)
            while True:
                try:
                    held = self.send(request)
                except SetrightError as error:
                    request = plan.throw(error)
                else:
                    request = plan.send(held)
        except StopIteration as end:
            return end.value

    def each(self, request: Request[Page[T]]) -> Iterator[T]:
        """Every entry of a list, page by page; the next page is asked for when the one before is used up."""
        asked: Request[Page[T]] | None = request
        while asked is not None:
            page = self.send(asked)
            yield from page.data
            asked = next_page(asked, page)

    def close(self) -> None:
        """Closes the connections; may be called twice."""
        self._http.close()

    def _try(self, request: Request[Any]) -> Answer | Lost:
        try:
            return _answer(self._http.send(_request(self._http, self._target, request)))
        except httpx2.RequestError as error:
            return _lost(error)


class AsyncSender:
    """Sends requests from the running event loop."""

    def __init__(
        self,
        target: Target,
        transport: httpx2.AsyncBaseTransport | None,
        sleep: Callable[[float], Awaitable[object]],
    ) -> None:
        self._target = target
        self._sleep = sleep
        self._http = httpx2.AsyncClient(headers=target.headers, timeout=target.timeout, transport=transport)

    async def send(self, request: Request[T]) -> T:
        """What the answer to `request` holds, after as many tries as the rule allows."""
        attempts = Attempts(request, self._target.retries, self._target.url)
        while True:
            settled = attempts.settle(await self._try(request))
            if isinstance(settled, Answer):
                return request.read(settled)
            await self._sleep(settled)

    async def follow(self, plan: Plan[T]) -> T:
        """What a plan of several requests comes to."""
        try:
            request = next(plan)
            while True:
                try:
                    held = await self.send(request)
                except SetrightError as error:
                    request = plan.throw(error)
                else:
                    request = plan.send(held)
        except StopIteration as end:
            return end.value

    async def each(self, request: Request[Page[T]]) -> AsyncIterator[T]:
        """Every entry of a list, page by page; the next page is asked for when the one before is used up."""
        asked: Request[Page[T]] | None = request
        while asked is not None:
            page = await self.send(asked)
            for entry in page.data:
                yield entry
            asked = next_page(asked, page)

    async def close(self) -> None:
        """Closes the connections; may be called twice."""
        await self._http.aclose()

    async def _try(self, request: Request[Any]) -> Answer | Lost:
        try:
            return _answer(await self._http.send(_request(self._http, self._target, request)))
        except httpx2.RequestError as error:
            return _lost(error)


def _request(
    http: httpx2.Client | httpx2.AsyncClient, target: Target, request: Request[Any]
) -> httpx2.Request:
    try:
        return http.build_request(
            request.method, target.url + request.target, content=request.body, headers=request.headers()
        )
    except httpx2.InvalidURL as error:
        raise ValueError(f"the request cannot be sent: {error} ({len(request.target)} characters).") from None


def _answer(response: httpx2.Response) -> Answer:
    return Answer(
        response.status_code,
        {name.lower(): value for name, value in response.headers.items()},
        response.content,
    )


def _lost(error: httpx2.RequestError) -> Lost:
    """A failure on the way; a certificate that is not trusted or an answer that cannot be read stays so."""
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__ or cause.__context__
    lasting = (
        httpx2.DecodingError,
        httpx2.TooManyRedirects,
        httpx2.LocalProtocolError,
        httpx2.UnsupportedProtocol,
    )
    return Lost(error, passing=cause is None and not isinstance(error, lasting))
