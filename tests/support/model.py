"""A model of ours behind a chat endpoint on this machine, which answers as a test tells it."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

IN_SHORT = "In short, "
Answers = Callable[[dict[str, Any]], "str | bytes | tuple[int, dict[str, str], bytes]"]


def told(body: dict[str, Any]) -> dict[str, Any]:
    """The question, the composed answer and the facts that a model was told, out of their fence."""
    fence, text, end = body["messages"][1]["content"].split("\n")
    assert fence == end
    return json.loads(text)


def well(body: dict[str, Any]) -> str:
    """The composed sentences in words of a model, each supported."""
    return "\n".join(IN_SHORT + line for line in told(body)["composed"])


def completion(text: str) -> bytes:
    """An answer in the form of the chat completions API."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return json.dumps({"id": "c", "object": "chat.completion", "choices": [choice]}).encode()


class Model:
    """What a model was sent, and how it answers: with a text, with bytes, or with a status, headers and bytes."""

    def __init__(self, answers: Answers = well) -> None:
        self.answers = answers
        self.sent: list[tuple[dict[str, str], dict[str, Any]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                outer.sent.append(({k.lower(): v for k, v in self.headers.items()}, body))
                made = outer.answers(body)
                status, headers, raw = made if isinstance(made, tuple) else (200, {}, made)
                raw = completion(raw) if isinstance(raw, str) else raw
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self.wfile.write(raw)
                except OSError:
                    # The client hung up, as it should on what is too large or too late.
                    self.close_connection = True

            def do_GET(self) -> None:
                outer.sent.append(({}, {"path": self.path}))
                self.send_error(404)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The address of its API."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def close(self) -> None:
        """Answer nothing any more; the port is free."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def a_model(answers: Answers = well) -> Iterator[Model]:
    """A model that answers so, for a while."""
    model = Model(answers)
    try:
        yield model
    finally:
        model.close()
