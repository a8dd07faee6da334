"""The content of a run, put together from what its messages and calls say."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeGuard

from setright.exchange.calls import last_text, text_of
from setright.exchange.kinds import is_list, is_object
from setright.kernel.clock import from_wire

Fields = dict[str, Any]
MOST_TAGS = 50
MOST_NAME = 200
UNVERSIONED = "unversioned"


def messages_of(value: Any) -> list[Fields]:
    """The messages in a value that are objects with a role, as they are."""
    if is_object(value):
        value = value.get("messages", [value])
    if not is_list(value):
        return []
    return [one for one in value if has_role(one)]


def has_role(value: Any) -> TypeGuard[Fields]:
    """Whether a value is an object with the name of a role."""
    if not is_object(value):
        return False
    role = value.get("role")
    return isinstance(role, str) and bool(role)


def first_asked(messages: Sequence[Mapping[str, Any]]) -> Any:
    """The content of the first message of a user, None if there is none."""
    asked = next(
        (one.get("content", one.get("parts")) for one in messages if one.get("role") == "user"), None
    )
    if is_list(asked) and all(is_object(part) and part.get("type") == "text" for part in asked):
        return text_of(asked)
    return asked


def ended(messages: Sequence[Mapping[str, Any]], error: Any = None) -> Fields:
    """How a run ended: with what broke it, else with the last text of the agent."""
    if error is not None:
        return {"status": "failed", "output": {"error": error}}
    return {"status": "completed", "output": last_text(messages)}


def tags(words: Iterable[Any]) -> Fields:
    """The tags that can be kept: texts, each once, no longer than a name may be."""
    found = dict.fromkeys(
        word.strip()[:MOST_NAME] for word in words if isinstance(word, str) and word.strip()
    )
    return {"tags": list(found)[:MOST_TAGS]} if found else {}


def name(*words: Any) -> str | None:
    """The first of some words that can be a name, cut to what a name may have."""
    return next((word.strip()[:MOST_NAME] for word in words if isinstance(word, str) and word.strip()), None)


def moment(value: Any) -> str | None:
    """A time as it was written, where it is one with an offset."""
    if not isinstance(value, str):
        return None
    try:
        from_wire(value)
    except ValueError:
        return None
    return value
