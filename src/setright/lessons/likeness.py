"""How alike two rules are: the words they share, and those in which they differ; pure."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal, NamedTuple
from unicodedata import category, normalize

from setright.lessons.stems import stem

OnlyWord = Literal["negation", "number"]
READING = "2"
"""Another number whenever the words of rules, or what is left of one without negations and numbers, come out differently."""

_ALONE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_ALONE}]|[^\W_{_ALONE}]+(?:['.,:][^\W_{_ALONE}]+)*")
_APOSTROPHES = re.compile("[\u2018\u2019\u02bc\u2032`\u00b4]")
_SHORT_NOT = re.compile(
    r"\b(could|did|do|does|had|has|have|is|are|was|were|must|need|should|would|might)n'?t\b"
)
_SHORT = (
    (re.compile(r"\bwon'?t\b"), "will not"),
    (re.compile(r"\bcan'?t\b|\bcannot\b"), "can not"),
    (re.compile(r"\bshan'?t\b"), "shall not"),
    (re.compile(r"\blet's\b"), "let us"),
)
_ORDINAL = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)\Z")
_FIRST = "first"
"""A number only beside another one: the first reviewer and the second, but not the first name and the last."""
_ARTICLES = ("a", "an")
_NEGATIONS = frozenset(
    {"not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "nowhere"}
)
_BESIDE_NEGATION = frozenset(
    [
        "a",
        "all",
        "also",
        "always",
        "an",
        "and",
        "any",
        "anymore",
        "anybody",
        "anything",
        "are",
        "at",
        "be",
        "been",
        "both",
        "but",
        "can",
        "could",
        "did",
        "do",
        "does",
        "each",
        "either",
        "ever",
        "every",
        "everybody",
        "everything",
        "has",
        "have",
        "is",
        "it",
        "longer",
        "may",
        "might",
        "must",
        "of",
        "or",
        "please",
        "shall",
        "should",
        "some",
        "somebody",
        "something",
        "the",
        "to",
        "was",
        "were",
        "will",
        "with",
        "would",
    ]
)
_NUMBERS = frozenset(
    [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
        "hundred",
        "thousand",
        "million",
        "half",
        "once",
        "twice",
        "thrice",
        "second",
        "third",
        "fourth",
        "fifth",
        "tenth",
        "double",
        "triple",
        "single",
    ]
)
_OPPOSITES = ("un", "non", "dis", "in", "im", "ir", "il")


class Token(NamedTuple):
    """A word of a rule as it is written there, folded, and the stem by which it is compared."""

    written: str
    stem: str


@dataclass(frozen=True, slots=True)
class Difference:
    """In which words one rule differs from another: those that only this one has, and those that only the other has.

    `numbers` and `negations` are the words among these that are such; `only` says that nothing else is different.
    """

    here: Sequence[str]
    there: Sequence[str]
    numbers: Sequence[str]
    negations: Sequence[str]
    only: OnlyWord | None


@lru_cache(maxsize=4096)
def tokens(rule: str) -> tuple[Token, ...]:
    """The words of a rule in their order; short forms such as don't are written out."""
    seen = "".join(one for one in normalize("NFKC", rule) if category(one) != "Cf")
    text = _APOSTROPHES.sub("'", normalize("NFKC", seen.casefold()))
    for short, whole in _SHORT:
        text = short.sub(whole, text)
    text = _SHORT_NOT.sub(r"\1 not", text)
    return tuple(Token(word, stem(word)) for word in _WORD.findall(text))


def words(rule: str) -> frozenset[str]:
    """The stems by which a rule is found: of all its words but the small ones, if it has others."""
    all_of_it = tokens(rule)
    return frozenset(token.stem for token in all_of_it if not _is_small(token)) or frozenset(
        token.stem for token in all_of_it
    )


def skeleton(rule: str) -> str:
    """What is left of a rule without negations, numbers and the small words that go with them, in its order.

    Rules that differ only in a negation or a number have the same.
    """
    kept = (_without_number(token) for token in tokens(rule) if not _is_small(token))
    return " ".join(one for one in kept if one)


