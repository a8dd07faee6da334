"""Whatever a file holds, reading it ends, raises nothing, and every line of it is read or told."""

import json
import re
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setright.demo.samples import corpus
from setright.exchange.corpora import Given
from setright.exchange.corpora.atf_lemmas import entries, lemmas
from setright.exchange.corpora.atf_words import clean, words
from tests.exchange.atf_samples import read

SIGNS = st.sampled_from([*"a1[]{}<>()#?!*$|&:;'.-+@%=^~\\/°_ \tšŋ₂…"])
MARKED = st.text(SIGNS, max_size=60)
BEGINS = st.sampled_from(
    [
        *(
            "1. ",
            "1'.\t",
            "#lem: ",
            "#note: ",
            "#key: a=",
            "# ",
            "$ ",
            "== ",
            ">>",
            "@note ",
            "@(o 1) ",
            "@label o 1",
        ),
        *(
            "@obverse",
            "@reverse ",
            "@column 1",
            "@translation labeled en project",
            "@translation parallel en project",
        ),
        *("#tr.en: ", "&P9 = ", "  ", "", "@i{", "@", "#", "#project: a", "||", "#atf: lang "),
    ]
)
NOT_KEPT = re.compile(r"#(?:project|atf):|@[a-z]|&")
BEYOND = re.compile(r"[$#]")


@settings(max_examples=300)
@given(st.one_of(st.binary(max_size=400), st.text(max_size=400).map(str.encode)))
def test_any_file_is_read_to_its_end(raw: bytes) -> None:
    for begins in (b"", b"&P900009 = Made up\n#project: a\n1. "):
        read(begins + raw)
        read(begins + raw, form="json")


@settings(max_examples=300)
@given(st.lists(st.tuples(BEGINS, MARKED), max_size=12))
def test_every_line_of_a_text_is_kept_or_told(drawn: list[tuple[str, str]]) -> None:
    numbers = count(3)
    lines = [(next(numbers), f"{begins}{marked} Qq{at}q") for at, (begins, marked) in enumerate(drawn)]
    raw = "&P900009 = Made up\n#project: a\n" + "\n".join(line for _, line in lines)
    artifacts, unread = read(raw, Given("b"))
    kept = json.dumps(artifacts, ensure_ascii=False)
    told = {int(one.place.removeprefix("line ")) for one in unread}
    # In a translation, and where no text has begun, some lines are known and not kept.
    translated = False
    for at, (number, line) in enumerate(lines):
        if line.startswith("&"):
            translated = number in told
        translated = translated or line.startswith("@translation")
        begun, begins = next((one for one in lines[at::-1] if one[1][:1] not in " \t"), (2, ""))
        if NOT_KEPT.match(begins) or (translated and BEYOND.match(begins)):
            continue
        assert f"Qq{at}q" in kept or {number, begun} & told, line


@given(MARKED)
def test_words_have_a_form_and_a_clean_form(text: str) -> None:
    for word in words(text):
        assert word.form
        assert word.clean
        assert not word.form.isspace()
    assert clean(text) or not text


@given(MARKED)
def test_entries_are_read_or_refused(text: str) -> None:
    for entry in entries(text):
        for lemma in lemmas(entry) or []:
            assert all(value.strip() == value != "" for _, value in lemma.said())


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5_000), st.integers(0, 5_000))
def test_what_was_cut_anywhere_is_read(begins: int, ends: int) -> None:
    raw = "\n".join(corpus().values()).encode()
    read(raw[min(begins, len(raw)) : max(0, len(raw) - ends)])


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_the_ends_of_lines_change_nothing(end: str) -> None:
    for text in corpus().values():
        assert read(text.replace("\n", end)) == read(text)


NESTED = [
    "(",
    "[",
    "{",
    "{{",
    "<",
    "<<",
    "<(",
    "|",
    "a(",
    "°a\\",
    "($",
    "(#",
    "^a",
    "@(",
    "@i{",
    "@?",
    "+ ",
    ".-",
    "a;[",
]


@pytest.mark.parametrize("piece", NESTED)
@pytest.mark.parametrize(
    "line", ["1. {0}", "1. a\n#lem: {0}", "@translation labeled en project\n@(1) {0}", "&P1 = {0}"]
)
def test_marks_to_any_depth_are_read_or_told(piece: str, line: str) -> None:
    """60,000 signs: a reader that looked at each again for each would not come to an end here."""
    artifacts, unread = read(
        "&P900009 = Made up\n#project: a\n" + line.format(piece * (60_000 // len(piece)))
    )
    assert piece.strip() in json.dumps(artifacts, ensure_ascii=False).replace("\\\\", "\\") or unread
