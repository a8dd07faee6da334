"""What a value of foreign JSON is, in words that a type checker follows."""

from typing import Any, TypeGuard


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether it is a JSON object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether it is a JSON array."""
    return isinstance(value, list)


def fields_of(value: Any) -> dict[str, Any]:
    """An object as it is, and an empty one for everything else."""
    return value if is_object(value) else {}


def listed(value: Any) -> list[Any]:
    """A list as it is, and an empty one for everything else."""
    return value if is_list(value) else []
