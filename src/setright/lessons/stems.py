"""Words as they are compared: without their endings, and one for all that mean the same in our trade; pure."""

from functools import lru_cache

_ALIKE = {
    "doc": "document",
    "docs": "document",
    "repo": "repository",
    "repos": "repository",
    "db": "database",
    "config": "configuration",
    "configs": "configuration",
    "env": "environment",
    "prod": "production",
    "dir": "directory",
    "folder": "directory",
    "folders": "directory",
    "mail": "email",
    "mails": "email",
    "e-mail": "email",
    "info": "information",
    "app": "application",
    "apps": "application",
    "param": "parameter",
    "params": "parameter",
    "args": "argument",
    "lib": "library",
    "libs": "library",
    "msg": "message",
    "admin": "administrator",
    "remove": "delete",
    "removing": "delete",
    "removed": "delete",
    "erase": "delete",
    "erasing": "delete",
    "drop": "delete",
    "verify": "check",
    "verifying": "check",
    "verified": "check",
    "confirm": "check",
    "confirming": "check",
    "ensure": "check",
    "client": "customer",
    "clients": "customer",
    "begin": "start",
    "beginning": "start",
    "finish": "end",
    "finishing": "end",
    "purchase": "buy",
    "big": "large",
    "tell": "inform",
    "telling": "inform",
    "notify": "inform",
    "avoid": "never",
    "prefer": "use",
    "using": "use",
    "make": "create",
    "making": "create",
    "modify": "change",
    "modifying": "change",
    "edit": "change",
    "editing": "change",
    "alter": "change",
    "reply": "answer",
    "replying": "answer",
    "respond": "answer",
    "responding": "answer",
}


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """What stands for a word and for its other forms; a number without its commas."""
    word = _ALIKE.get(word, word).removesuffix("'s")
    if any(one.isdigit() for one in word) or len(word) <= 3:
        return word.replace(",", "") if word[:1].isdigit() else word
    return _cut(word)


_ENDS = (
    ("ization", 9, "iz"),
    ("ations", 11, ""),
    ("ation", 10, ""),
    ("ions", 7, ""),
    ("ion", 6, ""),
    ("ments", 8, ""),
    ("ment", 8, ""),
    ("ies", 5, "y"),
    ("sses", 5, "ss"),
    ("ches", 5, "ch"),
    ("shes", 5, "sh"),
    ("xes", 5, "x"),
    ("ings", 7, ""),
    ("ing", 6, ""),
    ("ied", 5, "y"),
    ("ed", 5, ""),
    ("ly", 6, ""),
    ("ate", 8, ""),
)


def _cut(word: str) -> str:
    """A word without its ending, roughly: what matters is that forms of one word become equal."""
    for end, least, instead in _ENDS:
        if word.endswith(end) and len(word) >= least:
            return _plain(word.removesuffix(end) + instead)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return _plain(word)


def _plain(stem: str) -> str:
    """Without a doubled last consonant (running) or a silent e (save)."""
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiousl":
        stem = stem[:-1]
    return stem[:-1] if stem.endswith("e") and len(stem) > 3 else stem
