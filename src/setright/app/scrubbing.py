"""Writing the database of this machine anew, so that its files hold nothing of what was deleted."""

from setright.app.machine import address
from setright.app.schema import TABLES
from setright.app.settings import Settings
from setright.storage.open import check_schema
from setright.storage.scrub import scrub_file
from setright.storage.scrub_server import scrub_server


def scrub(settings: Settings) -> bool:
    """Write every table anew; whether the log was emptied, too, which somebody who reads for long keeps from happening."""
    place = address(settings)
    check_schema(place)
    if place.path is None:
        scrub_server(place.url, [table.name for table in TABLES])
        return True
    return scrub_file(place.path)
