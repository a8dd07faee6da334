"""The changes after which a program does the same as before: of each file the reasons, and the lines as they are changed.

Each was looked at by a person. A line that no change makes, or whose change a test notices, must go.
"""

from collections.abc import Mapping

_MISSING = "MISSING is equal to nothing but itself"
_CLASS = "a class is equal to nothing but itself"
_TWO_WORDS = "right and wrong are the only words, and wrong is the later one"
_SMALL = "there is one object of each small number, of true, of false and of each single character"
_CONSTANT = "only the constants of the module come here"
_ONLY_ONE = "there is one element, or all of them are alike"
_NO_LESS = "the one is never less than the other"
_WORK = "it only saves work"

Lines = tuple[str, ...]
EQUIVALENT: Mapping[str, Mapping[str, Lines]] = {
    "matching/answers.py": {
        _MISSING: (
            "if actual != MISSING and same(wanted, actual):",
            "if actual == MISSING and held.new is None:",
            "if wanted == MISSING:",
            "found = held.new if actual == MISSING else actual",
        ),
        _TWO_WORDS: ('was_right = said["answer"] <= "right"',),
    },
    "matching/calls.py": {
        _WORK: ("if taken or None in found:",),
        _CLASS: ("if value != other if value.__class__ == str else not same(value, other):",),
        _MISSING: ("if actual == MISSING:",),
    },
    "matching/decisions.py": {_TWO_WORDS: ('if said["decisions"] >= "wrong":',)},
    "matching/items.py": {
        _TWO_WORDS: (
            'elif item["verdict"] >= "wrong" and place is not None:',
            'if item["verdict"] <= "right" and place is None:',
            'if item["verdict"] <= "right":',
        ),
    },
    "matching/lists.py": {
        _ONLY_ONE: (
            "return Judged(self._top[ -1], MISSING) if len(self._top) == 1 else None",
            'if not self._top or depth == self._top[ -1].count("/"):',
        ),
        _SMALL: ('if not self._top or depth is self._top[0].count("/"):',),
        _CONSTANT: ("if pointer is WHOLE:",),
        _NO_LESS: ('if not self._top or depth <= self._top[0].count("/"):',),
        _MISSING: (
            "if index is None and judged.element != MISSING:",
            "if output == MISSING:",
        ),
    },
    "matching/nearest.py": {
        _MISSING: (
            "if expected != MISSING:",
            "if actual != MISSING:",
            'was = "is missing" if actual == MISSING else f"was {shown(actual)}"',
            "return f\"{place}: expected {'nothing' if expected == MISSING else shown(expected)}, {was}\"",
            "if expected == MISSING:",
        ),
    },
    "matching/places.py": {
        _MISSING: (
            'if how.get("ignore") or (actual == MISSING and how.get("optional")):',
            "if actual == MISSING or not meets(how, wanted, actual):",
            "if wanted == MISSING and inside:",
        ),
    },
    "matching/showing.py": {
        _CLASS: (
            "if value.__class__ == str:",
            "elif value.__class__ == int:",
            "return _WORDS[value] if value is None or value.__class__ == bool else repr(value)",
        ),
        "there is always at least one": ("if count <= 1:",),
    },
    "matching/text.py": {
        _SMALL: (
            'return category(character)[0] is "P" or character == "`"',
            'return category(character)[0] == "P" or character is "`"',
            'return piece[place] is "-" and (following.isdigit() or _is_currency(following))',
            'return character is not "" and category(character) == "Sc"',
        ),
        _NO_LESS: (
            "while start != end and _is_mark(piece[start]) and not _is_minus(piece, start):",
            'while start != end and _is_mark(piece[end - 1]) and piece[end - 1] not in "%‰#":',
            'return character > "" and category(character) == "Sc"',
            "if len(found) < len(pairs):",
        ),
        "both are of one length": (
            "all(one in two for one, two in zip(wanted, text[start : start + len(wanted)], strict=False))",
        ),
    },
    "matching/values.py": {
        _CLASS: (
            "return one == other and other.__class__ != bool",
            "if kind == str:",
            "if kind == int or kind is float:",
            "if kind is int or kind == float:",
            "elif (kind == bool or opposite.__class__ is bool) and value is not opposite:",
            "elif (kind is bool or opposite.__class__ == bool) and value is not opposite:",
            "if value.__class__ == bool or not isinstance(value, (int, float)):",
        ),
        "both are of one length": ('pairs = list(zip(left, cast("list[Any]", right), strict=False))',),
    },
    "matching/verdicts.py": {
        _ONLY_ONE: (
            "word = found[ -1].verdict if len(found) == 1 else together(one.verdict for one in found)",
        ),
    },
    "corrections/lifecycle.py": {
        _CONSTANT: (
            'elsewhere = "open" if start is "with-owner" else start',
            'if start is "fixed":',
            'Move(f"set {end}", start, end, WHO, "correction.moved", CLEARED if end is not start else ())',
        ),
        _SMALL: ('return (status == "with-owner") is not (desk == "owner") and status != "wont-fix"',),
        "of the statuses left only fixed is no later word than fixed": ('if start <= "fixed":',),
        "with-owner is the last of the words but wont-fix, which never disagrees": (
            'return (status >= "with-owner") != (desk == "owner") and status != "wont-fix"',
            'return (status == "with-owner") != (desk == "owner") and status < "wont-fix"',
        ),
    },
    "knowledge/lifecycle.py": {
        "within one standing this is the same everywhere, and others are told apart before it": (
            "return _FIRST[where], 1, -made, name",
            "return _FIRST[where], -1, -made, name",
            "return _FIRST[where], *(), -made, name",
            "return _LAST, 1, made, name",
            "return _LAST, -1, made, name",
            "return _LAST, *(), made, name",
        ),
        "the order stays": (
            '_FIRST = {"accepted": -1, "correction": 1}',
            "_BETWEEN, _LAST = 2, 4",
            "return _FIRST[where], 0, ~made, name",
        ),
        "rejected is the last of the words": ('if where >= "rejected":',),
    },
    "lessons/lifecycle.py": {
        _CONSTANT: (
            "if is_person or move.who is ANYBODY:",
            "if move.who is IF_VERIFIED:",
            "return move.who is IF_ENDED and not standing.ended",
            "if move.end is not move.start and may(move, standing, is_person=is_person)",
        ),
        "of the words that come here none is later": (
            "if move.who >= IF_VERIFIED:",
            "return move.who >= IF_ENDED and not standing.ended",
        ),
    },
    "proof/lifecycle.py": {
        "counts are not negative": ('return "finish" if right | wrong else "fail"',),
    },
    "subjects/lifecycle.py": {
        "an equal version stands at the same place, and is no earlier one": (
            "if before is None or before is version or before not in order:",
            "if before is None and before == version or before not in order:",
            'return "went-back" if order.index(version) <= order.index(before) else "pin"',
        ),
    },
}
