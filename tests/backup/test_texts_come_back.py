"""A backup of a ledger with texts: every row, the words that are searched, and the numbers that were given."""

from tests.backup.places import Places, every_row, filled, sound
from tests.backup.test_soundness_of_knowledge import corrected


def test_texts_layers_and_the_search_come_back(places: Places) -> None:
    url, back = places.with_schema(), places.new()
    before = filled(places, url)
    corrected(before)
    kept = before.get("/v1/interactions").json()
    last = kept["data"][0]["id"]
    summary = before.get("/v1/artifacts/P1/summary").json()
    made = places.back_up(url)
    places.restore(made.path, back)
    assert every_row(back) == every_row(url)
    after = places.again(before, back)
    found = after.get("/v1/search?q=lugal&mode=lexical").json()
    assert found["interactionId"] == last + 2
    assert "o.1.1" in {hit.get("target") for hit in found["data"]["hits"]}
    again = after.get("/v1/artifacts/P1/summary").json()
    assert again["generatedAt"] == summary["generatedAt"]
    assert sound(back)
