"""A text in ATF becomes an artifact: its facts, its lines where they stand, and what is said of lines and words."""

import pytest

from setright.exchange import Unread
from setright.exchange.corpora import Given
from setright.kernel.fields import validate
from setright.kernel.visible import visible
from setright.knowledge import NewArtifact
from tests.exchange.atf_samples import HEAD, odd, one, read, said, targets

LINE = "1. ki lu₂-gal-ta\n"


def test_a_text_has_its_id_title_source_language_and_keys() -> None:
    found = one(
        "#atf: lang sux\n#atf: use unicode\n#key: genre=letter\n#key: find=Nippur\n#key: file=a.saa\n" + LINE
    )
    assert {name: found[name] for name in ("id", "title", "source", "language", "genre")} == {
        "id": "P900009",
        "title": "Made up",
        "source": "setright/tests",
        "language": "Sumerian",
        "genre": "letter",
    }
    assert said(found) == [("note", "find: Nippur")]
    assert found["run"] == {"sourceType": "import", "sourceName": "setright/tests", "method": "atf"}


def test_a_text_without_project_has_the_source_that_was_given() -> None:
    given = Given("cdli", "CC BY 4.0", "CDLI")
    (found,), unread = read("&P900009 = Made up\n" + LINE, given)
    assert unread == []
    assert (found["source"], found["licence"], found["attribution"]) == ("cdli", "CC BY 4.0", "CDLI")
    nothing, (why,) = read("&P900009 = Made up\n" + LINE)
    assert nothing == []
    assert why == Unread("line 1", "names no #project:, and no source was given for such texts")


def test_a_word_has_its_form_its_clean_form_and_what_lem_says() -> None:
    line = targets(one("1. [ki] lu₂-gal#-ta\n#lem: u; +lugal[king//ruler]N$lugale +.\n"))["o.1"]
    assert [(token["form"], token["clean"]) for token in line["tokens"]] == [
        ("[ki]", "ki"),
        ("lu₂-gal#-ta", "lu₂-gal-ta"),
    ]
    assert [said(token) for token in line["tokens"]] == [
        [],
        [("reading", "lugale"), ("lemma", "lugal"), ("sense", "ruler"), ("pos", "N")],
    ]


def test_alternatives_of_one_word_stand_beside_one_another() -> None:
    (token,) = targets(one("1. lu₂-gal\n#lem: lugal[king]N|lugal[owner]N\n"))["o.1"]["tokens"]
    assert said(token) == [
        ("reading", "lugal"),
        ("lemma", "lugal"),
        ("sense", "king"),
        ("pos", "N"),
        ("sense", "owner"),
    ]


@pytest.mark.parametrize(
    ("before", "target"),
    [
        ("", "o.1"),
        ("@tablet\n@obverse\n", "o.1"),
        ("@reverse?\n", "r.1"),
        ("@left\n", "le.1"),
        ("@right\n", "re.1"),
        ("@top\n", "te.1"),
        ("@bottom\n", "be.1"),
        ("@edge\n", "e.1"),
        ("@surface b\n", "sb.1"),
        ("@face a\n", "fa.1"),
        ("@seal 1\n", "sl1.1"),
        ("@sealing\n", "sl.1"),
        ("@bullae\n@seal 2\n", "sl2.1"),
        ("@reverse\n@column 2'\n", "r.ii'.1"),
        ("@column 14\n", "o.xiv.1"),
        ("@column 0\n", "o.c0.1"),
        ("@column 120'\n", "o.c120'.1"),
        ("@column A\n", "o.a.1"),
        ("@obverse\n@column 3\n@reverse\n", "r.1"),
        ("@tablet\n@envelope\n", "envelope.o.1"),
        ("@tablet\n@envelope\n@envelope\n@reverse\n", "envelope~2.r.1"),
        ("@fragment 3\n", "fragment3.o.1"),
        ("@composite\n", "o.1"),
    ],
)
def test_where_a_line_stands(before: str, target: str) -> None:
    assert list(targets(one(before + LINE))) == [target]


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("1.", "1"),
        ("1'.", "1'"),
        ("1\u2032.", "1'"),
        ("1\u2019.", "1'"),
        ("1-2.", "1-2"),
        ("a+1.", "a+1"),
        ("1.a.", "1:a"),
        ("12b'.", "12b'"),
    ],
)
def test_a_line_has_its_label(written: str, label: str) -> None:
    assert list(targets(one(f"{written}\tki lu₂-gal-ta\n"))) == [f"o.{label}"]
    assert list(targets(one(f"{written}   ki lu₂-gal-ta\n"))) == [f"o.{label}"]