def difference(here: str, there: str) -> Difference:
    """In which words two rules differ."""
    mine, others = tokens(here), tokens(there)
    matcher = SequenceMatcher(None, [one.stem for one in mine], [one.stem for one in others], autojunk=False)
    only_here: list[Token] = []
    only_there: list[Token] = []
    for kind, from_a, to_a, from_b, to_b in matcher.get_opcodes():
        if kind != "equal":
            only_here += mine[from_a:to_a]
            only_there += others[from_b:to_b]
    both = [*only_here, *only_there]
    numbers = [one.written for one in both if is_number(one)]
    negations = [one.written for one in both if is_negation(one)]
    return Difference(
        [one.written for one in only_here],
        [one.written for one in only_there],
        numbers,
        negations,
        _only(only_here, only_there),
    )


def likeness(here: frozenset[str], there: frozenset[str], weight: Callable[[str], float]) -> float:
    """How much two rules share, by the weight of their words: 0 nothing, 1 all."""
    mine, others = (sum(map(weight, some)) for some in (here, there))
    if not mine or not others:
        return 0.0
    return sum(map(weight, here & there)) / math.sqrt(mine * others)


def weights(counts: Mapping[str, int], rules: int) -> Callable[[str], float]:
    """How much a word counts: the more, the fewer of all rules have it."""
    return lambda word: math.log(1 + (rules + 1) / (counts.get(word, 0) + 1))


def is_number(token: Token) -> bool:
    """Whether a word is a number, in digits or letters, or has one in it such as v2."""
    return token.written in _NUMBERS or any(one.isdigit() for one in token.written)


def is_negation(token: Token) -> bool:
    """Whether a word turns what is said into its opposite."""
    return token.written in _NEGATIONS or token.stem in _NEGATIONS


def _only(here: Sequence[Token], there: Sequence[Token]) -> OnlyWord | None:
    both = [*here, *there]
    if not both:
        return None
    if _differ_in_numbers(here, there):
        return "number"
    if len(here) == len(there) == 1 and _are_opposites(here[0].written, there[0].written):
        return "negation"
    # What follows neither, or another no, goes on with it: it turns nothing around again.
    odd = sum(is_negation(one) and one.written != "nor" for one in both) % 2 == 1
    if odd and all(is_negation(one) or one.written in _BESIDE_NEGATION for one in both):
        return "negation"
    return None


def _differ_in_numbers(here: Sequence[Token], there: Sequence[Token]) -> bool:
    """Whether numbers stand for other numbers, or for none: v1 for v2, 10 mb for 20mb, a for two, five for 7."""
    both = [*here, *there]
    if not any(map(is_number, both)):
        return False
    units = {_letters(one) for one in both if is_number(one)}
    counts = {_FIRST, *_ARTICLES} if here and there else set[str]()
    if not all(is_number(one) or one.written in units | counts for one in both):
        return False
    if not (here and there):
        return True
    left, right = ([unit for unit in map(_unit, some) if unit] for some in (here, there))
    mine, others = (
        [_digits(one) for one in some if is_number(one) or one.written in counts] for some in (here, there)
    )
    return sorted(left) == sorted(right) and mine != others


def _letters(token: Token) -> str:
    """What is written at a number: mb of 10mb, v of v2; nothing of a number in letters, nor what makes it an ordinal."""
    if token.written in _NUMBERS:
        return ""
    return "".join(one for one in _ORDINAL.sub("", token.written) if one.isalpha())


def _unit(token: Token) -> str:
    return "" if token.written in (_FIRST, *_ARTICLES) else _letters(token)


def _digits(token: Token) -> str:
    return "".join(one for one in token.written if not one.isalpha()) or token.written


def _are_opposites(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and any(long == prefix + short for prefix in _OPPOSITES)


def _is_small(token: Token) -> bool:
    return is_negation(token) or token.written in _BESIDE_NEGATION


def _without_number(token: Token) -> str:
    if token.written == _FIRST:
        return ""
    if not is_number(token):
        positive = next((one for one in _OPPOSITES if _is_longer(token.written, one)), "")
        return stem(token.written.removeprefix(positive))
    return _letters(token)


def _is_longer(word: str, prefix: str) -> bool:
    return word.startswith(prefix) and len(word) >= len(prefix) + 4
