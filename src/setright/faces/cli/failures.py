"""How a command ends when it does not succeed: a sentence, what is wrong, what to do next, and an exit code."""

import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from setright.faces.cli.out import plain, print_document


class Stop(Exception):
    """The end of a command, told in a sentence; `code` is 1 when the answer is no, 2 when it could not be had."""

    code = 2

    def __init__(
        self,
        message: str,
        *,
        faults: Sequence[str] = (),
        advice: Sequence[str] = (),
        kind: str = "could-not",
        told: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.faults = tuple(faults)
        self.advice = tuple(advice)
        self.kind = kind
        self.told = told

    def lines(self) -> list[str]:
        """The failure as a person reads it: the sentence, each fault, and what to do next."""
        return [
            self.message,
            *(f"  {fault}" for fault in self.faults),
            *(f"> {step}" for step in self.advice),
        ]

    def document(self) -> dict[str, Any]:
        """The failure as `--json` prints it, in the form of the server's errors."""
        error: dict[str, Any] = {"code": self.kind, "message": self.message}
        error.update(self.told or {})
        if self.advice:
            error["advice"] = list(self.advice)
        return {"error": error}


class No(Stop):
    """The question was answered, and the answer is no: refused, not found, or something was found wrong."""

    code = 1


class Cannot(Stop):
    """The question could not be asked: wrong usage, no connection, a missing file or a missing extra."""

    code = 2


def explain(error: Exception) -> Stop:
    """What a command that raised `error` tells, whatever it was: nobody ever sees a traceback."""
    if isinstance(error, Stop):
        return error
    if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("setright"):
        return _missing_extra(error)
    return next(filter(None, (told(error) for told in _TELLERS)))


def _missing_extra(error: ModuleNotFoundError) -> Cannot:
    return Cannot(
        f"This command needs the package {error.name}, which is not installed.",
        advice=["pip install 'setright[server]'", "or set SETRIGHT_URL to a server that runs elsewhere"],
        kind="missing-extra",
    )


def _of_settings(error: Exception) -> Cannot | None:
    from setright.app.settings import SettingFault

    if not isinstance(error, SettingFault):
        return None
    return Cannot(str(error), advice=["setright serve --help lists every setting"], kind="setting-not-usable")


def _of_client(error: Exception) -> Stop | None:
    from setright.client import NotConfigured, Refused, ServerFailed, SetrightError, Unavailable

    if isinstance(error, Refused):
        kind = Cannot if isinstance(error, ServerFailed) or error.status >= 500 else No
        return _of_refusal(error, kind)
    if isinstance(error, Unavailable):
        cause = error.cause
        told = envelope(cause) if isinstance(cause, Refused) else None
        return Cannot(str(error), advice=_advice_when_unheard(error), kind="unavailable", told=told)
    if isinstance(error, NotConfigured):
        return Cannot(str(error), kind="not-configured")
    if isinstance(error, SetrightError):
        return Cannot(str(error), advice=_again(error.key), kind="unexpected-answer")
    return Cannot(str(error), kind="cannot-be-sent") if _came_from_client(error) else None


def _of_refusal(error: Any, kind: type[Stop]) -> Stop:
    message = f"{error.message.rstrip()} [{error.status} {error.code}]"
    faults = [str(fault) for fault in error.faults] if len(error.faults) > 1 else []
    return kind(message, faults=faults, advice=advice_for(error.code), told=envelope(error))


def envelope(error: Any) -> dict[str, Any]:
    """A refusal of the server as `--json` prints it."""
    told: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.details:
        told["details"] = dict(error.details)
    if error.request_id:
        told["requestId"] = error.request_id
    return told


def _advice_when_unheard(error: Any) -> list[str]:
    from setright.client import Refused

    if isinstance(error.cause, Refused):
        return _again(error.key)
    return [
        "setright serve starts a server; SETRIGHT_URL says where to look for one",
        "without SETRIGHT_URL the commands work on the ledger of this machine",
        *_again(error.key),
    ]


def _again(key: str | None) -> list[str]:
    return [f"the same command with --key {key} records nothing twice"] if key else []


def _came_from_client(error: Exception) -> bool:
    """Whether a ValueError was raised by the client, which refuses so what can never be sent."""
    if not isinstance(error, ValueError) or isinstance(error, UnicodeError):
        return False
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "/setright/client/" in frames[-1].filename.replace("\\", "/")


def _of_room(error: Exception) -> Stop | None:
    """A refusal of an operation that a local command called without the server."""
    if type(error).__module__.split(".")[0] != "setright" or not hasattr(error, "details"):
        return None
    from setright.kernel.errors import Kind, Refusal

    if not isinstance(error, Refusal):
        return None
    kind = Cannot if error.kind in (Kind.BROKEN, Kind.UNAVAILABLE) else No
    told = {
        "code": error.code,
        "message": error.message,
        **({"details": error.details} if error.details else {}),
    }
    return kind(f"{error.message} [{error.code}]", advice=advice_for(error.code), told=told)


def _of_database(error: Exception) -> Cannot | None:
    """What the drivers of the two engines, or the opening of a database, say."""
    room = type(error).__module__.split(".")
    if room[:2] == ["setright", "storage"]:
        return Cannot(str(error), kind="database-not-usable")
    if room[0] not in _DRIVERS:
        return None
    reason = " ".join(str(getattr(error, "orig", None) or error).split())
    return Cannot(
        f"The database cannot be used: {reason}.",
        advice=["setright doctor shows which database the settings name, and what is wrong with it"],
        kind="database-not-usable",
    )


def _of_machine(error: Exception) -> Cannot | None:
    if not isinstance(error, OSError):
        return None
    where = f"{error.filename}: " if error.filename else ""
    reason = str(error.strerror or error).rstrip(".")
    return Cannot(f"{where}{reason}.", kind="machine")


def _of_ours(error: Exception) -> Cannot:
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].name}, line {frames[-1].lineno})" if frames else ""
    return Cannot(
        f"This is a fault of setright itself: {type(error).__name__}: {error}{place}.",
        advice=["please report it with this line and the command"],
        kind="fault-of-setright",
    )