def test_a_label_that_stands_twice_on_a_surface_is_told_apart() -> None:
    assert list(targets(one("1. a\n1. b\n1. c\n"))) == ["o.1", "o.1~2", "o.1~3"]
    assert list(targets(one("1~2. a\n1. b\n1. c\n"))) == ["o.1~2", "o.1", "o.1~3"]


def test_the_same_line_in_another_language_stands_behind_it() -> None:
    found = targets(one("1. lugal\n#lem: lugal[king]N\n== %akk šarru\n#lem: šarru[king]N\n"))
    assert [(target, line["text"]) for target, line in found.items()] == [
        ("o.1", "lugal"),
        ("o.1=", "%akk šarru"),
    ]
    assert [token["form"] for token in found["o.1="]["tokens"]] == ["šarru"]


def test_the_witnesses_of_a_score_are_lines_of_their_own() -> None:
    lines = "@score matrix parsed word\n1.1'.\t%n [...] x\n#lem: u; u\nA\u2081_obv_1':\t[x] \u2014 // ba \u2192\n#lem: u; n\nA:\t($ruling$)\n"
    found = targets(one(lines))
    assert list(found) == ["o.1:1'", "o.A\u2081_obv_1'", "o.A"]
    assert [token["form"] for token in found["o.A\u2081_obv_1'"]["tokens"]] == ["[x]", "ba"]
    assert said(found["o.A\u2081_obv_1'"]["tokens"][1]) == [("pos", "n")]


def test_what_belongs_to_no_field_keeps_its_place_between_the_lines() -> None:
    found = one(
        "1. a\n>>Q000001 001\n=: b a\n# so\n#bib: X 1\n$ single ruling\n$ (____)\n$ rest broken\n@colophon\n2. b\n"
    )
    assert [(line["kind"], line["label"], line["text"]) for line in found["lines"]] == [
        ("text", "1", "a"),
        ("comment", None, ">>Q000001 001"),
        ("comment", None, "=: b a"),
        ("comment", None, "# so"),
        ("comment", None, "#bib: X 1"),
        ("ruling", None, "$ single ruling"),
        ("ruling", None, "$ (____)"),
        ("state", None, "$ rest broken"),
        ("comment", None, "@colophon"),
        ("text", "2", "b"),
    ]


def test_a_note_belongs_to_the_line_before_it_or_to_the_whole() -> None:
    found = one("#note: Of all.\n1. a\n#note: Of a line.\n@note ^1^ Of it, too.\n#tr.en: A!\n#tr.ts: aa\n")
    assert said(found) == [("note", "Of all.")]
    assert said(targets(found)["o.1"]) == [
        ("note", "Of a line."),
        ("note", "Of it, too."),
        ("translation", "A!"),
        ("reading", "aa"),
    ]


def test_a_line_that_begins_with_white_space_goes_on() -> None:
    found = one("1. a b\n   c\n#lem: x[1 b]N;\n\t y[c]N; z[d]N\n")
    assert [said(token)[2] for token in targets(found)["o.1"]["tokens"]] == [
        ("sense", "1 b"),
        ("sense", "c"),
        ("sense", "d"),
    ]


