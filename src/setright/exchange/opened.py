"""JSON that stands in a text: values that another tool wrote down as text before it wrote them down."""

from typing import Any

from setright.exchange.kinds import is_list, is_object
from setright.kernel import json
from setright.kernel.errors import Refusal

DEEP = 2


def opened(value: Any) -> Any:
    """The object or array that a text holds, also where that is a text itself; any other value as it is."""
    found = value
    for _ in range(DEEP):
        if not isinstance(found, str) or found.lstrip()[:1] not in ("{", "[", '"'):
            break
        try:
            found = json.read(found.encode())
        except (Refusal, UnicodeEncodeError):
            break
    return found if is_object(found) or is_list(found) else value


def unquoted(value: Any) -> Any:
    """What a text is the JSON of, where it is that of a text, object or array; any other value as it is."""
    if isinstance(value, str) and len(value) > 1 and value[0] == value[-1] == '"':
        try:
            return opened(json.read(value.encode()))
        except (Refusal, UnicodeEncodeError):
            return value
    return opened(value)


def arguments(given: Any) -> tuple[dict[str, Any], str | None]:
    """The arguments of a call, and why they are kept as one value named `arguments` where they are no object."""
    if given is None or given == "":
        return {}, None
    value = given
    if isinstance(given, str):
        try:
            value = json.read(given.encode())
        except Refusal as refusal:
            why = refusal.message.removeprefix("the body: ").rstrip(".")
            return {"arguments": given}, f"{why}; the call has them as one text named arguments"
    if is_object(value):
        return value, None
    return {"arguments": value}, "is no object; the call has it as one value named arguments"
