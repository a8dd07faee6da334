"""What the long suites share with the others."""

from tests.conftest import database_url, postgres

__all__ = ["database_url", "postgres"]