@pytest.mark.parametrize(
    ("lines", "at", "reason"),
    [
        ("1. a b\n#lem: n\n", 4, "its 1 entries are placed nowhere: line 1 has 2 words"),
        ("#lem: n\n", 3, "its 1 entries belong to no line: none stands before them"),
        ("1. a\n#lem: n\n#lem: n\n", 5, "its 1 entries are a second #lem of one line"),
        ("1. a b\n#lem: a; n\n", 4, "'a' is no lemma: it should be cf[gw]POS, n, u or X"),
        ("1. <<a>> b\n#lem: n; n\n", 4, "'n' stands on a word that is excised"),
        ("1.\n", 3, "the line 1 has no words"),
        ("@obvers\n", 3, "is no @ line that is known: '@obvers'"),
        ("ki lu₂-gal\n", 3, "is no line of ATF that is known: 'ki lu₂-gal'"),
        ("== %akk a\n", 3, "is the same line in another language, and no line stands before it"),
        ("#tr.en: A\n", 3, "translates a line, and no line stands before it"),
        ("#project: a/b\n", 3, "a text has one project, which is one word of at most 200 characters"),
        ("$\n", 3, "is a $ line that says nothing"),
        ("#note:\n", 3, "is an empty note"),
        ("#key: so\n", 3, "is no key=value"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line_and_the_rest_is_read(
    lines: str, at: int, reason: str
) -> None:
    found, told = odd(f"{lines}9. ki\n")
    assert told == [(f"line {at}", reason)]
    assert "o.9" in targets(found)


def test_a_fault_of_one_entry_takes_no_other_with_it() -> None:
    found, told = odd("1. a b c\n#lem: n; broken[; x[c]N\n")
    assert [place for place, _ in told] == ["line 4"]
    assert [said(token) for token in targets(found)["o.1"]["tokens"]][0::2] == [
        [("pos", "n")],
        [("reading", "x"), ("lemma", "x"), ("sense", "c"), ("pos", "N")],
    ]


def test_what_stands_before_the_first_text_belongs_to_none() -> None:
    (found,), unread = read("# made up\n\n1. a\n" + HEAD + LINE)
    assert unread == [Unread("line 3", "belongs to no text: no & line stands before it")]
    assert list(targets(found)) == ["o.1"]


def test_an_ampersand_without_an_id_begins_no_text() -> None:
    found, unread = read(HEAD + LINE + "& = Nothing\n2. b\n" + HEAD + LINE + "&\n")
    assert [(one.place, one.reason[:9]) for one in unread] == [
        ("line 4", "is an & l"),
        ("line 5", "belongs t"),
        ("line 9", "is an & l"),
    ]
    assert [list(targets(one)) for one in found] == [["o.1"], ["o.1"]]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("1. " + "a " * 1_001, "the line 1 has more than 20000 characters or 1000 words"),
        ("1. a " + "b" * 20_000, "the line 1 has more than 20000 characters or 1000 words"),
        ("1. a " + "b" * 1_001, "the line 1 has a word of 1001 characters, at most 1000"),
        ("# " + "b" * 20_000, "has more than 20000 characters or 1000 words"),
        ("#note: " + "b" * 20_001, "the note has 20001 characters; it may have at most 20000"),
        ("9. a\n#lem: " + "b" * 20_001 + "[c]N", "an entry has 20001 characters; it may have at most 20000"),
    ],
)
def test_what_is_more_than_an_artifact_may_hold_is_told(lines: str, reason: str) -> None:
    found, told = odd(f"{lines}\n9. ki\n")
    assert [why for _, why in told] == [reason]
    assert found["lines"][-1]["text"] == "ki"


def test_a_text_keeps_as_many_lines_and_notes_as_an_artifact_may_have() -> None:
    found, told = odd("#note: a\n" * 2 + "1. a\n" * 10_002)
    assert len(found["lines"]) == 10_000
    assert [place for place, _ in told] == ["line 10005", "line 10006"]
    found, told = odd("".join(f"#note: {number}\n" for number in range(250)))
    assert len(found["annotations"]) == 200
    assert told == [("line 1", "of P900009 too much is said: 50 beyond 200 are left out")]


def test_a_text_as_cdli_writes_it_comes_in_whole() -> None:
    lines = """#atf: lang sux
@tablet
@obverse
@column 1
1.a. 1(N01) , SZE~a#
1.b. [...] , |GA2~a1x(EN~a)|
2. 2(disz) udu ($ blank space $) ba-ug7
>>Q000001 002
#tr.en: two sheep died
$ blank space
@seal 1
1. _lugal_ kal-ga
"""
    found = targets(one(lines))
    assert [[token["clean"] for token in line["tokens"]] for line in found.values()] == [
        ["1(N01)", "SZE~a"],
        ["...", "|GA2~a1x(EN~a)|"],
        ["2(disz)", "udu", "ba-ug7"],
        ["lugal", "kal-ga"],
    ]
    assert list(found) == ["o.i.1:a", "o.i.1:b", "o.i.2", "sl1.1"]
    assert said(found["o.i.2"]) == [("translation", "two sheep died")]


@pytest.mark.parametrize(
    "line",
    ["#lem: ki[\u200b]N; lugal[king]N", "#note: \u200b\u202e", "#tr.en: \u2066\u2069", "#key: find=\u200b"],
)
def test_what_nobody_can_see_is_not_said(line: str) -> None:
    (artifact,), _ = read(HEAD + LINE + line)
    assert validate(NewArtifact, artifact)
    assert all(visible(value).strip() for _, value in said(artifact))
