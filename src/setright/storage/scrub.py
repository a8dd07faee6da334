"""Having an SQLite file and its log hold nothing of what was deleted from it."""

import time
from pathlib import Path

from setright.storage.sqlite import connect

TRIES = 20
PAUSE_SECONDS = 0.1


def empty_log(path: Path) -> bool:
    """Carry the write-ahead log of an SQLite file over into it and cut it to nothing; whether that was possible.

    Deleted content is overwritten in the file itself when it is deleted (`secure_delete`); until this it stands in the
    log. Somebody who reads for long keeps the log in use.
    """
    connection = connect(path)
    try:
        for _ in range(TRIES):
            (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return True
            time.sleep(PAUSE_SECONDS)
        return False
    finally:
        connection.close()


def scrub_file(path: Path) -> bool:
    """Write an SQLite file anew, without anything that is not in it any more; writers wait meanwhile."""
    connection = connect(path)
    try:
        connection.execute("VACUUM")
    finally:
        connection.close()
    return empty_log(path)
