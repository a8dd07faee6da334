"""The three things that a reader can try on the demo's server, as commands that work when they are pasted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Try:
    """Something to try: why, and the command, which may have several lines."""

    title: str
    command: str


def things_to_try(url: str, token: str) -> tuple[Try, ...]:
    """A look at the list, a correction in the reader's own words, and a mistake that is explained."""
    corrections = f"{url}/v1/corrections"
    own_words = (
        '{"runId": "return-a-day-pass", "answer": "wrong", "shouldSay": "14 days, counted from today."}'
    )
    mistake = '{"runId": "return-a-day-pass", "answer": "wrong", "shouldsay": "14 days"}'
    return (
        Try(
            "See which corrections wait for somebody:",
            _curl(token, f"'{corrections}?status=open&status=with-owner'"),
        ),
        Try(
            "Correct that answer in your own words; yours replaces Mara's, because this is her token:",
            _post(token, corrections, own_words),
        ),
        Try(
            "Make a mistake (a field is misspelt) and read what is said about it:",
            _post(token, corrections, mistake),
        ),
    )


def _curl(token: str, *rest: str) -> str:
    return " \\\n  ".join(("curl -sS -w '\\n'", f"-H 'Authorization: Bearer {token}'", *rest))


def _post(token: str, url: str, body: str) -> str:
    return _curl(token, "-H 'Content-Type: application/json'", f"-d '{body}'", url)
