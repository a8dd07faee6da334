"""What of uvicorn our protocol stands on; a newer uvicorn that changes it fails here first."""

import inspect
from typing import Any

from sse_starlette.sse import AppStatus
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import Server

from setright.faces.http.protocol import Protocol
from setright.faces.http.serve import _Server


def of_uvicorn(name: str) -> Any:
    """A method of uvicorn's server, also where the library behind /mcp put its own in front of it."""
    found = getattr(Server, name)
    return AppStatus.original_handler if found is AppStatus.handle_exit else found


def test_the_constructor_is_as_we_call_it() -> None:
    assert list(inspect.signature(HttpToolsProtocol.__init__).parameters) == [
        "self",
        "config",
        "server_state",
        "app_state",
        "_loop",
    ]


def test_what_we_override_is_there_with_the_same_arguments() -> None:
    for name in (
        "connection_made",
        "data_received",
        "on_message_begin",
        "on_header",
        "on_headers_complete",
        "on_body",
    ):
        ours, theirs = getattr(Protocol, name), getattr(HttpToolsProtocol, name)
        assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
    assert set(inspect.signature(HttpToolsProtocol.on_message_complete).parameters) == {"self"}
    for name in ("startup", "handle_exit"):
        ours, theirs = getattr(_Server, name), of_uvicorn(name)
        assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)


def test_only_data_received_answers_by_itself() -> None:
    """Whatever else uvicorn would answer in its own words must come through our `_refuse`."""
    source = inspect.getsource(HttpToolsProtocol)
    assert source.count("send_400_response(") == 2
    assert "self.send_400_response(msg)" in inspect.getsource(HttpToolsProtocol.data_received)


def test_the_attributes_that_we_read_and_set_are_there() -> None:
    protocol = inspect.getsource(HttpToolsProtocol)
    for name in (
        "headers",
        "url",
        "parser",
        "cycle",
        "pipeline",
        "flow",
        "transport",
        "loop",
        "server_state",
    ):
        assert f"self.{name}" in protocol
    cycle = inspect.getsource(RequestResponseCycle)
    for name in (
        "keep_alive",
        "disconnected",
        "message_event",
        "response_complete",
        "more_body",
        "transport",
        "on_response",
        "response_started",
        "chunked_encoding",
    ):
        assert f"self.{name}" in cycle
    assert "_unset_keepalive_if_required" in protocol
    assert "self.timeout_keep_alive_task = self.loop.call_later(" in protocol
    assert callable(HttpToolsProtocol.timeout_keep_alive_handler)


def test_signals_are_not_raised_again() -> None:
    """uvicorn raises again the signals that its own `handle_exit` noted; ours notes none."""
    assert "_captured_signals.append" in inspect.getsource(of_uvicorn("handle_exit"))
    assert "_captured_signals" not in inspect.getsource(_Server)


def test_an_answer_is_written_as_we_join_it() -> None:
    """The head is one write, after the length is known; then the body; then the end."""
    source = inspect.getsource(RequestResponseCycle.send)
    assert source.count("self.transport.write(") == 3
    assert source.index("self.response_started = True") < source.index("self.transport.write(")
    assert source.index("self.chunked_encoding = False") < source.index("self.transport.write(")
    assert source.rindex("self.transport.close()") < source.rindex("self.on_response()")
