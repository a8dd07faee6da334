"""How faults of a body are told."""

import pytest

from setright.corrections import NewCorrection
from setright.kernel.errors import Refusal, UnknownField
from setright.kernel.fields import validate


def test_a_misspelt_field_is_told_with_the_one_that_was_probably_meant() -> None:
    with pytest.raises(UnknownField, match=r"/shuoldSay \(did you mean shouldSay\?\)"):
        validate(NewCorrection, {"runId": "r", "decisions": "right", "shuoldSay": "14 days"})


def test_a_misspelt_field_beside_other_faults_names_the_one_that_is_allowed() -> None:
    with pytest.raises(
        Refusal, match=r"^/run_id: is not a field of this request; allowed: runId \(and 1 more\)"
    ) as caught:
        validate(NewCorrection, {"run_id": "r", "decisions": "right"})
    assert caught.value.details["faults"][0]["allowed"] == "runId"


def test_a_field_like_no_other_is_only_unknown() -> None:
    with pytest.raises(UnknownField) as caught:
        validate(NewCorrection, {"runId": "r", "decisions": "right", "zzzz": 1})
    assert caught.value.details["faults"] == [{"pointer": "/zzzz", "fault": "is not a field of this request"}]


@pytest.mark.parametrize("body", [None, [], "text", 5, True])
def test_a_body_that_is_no_object_points_at_the_whole(body: object) -> None:
    with pytest.raises(Refusal) as caught:
        validate(NewCorrection, body)
    assert caught.value.details["faults"][0]["pointer"] == ""


def test_of_very_many_faults_a_hundred_are_told_and_the_others_counted() -> None:
    body = {"runId": "r", "decisions": "right", **{f"field{number}": 1 for number in range(50_000)}}
    with pytest.raises(UnknownField, match=r"^Unknown field /field0, .*/field9 and 49990 more\.$") as unknown:
        validate(NewCorrection, body)
    assert len(unknown.value.details["faults"]) == 100
    with pytest.raises(Refusal, match=r"\(and 50000 more\)") as refused:
        validate(NewCorrection, body | {"why": 5})
    assert len(refused.value.details["faults"]) == 100


def test_a_field_with_an_odd_name_is_named() -> None:
    with pytest.raises(UnknownField) as caught:
        validate(NewCorrection, {"runId": "r", "decisions": "right", "function-a[b]": 1})
    assert caught.value.details["faults"][0]["pointer"] == "/function-a[b]"


def test_too_many_fields_of_an_object_are_told_as_such() -> None:
    expected = {"tool": "t", "args": {f"a{number}": 1 for number in range(200)}}
    with pytest.raises(Refusal, match="/shouldCall/0/args: has too many entries; allowed: at most 100"):
        validate(NewCorrection, {"runId": "r", "decisions": "wrong", "shouldCall": [expected]})
