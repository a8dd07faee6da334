"""The words of a line of ATF as `#lem` counts them, each as it is written and without its editorial marks."""

import re
from dataclasses import dataclass

_COMMENT = re.compile(r"\(\$[^$]*\$\)|\(#[^#]*#\)")
_PART = re.compile(r"\{\{|\}\}|<<|>>|\s+|(?:(?!\{\{|\}\}|<<|>>)\S)+")
_BRACKETS = str.maketrans("", "", "[]⸢⸣⸤⸥")
_NO_WORD = re.compile(r"%\S*|,?!\w*|[:/*|,&][#?!*:.'\"]*(?:\([^()]*\)?[#?!*]*)?")
_NOTE_MARK = re.compile(r"\^[^\^\s]{1,20}\^")
_FLAG = re.compile(r"\\[a-z]{1,4}")
_ERASED = re.compile(r"°[^\\°]*\\([^°]*)°")
_NUMBER = re.compile(r"[\d/]+|[nN]")
_HYPHENS = re.compile("-{2,}")
_LEFT_OVER = re.compile(r"\}[.-]|(?<!\.)\.[.-](?!\.)|-\.")
_LONGEST_NUMBER = 16
_JOIN = set("-.:+{}\u00d7")
_MARKS = set("$()[]⸢⸣⸤⸥#?!*<>_")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a line: as written, without marks, and whether it is the word of a gloss or excised as a whole."""

    form: str
    clean: str
    gloss: bool = False
    excised: bool = False


class _Found:
    """A word while it is read: its parts, and those of them that are not excised."""

    def __init__(self, opening: str, *, gloss: bool) -> None:
        self.gloss = gloss
        self.parts = [opening]
        self.kept = [opening]

    def add(self, part: str, *, kept: bool = True) -> None:
        """A further part, and whether it is kept in the form without marks."""
        self.parts.append(part)
        if kept:
            self.kept.append(part)

    def word(self) -> Word:
        """The word, now that it is whole."""
        form, kept = "".join(self.parts), "".join(self.kept)
        excised = not _has_content(kept)
        if not excised and len(kept) < len(form):
            kept = _LEFT_OVER.sub(lambda found: found[0][:1], kept)
        return Word(form, clean(form if excised else kept), gloss=self.gloss, excised=excised)


def words(text: str) -> list[Word]:
    """Every word of a line's text in order, those that are excised, too.

    What is no word: comments in `($ $)` and `(# #)`, shifts of language (`%sux`), separators of columns and fields (`|`,
    `&`, `,`, `!zz`), punctuation (`:`, `/`, `*`, with flags and a sign in brackets) and what is excised as a whole. A gloss
    in `{{ }}` has words of its own, behind the word that it stands at. The facts are from the ATF inline documentation of
    Oracc, and hold for every `#lem` line of the files they were tried on.
    """
    found: list[_Found] = []
    host: _Found | None = None
    gloss: _Found | None = None
    in_gloss = excised = False
    opening = ""
    text = _COMMENT.sub(" ", text)
    last_gloss, last_excised = text.rfind("}}"), text.rfind(">>")
    for match in _PART.finditer(text):
        part = match[0]
        if part == "{{" and not in_gloss and match.start() < last_gloss:
            in_gloss, gloss, opening = True, None, part
        elif part == "}}" and in_gloss:
            in_gloss = False
            if gloss is not None:
                gloss.add(part)
        elif part.isspace():
            gloss = None
            host = host if in_gloss else None
        else:
            at = gloss if in_gloss else host
            if at is None:
                at = _Found(opening, gloss=in_gloss)
                opening = ""
                found.append(at)
            host, gloss = (host, at) if in_gloss else (at, gloss)
            opens = part == "<<" and match.start() < last_excised
            at.add(part, kept=not (excised or opens))
            excised = (excised or opens) and part != ">>"
    return [word for word in (one.word() for one in found) if _is_word(word.form)]


def _has_content(text: str) -> bool:
    return "..." in text or "…" in text or any(sign.isalnum() for sign in text)


def _is_word(form: str) -> bool:
    return _has_content(form) and not _NO_WORD.fullmatch(form.translate(_BRACKETS))


def clean(form: str) -> str:
    """A form without editorial marks: breaks, flags, what was written by mistake, the sign beside a reading.

    Kept are supplied text, determinatives, numbers with their unit as `4(ban₂)`, the modifiers of a sign (`@g`, `~a`)
    and compounds between bars as they are. A form that is nothing but marks stays as it is.
    """
    text = form.removeprefix("{{").removesuffix("}}")
    text = _FLAG.sub("", _ERASED.sub(r"\1", _NOTE_MARK.sub("", text)))
    kept = "".join(_kept(text))
    return _HYPHENS.sub("-", kept).strip() or form


def _kept(text: str) -> list[str]:
    """The signs that stay, in one pass."""
    kept: list[str] = []
    ends = _ends_of_brackets(text)
    last_surrogate = text.rfind(")>")
    literal: set[int] = set()
    grapheme = 0
    at, barred = 0, False
    while at < len(text):
        sign = text[at]
        written = "".join(kept[grapheme : grapheme + _LONGEST_NUMBER]) if sign in "(<" and not barred else ""
        if sign == "|" or barred:
            barred ^= sign == "|"
            kept.append(sign)
        elif written and text.startswith("<(", at) and at < last_surrogate:
            at = text.find(")>", at) + 1
        elif sign == "(" and at in ends and _NUMBER.fullmatch(written) and text[at - 1] != "!":
            literal.add(ends[at])
            kept.append(sign)
        elif sign == "(" and at in ends and written:
            at = ends[at]
        elif at in literal:
            kept.append(sign)
        elif sign not in _MARKS and not (sign == "+" and text[at - 1 : at] == "{"):
            kept.append(sign)
            if sign in _JOIN:
                grapheme = len(kept)
        at += 1
    return kept


def _ends_of_brackets(text: str) -> dict[int, int]:
    """Where each round bracket that opens is closed."""
    open_at: list[int] = []
    ends: dict[int, int] = {}
    for at, sign in enumerate(text):
        if sign == "(":
            open_at.append(at)
        elif sign == ")" and open_at:
            ends[open_at.pop()] = at
    return ends
