"""A test run told to other programs and people: as JUnit XML, and as Markdown."""

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from setright.client.runner.judged import AGENT_ERROR, Judged, Judgement

_NOT_IN_XML = re.compile("[^\t\n\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TITLES = {
    "newly wrong": "Newly wrong: fixed until now",
    "still wrong": "Still wrong",
    "not evaluated": "Not evaluated",
}
_SHOWN = 100


def junit(judgement: Judgement) -> str:
    """A test case for each correction: wrong is a failure, an agent that failed an error, not evaluated is skipped."""
    test_run = judgement.test_run
    subject, seconds = test_run.subject, _seconds(judgement)
    kinds = [_kind(one) for one in judgement.judged]
    suite = ET.Element(
        "testsuite",
        name=_xml(f"setright {subject.kind} {subject.id} {subject.version}"),
        tests=str(len(kinds)),
        failures=str(kinds.count("failure")),
        errors=str(kinds.count("error")),
        skipped=str(kinds.count("skipped")),
        time=f"{seconds:.3f}",
        timestamp=f"{test_run.created_at:%Y-%m-%dT%H:%M:%S}",
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in (
        ("testRunId", test_run.id),
        ("projectId", test_run.project_id),
        ("says", _says(judgement)),
    ):
        ET.SubElement(properties, "property", name=name, value=_xml(value))
    classname = _xml(f"{test_run.project_id}.{subject.kind}.{subject.id}")
    for one, kind in zip(judgement.judged, kinds, strict=True):
        case = ET.SubElement(suite, "testcase", classname=classname, name=one.correction_id, time="0")
        if kind is not None:
            told = ET.SubElement(case, kind, message=_xml(f"{one.change}: {one.reason}"))
            told.text = _xml(one.explanation)
    whole = ET.Element("testsuites")
    whole.append(suite)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(whole, encoding="unicode")}\n'


def markdown(judgement: Judgement) -> str:
    """The result as a page: the counts, and a table of what is wrong or has no verdict."""
    test_run = judgement.test_run
    subject, counts = test_run.subject, judgement.counts
    title = f"# {_md(f'{subject.kind} {subject.id} {subject.version}')}: {'good' if judgement.is_good else 'not good'}"
    lines = [
        title,
        "",
        f"{_md(_says(judgement))} Test run `{test_run.id}` in project `{test_run.project_id}`.",
        "",
    ]
    lines += ["| | corrections |", "|---|---|"]
    lines += [f"| {change} | {counts.get(change, 0)} |" for change in _CHANGES]
    for change, heading in _TITLES.items():
        found = [one for one in judgement.judged if one.change == change]
        if found:
            lines += ["", f"## {heading}", "", "| correction | why |", "|---|---|", *_rows(found)]
    return "\n".join([*lines, ""])


_CHANGES = ("newly wrong", "still wrong", "newly right", "still right", "not evaluated")


def _rows(found: list[Judged]) -> Iterable[str]:
    for one in found[:_SHOWN]:
        yield f"| `{one.correction_id}` | {_md(one.says)} |"
    if len(found) > _SHOWN:
        yield f"| and {len(found) - _SHOWN} more | |"


def _kind(one: Judged) -> str | None:
    if one.verdict == "right":
        return None
    if one.verdict == "wrong":
        return "failure"
    return "error" if one.reason == AGENT_ERROR else "skipped"


def _says(judgement: Judgement) -> str:
    test_run = judgement.test_run
    if test_run.failure is not None:
        return test_run.failure.message
    if test_run.status != "finished":
        return f"The test run is {test_run.status}."
    return test_run.says or "The project runs this version, so the corrections move accordingly."


def _seconds(judgement: Judgement) -> float:
    ended = judgement.test_run.ended_at
    return (ended - judgement.test_run.created_at).total_seconds() if ended else 0.0


def _xml(text: str) -> str:
    """A text without the characters that XML cannot carry; ElementTree escapes the others."""
    return _NOT_IN_XML.sub("", text)


def _md(text: str) -> str:
    """A text in one cell of a table: nothing in it is markup."""
    escaped = re.sub(r"([\\`*_{}\[\]<>|#!~])", r"\\\1", " ".join(text.split()))
    return _NOT_IN_XML.sub("", escaped)
