"""A plugin of pytest: few and always the same examples, because the tests run once for every change."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "mutate",
    max_examples=10,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("mutate")
