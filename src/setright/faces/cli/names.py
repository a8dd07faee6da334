"""Finding who or what a person means by a name or an id, and telling people who or what something is."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from setright.client import NotFound, Setright, Subject
from setright.faces.cli.failures import No

_SHOWN = 10


class Named(Protocol):
    """Something with an id and a name."""

    @property
    def id(self) -> str:
        """What tells it apart from all others."""
        ...

    @property
    def name(self) -> str | None:
        """What people call it."""
        ...


class OfAKind(Protocol):
    """Something with a kind and an id: who did something, or an agent or a flow."""

    @property
    def kind(self) -> str:
        """What it is."""
        ...

    @property
    def id(self) -> str | None:
        """What tells it apart from others of its kind."""
        ...


def told(found: OfAKind) -> str:
    """Who or what it is, in a few words."""
    return f"{found.kind} {found.id}"


def ran(subject: Subject) -> str:
    """What ran, in a few words."""
    return f"{told(subject)} {subject.version}"


def project_or_all(client: Setright, text: str | None) -> str | None:
    """The id of the project whose id or name `text` is; None, for all of them, where none was named."""
    return None if text is None else project(client, text)


def project(client: Setright, text: str) -> str:
    """The id of the project whose id or name `text` is."""
    try:
        return client.projects.get(text).id
    except NotFound as refused:
        known = list(client.projects.list(limit=100))
        found = _named(known, text, "project")
        if found is not None:
            return found
        advice = ["setright project create NAME --id ID makes one"]
        if known:
            advice.insert(0, f"projects that you may read: {_listed(known)}")
        error = {"code": refused.code, "message": refused.message, "details": dict(refused.details)}
        raise No(f"There is no project {text!r}.", advice=advice, told=error) from None


def user(client: Setright, text: str) -> str:
    """The id of the user whose id or name `text` is."""
    known = list(client.users.list(limit=100))
    found = _named(known, text, "user")
    if found is None:
        raise No(
            f"There is no user {text!r}.",
            advice=[f"users: {_listed(known)}", f"setright user create {text!r} makes one"],
            kind="user-not-found",
        )
    return found


def token(client: Setright, text: str) -> str:
    """The id of the token whose id or name `text` is; a name finds only tokens that still work."""
    if _is_id(text, "tok"):
        return text
    known = [one for one in client.tokens.list(limit=100) if one.revoked_at is None]
    found = _named(known, text, "token")
    if found is None:
        raise No(
            f"There is no token {text!r} that still works.",
            advice=["setright token list shows the tokens that you may see"],
            kind="token-not-found",
        )
    return found


def corrector_group(client: Setright, text: str) -> str:
    """The id of the corrector group whose id or name `text` is, retired ones included."""
    if _is_id(text, "grp"):
        return text
    known = list(client.corrector_groups.list(limit=100, include_retired=True))
    found = _named(known, text, "corrector group")
    if found is None:
        advice = [f"corrector groups: {_listed(known)}"] if known else []
        raise No(
            f"There is no corrector group {text!r}.",
            advice=[*advice, f"setright group create {text!r} makes one"],
            kind="corrector-group-not-found",
        )
    return found


def review_queue(client: Setright, text: str) -> str:
    """The id of the review queue whose id or name `text` is, closed ones included."""
    if _is_id(text, "rvq"):
        return text
    known = list(client.review_queues.list(limit=100))
    found = _named(known, text, "review queue")
    if found is None:
        advice = [f"review queues: {_listed(known)}"] if known else []
        raise No(
            f"There is no review queue {text!r}.",
            advice=[*advice, f"setright review create {text!r} --project PROJECT makes one"],
            kind="review-queue-not-found",
        )
    return found


def _named(known: Sequence[Named], text: str, what: str) -> str | None:
    """The id of what has this id, else of the only one that has this name."""
    for one in known:
        if text in (one.id, one.id.partition("_")[2] or one.id):
            return one.id
    found = [one.id for one in known if one.name == text]
    if len(found) > 1:
        raise No(
            f"{len(found)} of them are named {text!r}: say which {what} by its id.",
            faults=found[:_SHOWN],
            kind="ambiguous",
        )
    return found[0] if found else None


def _is_id(text: str, prefix: str) -> bool:
    return text.startswith(f"{prefix}_") or (len(text) == 26 and text.isascii() and text.isalnum())


def _listed(known: Iterable[Named]) -> str:
    words = [one.id if one.name in (None, one.id) else f"{one.name} ({one.id})" for one in known]
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(words[:_SHOWN]) + more
