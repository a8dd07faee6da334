"""The ledger's database: two engines, one writer's discipline, and the statements' common ground."""

from setright.storage.errors import KeyBodyMismatch, KeyInFlight, KeyStoreUnavailable, ReplayWithheld
from setright.storage.kept import Key, raise_identity_version
from setright.storage.kept import withhold as withhold_answers
from setright.storage.soundness import RowFault, Seen
from setright.storage.sql import EngineName, Sql, insert, insert_many, insert_or_ignore, upsert
from setright.storage.store import Read, Store, Write
from setright.storage.sums import SumKey, Sums
from setright.storage.tx import NOBODY, Row, Snapshot, Tx
from setright.storage.types import counter, json_text, metadata, moment, number, raw_bytes, text
from setright.storage.usage import used_today

__all__ = [
    "NOBODY",
    "EngineName",
    "Key",
    "KeyBodyMismatch",
    "KeyInFlight",
    "KeyStoreUnavailable",
    "Read",
    "ReplayWithheld",
    "Row",
    "RowFault",
    "Seen",
    "Snapshot",
    "Sql",
    "Store",
    "SumKey",
    "Sums",
    "Tx",
    "Write",
    "counter",
    "insert",
    "insert_many",
    "insert_or_ignore",
    "json_text",
    "metadata",
    "moment",
    "number",
    "raise_identity_version",
    "raw_bytes",
    "text",
    "upsert",
    "used_today",
    "withhold_answers",
]
