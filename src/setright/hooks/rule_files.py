"""The rules in the files that coding agents read: one for each bullet and each line of prose, with its place."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from setright.hooks.blocks import MARKDOWN

MOST_FILES: Final = 100
MOST_BYTES: Final = 5 * 1024 * 1024
_FENCE = re.compile(r"[ \t]*(?:[-*+>][ \t]+)*(`{3,}|~{3,})")
_BULLET = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_RULER = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_INCLUDE = re.compile(
    r"(?:(?<=^)|(?<=[\s(]))@((?:~|\.{1,2})?[\w./\\ -]*?[\w/-]+(?:\.\w+)?)(?=[\s),;:]|\.?$|\.\s)"
)
_ALONE = re.compile(r"@(\S+)$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSEEN = ("Cc", "Cf", "Cs")
_ENDS = "\"'`\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019 .!;,:"


class CannotRead(ValueError):
    """A file that cannot be read as rules; the message names it and says why."""


class Rule(NamedTuple):
    """One rule and where it stands."""

    text: str
    file: str
    line: int

    @property
    def place(self) -> str:
        """Where it stands, as editors understand it."""
        return f"{self.file}:{self.line}"


class RulesFound(NamedTuple):
    """The rules of a file and of what it includes: each once, where it stands first; `notes` say what was left out."""

    rules: Sequence[Rule]
    repeated: int
    notes: Sequence[str]


class _Entry(NamedTuple):
    line: int
    text: str


def read(file: Path) -> RulesFound:
    """The rules in a file; an include is followed inside of the file's folder, each file once."""
    reader = _Reader(file.parent.resolve())
    reader.take(file.resolve(), file.name)
    rules: dict[str, Rule] = {}
    for rule in reader.rules:
        rules.setdefault(folded(rule.text), rule)
    return RulesFound(list(rules.values()), len(reader.rules) - len(rules), reader.notes)


def folded(text: str) -> str:
    """A rule as rules are compared: case, white space, quotes and end punctuation do not count."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip(_ENDS)


class _Reader:
    """Reads a file and what it includes, each where it is included."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rules: list[Rule] = []
        self.notes: list[str] = []
        self._seen: set[Path] = set()

    def take(self, file: Path, shown: str) -> None:
        self._seen.add(file)
        for entry in entries(_text_of(file, shown)):
            bare = _CODE.sub(" ", entry.text)
            alone = _ALONE.match(bare.strip())
            if alone is None:
                self.rules.append(Rule(entry.text, shown, entry.line))
            for name in [alone[1]] if alone else _INCLUDE.findall(bare):
                self.follow(name, file, f"{shown}:{entry.line}", named=alone is not None)

    def follow(self, name: str, file: Path, place: str, *, named: bool) -> None:
        """Read an included file; in the midst of a sentence only a name that is a file's is one."""
        target = next((one for one in (file.parent / name, self.folder / name) if _is_file(one)), None)
        if target is None:
            outside = name.startswith("~")
            if named:
                self.notes.append(
                    f"{place}: @{name} is {'outside of the folder' if outside else 'not there'}"
                )
            return
        whole = target.resolve()
        if not whole.is_relative_to(self.folder):
            self.notes.append(f"{place}: @{name} is outside of the folder")
        elif whole not in self._seen and (named or whole.suffix in (".md", ".mdc")):
            if len(self._seen) >= MOST_FILES:
                self.notes.append(f"{place}: @{name} is more than {MOST_FILES} files")
                return
            self.take(whole, whole.relative_to(self.folder).as_posix())


def entries(text: str) -> Iterator[_Entry]:
    """Every bullet and every line of prose of a markdown text; code, headings, comments and tables are none."""
    found: list[tuple[_Entry, int]] = []
    lines = _prose(text)
    gap, indent = True, -1
    for number, line in lines:
        if not line.strip():
            gap = True
            continue
        if (
            _UNDERLINE.match(line)
            and found
            and not gap
            and found[-1][1] < 0
            and found[-1][0].line == number - 1
        ):
            found.pop()
        elif _HEADING.match(line) or _RULER.match(line):
            indent = -1
        elif bullet := _BULLET.match(line):
            indent = len(bullet[1].expandtabs(4))
            found.append((_Entry(number, line[bullet.end() :]), indent))
        else:
            indent = _prose_line(found, number, line, indent, gap=gap)
        gap = False
    for entry, _ in found:
        words = _visible(entry.text)
        if words and any(char.isalnum() for char in words):
            yield _Entry(entry.line, words)


def _prose_line(found: list[tuple[_Entry, int]], number: int, line: str, indent: int, *, gap: bool) -> int:
    """Take a line that is no bullet: what goes on with the bullet above it, a line of its own, or code or a table.

    The indentation of the bullet that the next line may go on with.
    """
    own = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
    if indent >= 0 and own > indent:
        last, depth = found[-1]
        if not gap:
            found[-1] = (last._replace(text=f"{last.text} {line.strip()}"), depth)
        elif own < indent + 6:
            found.append((_Entry(number, line), indent))
        return indent
    if own >= 4 and gap:
        return -1
    if not line.lstrip().startswith("|"):
        found.append((_Entry(number, line), -1))
    return -1


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, blank where a front matter, a comment, our own block or code stands."""
    kept = _COMMENT.sub(_blank, _without_managed(_without_front(text)))
    closer = ""
    for number, line in enumerate(kept.splitlines(), 1):
        fence = _FENCE.match(line)
        if closer:
            if fence and fence[1].startswith(closer) and not line[fence.end() :].strip():
                closer = ""
            yield number, ""
        elif fence and "`" not in line[fence.end() :]:
            closer = fence[1]
            yield number, ""
        else:
            yield number, _QUOTE.sub("", line, count=1)


def _without_front(text: str) -> str:
    front = re.match(r"---[ \t]*\r?\n.*?\n---[ \t]*(?:\r?\n|\Z)", text, re.DOTALL)
    return text if front is None else "\n" * front[0].count("\n") + text[front.end() :]


def _without_managed(text: str) -> str:
    begin, end = re.escape(MARKDOWN.begin), re.escape(MARKDOWN.end)
    return re.sub(rf"(?ms)^{begin}.*?(?:^{end}|\Z)", _blank, text)


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _visible(text: str) -> str:
    seen = "".join(char for char in text if char == "\t" or unicodedata.category(char) not in _UNSEEN)
    return " ".join(seen.split())


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _text_of(file: Path, shown: str) -> str:
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise CannotRead(f"{shown}: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise CannotRead(f"{shown}: it has more than {MOST_BYTES // 1024 // 1024} MB")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CannotRead(f"{shown}: it is not UTF-8") from None
