"""What the settings allow to every tenant that has no limits of its own."""

from setright.app.settings import Settings
from setright.kernel.limits import Limits, Use


def limits_of(settings: Settings) -> Limits:
    """The limits of a server with these settings."""
    return Limits(
        body_bytes=settings.max_body_bytes,
        requests_per_second=settings.rate_per_second,
        requests_at_once=settings.rate_burst,
        a_day=Use(settings.runs_per_day, settings.run_bytes_per_day, settings.corrections_per_day),
        tokens=settings.most_tokens,
        users=settings.most_users,
        projects=settings.most_projects,
        corrector_groups=settings.most_corrector_groups,
    )
