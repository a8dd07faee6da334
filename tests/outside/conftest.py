"""Tests of the model run where its package is: it has no wheel for every platform."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("wordllama") else ["test_embedding.py", "test_meaning_over_http.py"]
