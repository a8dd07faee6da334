"""JSON Pointers (RFC 6901): what is one, and what it points at."""

from typing import Any

from jsonpointer import EndOfList, JsonPointer, JsonPointerException


def pointer_fault(text: str) -> str | None:
    """Why a text is no JSON Pointer, or None when it is one."""
    if text and not text.startswith("/"):
        return "is no JSON Pointer: it must be empty or begin with /"
    try:
        JsonPointer(text)
    except JsonPointerException:
        return "is no JSON Pointer: ~ must be written ~0 and / inside a name ~1"
    return None


def resolve(document: Any, pointer: str) -> tuple[bool, Any]:
    """`(True, value)` where the pointer leads to a value of the document, else `(False, None)`."""
    try:
        value: Any = JsonPointer(pointer).resolve(document)
    except (JsonPointerException, TypeError, ValueError, RecursionError):
        return False, None
    if isinstance(value, EndOfList):
        return False, None
    return True, value
