"""The published schema of an artifact says what the ledger takes, and what the readers give fits it."""

import json
from typing import Any

import jsonschema
import pytest

from setright.demo.samples import corpus
from setright.faces.http.wire.artifacts import NEW_ARTIFACT
from tests.exchange.atf_samples import read
from tests.house.tree import ROOT

SCHEMA = json.loads((ROOT / "docs" / "reference" / "artifact.schema.json").read_text("utf-8"))
FITS = jsonschema.Draft202012Validator(SCHEMA)
READ = [artifact for text in corpus().values() for artifact in read(text)[0]]


@pytest.mark.parametrize("artifact", [NEW_ARTIFACT, *READ], ids=lambda one: f"{one['id']}-{one['source']}")
def test_what_is_read_and_what_is_shown_fits(artifact: dict[str, Any]) -> None:
    FITS.validate(artifact)


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": None},
        {"titel": "T"},
        {"lines": [{"label": "1"}]},
        {"annotations": [{"field": "colour", "value": "red"}]},
        {"annotations": [{"field": "note", "value": "n", "confidence": 2}]},
    ],
)
def test_what_the_ledger_refuses_does_not_fit(wrong: dict[str, Any]) -> None:
    assert not FITS.is_valid({**NEW_ARTIFACT, **wrong})