_DRIVERS = ("psycopg", "psycopg_pool", "pysqlite3", "sqlite3", "sqlalchemy")
_TELLERS = (_of_settings, _of_client, _of_room, _of_database, _of_machine, _of_ours)
_ADVICE: Mapping[str, tuple[str, ...]] = {
    "project-not-found": ("setright project list shows the projects that you may read",),
    "route-not-found": (
        "the address must be that of a Setright server of this version, such as http://127.0.0.1:8321",
    ),
    "run-not-found": ("setright runs list shows the runs that you may read",),
    "test-run-not-found": ("setright test-runs list shows the test runs that you may read",),
    "cases-left": ("setright test-runs finish TEST-RUN --partial ends it without those",),
    "correction-not-found": ("setright corrections list shows the corrections that you may read",),
    "user-not-found": ("setright user list shows the users",),
    "token-not-found": ("setright token list shows the tokens",),
    "run-exists": ("the run has other content under this id; setright runs show ID shows it",),
    "run-not-finished": (
        "a run can be corrected once it is completed or failed",
        "setright corrections add --hold --project PROJECT waits for that",
    ),
    "waiting-correction-not-found": ("setright corrections waiting shows those that you may read",),
    "permission-denied": (
        "an admin gives roles: setright project member put PROJECT --user NAME --role write",
    ),
    "scope-missing": ("an admin makes a token with more scopes: setright token create --scopes ...",),
    "review-queue-not-found": ("setright review list shows the review queues that you may read",),
    "review-claim-not-found": ("setright review claim QUEUE hands out a run, with the id of your claim",),
    "review-claim-expired": ("setright review claim QUEUE --run RUN takes the run up again",),
    "review-item-not-found": ("setright review items QUEUE shows the runs that were handed out",),
    "review-not-disagreed": ("setright review items QUEUE --state disagreed shows what is to be decided",),
    "run-already-corrected": ("setright review skip QUEUE CLAIM leaves the run to others",),
    "quota-exceeded": ("setright limits shows what is used, and of how much",),
    "idempotency-key-body-mismatch": ("leave --key out, or give another one",),
}
_TOKEN_ADVICE = (
    "SETRIGHT_TOKEN must hold a token of that server, whole; `setright token create` makes one there",
)


def advice_for(code: str) -> tuple[str, ...]:
    """What to do after the server refused with `code`."""
    if code.startswith("auth-"):
        return _TOKEN_ADVICE
    return _ADVICE.get(code, ())


def tell(stop: Stop, *, as_json: bool) -> None:
    """Print a failure: with `--json` the document on stdout, else the lines on stderr."""
    if as_json:
        print_document(stop.document())
        return
    for line in stop.lines():
        print(plain(line), file=sys.stderr)
