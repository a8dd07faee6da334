"""A model behind an OpenAI-compatible chat endpoint, which the operator names."""

import asyncio
import ssl
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import httpx2

from setright.kernel import json
from setright.kernel.errors import Refusal
from setright.outside.errors import ChatTrouble

MOST_BYTES = 256 * 1024
"""No answer is read beyond this."""


class ChatEndpoint:
    """One model at one address. Nothing but that address is ever called: no redirect and no proxy is followed.

    Every call has a connection of its own, and ends within `seconds`.
    """

    def __init__(self, url: str, model: str, key: str, seconds: float) -> None:
        self.model = model
        self.seconds = seconds
        self._url = f"{url.rstrip('/')}/chat/completions"
        # Uncompressed, so that the size of what is read is the size of what was sent.
        self._headers = {"accept": "application/json", "accept-encoding": "identity"}
        if key:
            self._headers["authorization"] = f"Bearer {key}"

    async def say(self, messages: Sequence[tuple[str, str]]) -> str:
        """What the model says to messages, each a role and a text; raises ChatTrouble."""
        told = [{"role": role, "content": text} for role, text in messages]
        body = json.write({"model": self.model, "messages": told, "stream": False})
        try:
            async with asyncio.timeout(self.seconds):
                return _content(await self._post(body))
        except (TimeoutError, httpx2.TimeoutException):
            raise ChatTrouble("slow") from None
        except (httpx2.HTTPError, OSError):
            raise ChatTrouble("down") from None

    async def _post(self, body: bytes) -> bytes:
        headers = {**self._headers, "content-type": "application/json"}
        async with (
            httpx2.AsyncClient(
                verify=self._trust, follow_redirects=False, trust_env=False, timeout=self.seconds
            ) as client,
            client.stream("POST", self._url, content=body, headers=headers) as answer,
        ):
            if answer.status_code != 200:
                raise ChatTrouble("down")
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise ChatTrouble("garbage")
            read = bytearray()
            async for piece in answer.aiter_raw():
                read += piece
                if len(read) > MOST_BYTES:
                    raise ChatTrouble("huge")
            return bytes(read)

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return httpx2.create_ssl_context(trust_env=False)


def _content(raw: bytes) -> str:
    """The text of an answer in the form of the chat completions API."""
    try:
        answer: Any = json.read(raw)
        text = answer["choices"][0]["message"]["content"]
    except (Refusal, LookupError, TypeError):
        raise ChatTrouble("garbage") from None
    if not isinstance(text, str) or not text.strip():
        raise ChatTrouble("garbage")
    return text
