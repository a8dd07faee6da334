"""The readers that are given any bytes: they read them or refuse them, and nothing else ever comes out."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tests.exchange
from setright.exchange import FORMATS, Ahead, otlp_parts, recognise
from setright.exchange.corpora import Given
from setright.exchange.otlp import Log, Received
from setright.exchange.otlp.runs import run_of
from setright.identity.token_text import new_secret, present, present_invitation, tokens_in
from setright.kernel.paging import Cursors, Place
from setright.kernel.pointers import pointer_fault, resolve
from tests.exchange.atf_samples import read
from tests.exchange.foreign import FILES, lines
from tests.exchange.test_otlp import request, span

_SAMPLES = Path(tests.exchange.__file__).parent / "otlp"
_REQUESTS = (request(span(), span(spanId="b7ad6b7169203331", parentSpanId="00f067aa0ba902b7")),)
DOCUMENT = {"a": [1, {"b/c": None, "~": 2, "": 3}], "0": "x", "\u00e9": []}
CURSORS = Cursors(b"k" * 32)
ULID = "01KE5MCQ8000000000000000ZZ"


def _pointer(raw: bytes) -> None:
    text = raw.decode("utf-8", "replace")
    if pointer_fault(text) is None:
        resolve(DOCUMENT, text)


def _cursor(raw: bytes) -> None:
    CURSORS.read("list", raw.decode("utf-8", "replace"))


def _token(raw: bytes) -> None:
    list(tokens_in(raw))
    present_invitation(raw.decode("utf-8", "replace"))
    present(raw.decode("utf-8", "replace"))


def _atf(raw: bytes) -> None:
    read(raw, Given("ours", "CC0-1.0", None))


def _format(name: str) -> Callable[[bytes], Any]:
    def reading(raw: bytes) -> None:
        list(FORMATS[name].read(io.BytesIO(raw)))
        recognise(Ahead(io.BytesIO(raw)))

    return reading


def _otlp(*, is_protobuf: bool) -> Callable[[bytes], Any]:
    def reading(raw: bytes) -> None:
        for signal in ("traces", "logs"):
            parts = otlp_parts(signal, raw, is_protobuf=is_protobuf)
            run_of(
                [one for one in parts if isinstance(one, Received)],
                [one for one in parts if isinstance(one, Log)],
            )

    return reading


TARGETS: dict[str, tuple[Callable[[bytes], Any], list[bytes]]] = {
    "pointer": (_pointer, [b"", b"/a/1/b~1c", b"/a/-", b"/~0/~1", b"/0", "/\u00e9/0".encode()]),
    "cursor": (
        _cursor,
        [CURSORS.make("list", Place(1, "x")).encode(), CURSORS.make("other", Place(2, "")).encode()],
    ),
    "token": (
        _token,
        [new_secret(f"tok_{ULID}").encode(), new_secret(f"ses_{ULID}").encode(), b"srt_", b"sri_"],
    ),
    "atf": (
        _atf,
        [
            b"&P1 = Brick\n#atf: lang akk\n@obverse\n1. lu2-gal e2\n#lem: lugal[king]N; e[house]N\n#tr.en: The king\n"
        ],
    ),
}
TARGETS |= {f"import-{name}": (_format(name), [lines(*FILES[name])]) for name in FILES}
TARGETS |= {
    "otlp-json": (_otlp(is_protobuf=False), [lines(*_REQUESTS)]),
    "otlp-protobuf": (
        _otlp(is_protobuf=True),
        [path.read_bytes() for path in sorted(_SAMPLES.glob("*.traces.pb"))],
    ),
}
"""Each reader with what it reads well."""
