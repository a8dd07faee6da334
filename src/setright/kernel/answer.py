"""The answer to a request as bytes, so that it can be kept and given again unchanged."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers and body; `about` lists the ids whose content it shows, `secret` answers are never kept."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    about: tuple[str, ...] = ()
    secret: bool = False
