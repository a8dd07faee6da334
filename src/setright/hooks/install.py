"""Installing into a coding agent's files, and taking out again: planned first, then written, never half."""

import contextlib
import difflib
import os
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from setright.hooks import blocks, surgery
from setright.hooks.clients import Json, Lines, Piece, Place, Wish, our_hook, pieces, vscode_hook
from setright.hooks.scan import BYTE_ORDER_MARK, scan

SETTINGS_OF_CLAUDE = ("settings.json", "settings.local.json")


class CannotInstall(ValueError):
    """A file is such that nothing of ours can be put there; the message names it and says why."""


class Change(NamedTuple):
    """One file as it is and as it will be; None where there is no file."""

    file: Path
    before: bytes | None
    after: bytes | None

    def diff(self, shown: str) -> str:
        """The change as a unified diff."""
        old, new = (_lines(content) for content in (self.before, self.after))
        names = ("/dev/null" if self.before is None else shown, "/dev/null" if self.after is None else shown)
        lines = difflib.unified_diff(old, new, *names)
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
        )


class Plan(NamedTuple):
    """What is to be written, and what a person should know of it."""

    changes: Sequence[Change]
    notes: Sequence[str]


class _Desk:
    """The files of one plan, as they will be after every piece so far."""

    def __init__(self) -> None:
        self._before: dict[Path, bytes | None] = {}
        self._now: dict[Path, str | None] = {}

    def read(self, file: Path) -> str | None:
        """A file's text, None where there is none."""
        if file not in self._now:
            try:
                content = file.read_bytes()
            except FileNotFoundError:
                content = None
            except OSError as error:
                raise CannotInstall(f"{file}: {error.strerror}") from error
            self._before[file] = content
            try:
                self._now[file] = None if content is None else content.decode()
            except UnicodeDecodeError:
                raise CannotInstall(f"{file}: it is not UTF-8") from None
        return self._now[file]

    def write(self, file: Path, text: str | None) -> None:
        """Set what a file will be."""
        self._now[file] = text

    def changes(self) -> list[Change]:
        """Each file that will be another one."""
        made = [Change(file, self._before[file], _encoded(now)) for file, now in self._now.items()]
        return [change for change in made if change.before != change.after]


def plan_install(client: str, place: Place, wish: Wish, *, guard: bool) -> Plan:
    """What installing changes: nothing where all is there already."""
    desk, notes = _Desk(), list[str]()
    for piece in pieces(client, place, wish, guard=guard):
        if client == "vscode" and piece.file == vscode_hook(place, wish).file:
            other = _hook_of_claude(desk, place)
            if other is not None:
                notes.append(f"VS Code reads the briefing's hook in {other}, and gets no second one.")
                _take_out(desk, piece)
                continue
        _put(desk, piece)
    if client == "claude-code":
        hook = vscode_hook(place, wish)
        if _has(desk, hook):
            _take_out(desk, hook)
            notes.append(f"VS Code reads this hook too, so its own one in {hook.file} was taken out.")
    return Plan(desk.changes(), notes)


def plan_uninstall(client: str, place: Place, wish: Wish) -> Plan:
    """What uninstalling changes: everything of ours goes, whoever wrote what beside it."""
    desk, notes = _Desk(), list[str]()
    for piece in reversed(pieces(client, place, wish, guard=True)):
        _take_out(desk, piece)
    if client == "claude-code":
        server, hook = pieces("vscode", place, wish, guard=False)[:2]
        if _has(desk, server) and _hook_of_claude(desk, place) is None and not _has(desk, hook):
            _put(desk, hook)
            notes.append(f"VS Code read this hook too, and has its own one in {hook.file} now.")
    return Plan(desk.changes(), notes)


def write(plan: Plan, place: Place) -> None:
    """Write every change, each file as a whole; a folder that is empty afterwards goes too."""
    for change in plan.changes:
        file = change.file.resolve()
        if change.after is None:
            change.file.unlink()
            _tidy(change.file.parent, (place.folder, place.home))
        else:
            _write(file, change.after)


