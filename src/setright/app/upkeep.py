"""What a serving process does by itself now and then: drop the answers that are kept no longer."""

import asyncio

from setright.kernel.errors import Refusal
from setright.storage import Store
from setright.storage.kept import drop_old

EVERY_SECONDS = 60
BATCH = 500
BATCHES = 40


async def upkeep(store: Store, every: float = EVERY_SECONDS) -> None:
    """Run until cancelled; trouble of the database is left to the next round."""
    while True:
        await asyncio.sleep(every)
        try:
            await drop_what_is_old(store)
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
