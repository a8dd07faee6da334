"""What a serving process does by itself now and then: drop the answers and the counts that are kept no longer."""

import asyncio

from setright.kernel.errors import Refusal
from setright.storage import Store
from setright.storage.kept import drop_old
from setright.storage.usage import drop_old_usage

EVERY_SECONDS = 60
BATCH = 500
BATCHES = 40


async def upkeep(store: Store, every: float = EVERY_SECONDS) -> None:
    """Run until cancelled; trouble of the database is left to the next round."""
    while True:
        await asyncio.sleep(every)
        try:
            await drop_what_is_old(store)
            await drop_counts_of_old_days(store)
        except Refusal:
            continue


async def drop_what_is_old(store: Store) -> int:
    """Drop kept answers older than 24 hours, a few at a time so that no request waits long; how many went."""
    dropped = 0
    for _ in range(BATCHES):
        gone = await store.write_in_loop(lambda tx: drop_old(tx, BATCH), asyncio.get_running_loop())
        dropped += gone
        if gone < BATCH:
            break
    return dropped


async def drop_counts_of_old_days(store: Store) -> int:
    """Drop what was used on days that are over for a week; how many rows went."""
    return await store.write_in_loop(drop_old_usage, asyncio.get_running_loop())