def _put(desk: _Desk, piece: Piece) -> None:
    text = desk.read(piece.file)
    try:
        after = _with_json(text, piece) if isinstance(piece, Json) else _with_lines(text, piece)
        if text != after and _without(after, piece) != text and not _there(text, piece):
            raise CannotInstall(
                f"{piece.file}: nothing can be put there such that it could be taken out again"
            )
    except (surgery.NotPossible, blocks.Broken) as error:
        raise CannotInstall(f"{piece.file}: {error}; nothing was changed") from None
    desk.write(piece.file, after)


def _take_out(desk: _Desk, piece: Piece) -> None:
    text = desk.read(piece.file)
    if text is None:
        return
    try:
        desk.write(piece.file, _without(text, piece))
    except (surgery.NotPossible, blocks.Broken) as error:
        raise CannotInstall(f"{piece.file}: {error}; nothing was changed") from None


def _has(desk: _Desk, piece: Piece) -> bool:
    try:
        return _there(desk.read(piece.file), piece)
    except (surgery.NotPossible, blocks.Broken):
        return False


def _there(text: str | None, piece: Piece) -> bool:
    """Whether ours is in a text, in whatever form."""
    return text is not None and _without(text, piece) != text


def _without(text: str, piece: Piece) -> str | None:
    if isinstance(piece, Lines):
        return blocks.take_out(text, piece.marks, piece.head)
    companion = piece.companion[0] if piece.companion else ""
    return surgery.take_out(text, piece.path, piece.is_ours, companion)


def _with_json(text: str | None, piece: Json) -> str:
    more = dict([piece.companion] if piece.companion else [])
    if text is None:
        return surgery.created({**surgery.wrapped(piece.path, piece.value), **more})
    if _there(text, piece):
        return surgery.replace(text, piece.path, piece.is_ours, piece.value)
    if piece.strange and surgery.at(text, piece.path) is not None:
        raise surgery.NotPossible(piece.strange)
    node = scan(text)
    found = surgery.put(text, piece.path, piece.value)
    for name, value in more.items() if node is None or not node.items else ():
        found = surgery.put(found, [name], value)
    return found


def _with_lines(text: str | None, piece: Lines) -> str:
    if text is not None and piece.settled and blocks.find(text, piece.marks) is not None:
        return text
    after = blocks.put(text, piece.marks, piece.lines, piece.head)
    if piece.marks is blocks.TOML:
        _must_be_toml(text or "", "it is not valid TOML")
        _must_be_toml(
            after,
            "it has a server of this name already, or keeps its servers in a form that none can be added to",
        )
    return after


def _must_be_toml(text: str, otherwise: str) -> None:
    try:
        tomllib.loads(text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        raise surgery.NotPossible(f"{otherwise} ({error})") from None


def _hook_of_claude(desk: _Desk, place: Place) -> Path | None:
    """The file of Claude Code that has our hook, of the project or of the user: VS Code reads them all."""
    told = our_hook("brief")
    for folder in dict.fromkeys((place.folder, place.home)):
        for name in SETTINGS_OF_CLAUDE:
            file = folder / ".claude" / name
            hook = Json(file, ["hooks", "SessionStart", surgery.APPEND], None, told)
            with contextlib.suppress(CannotInstall):
                if _has(desk, hook):
                    return file
    return None


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    mode = file.stat().st_mode & 0o7777 if file.exists() else None
    handle, fresh = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(content)
        Path(fresh).chmod(0o666 & ~_umask() if mode is None else mode)
        Path(fresh).replace(file)
    finally:
        Path(fresh).unlink(missing_ok=True)


def _umask() -> int:
    found = os.umask(0o077)
    os.umask(found)
    return found


def _tidy(folder: Path, tops: Sequence[Path]) -> None:
    """Remove a folder that is empty now, and those above it, but never the project or the home."""
    while folder not in tops and any(top in folder.parents for top in tops):
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _lines(content: bytes | None) -> list[str]:
    return [] if content is None else content.decode("utf-8", "replace").splitlines(keepends=True)
