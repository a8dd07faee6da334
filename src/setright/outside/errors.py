"""What can go wrong outside."""

from typing import Literal

TroubleWord = Literal["down", "slow", "huge", "garbage"]


class ChatTrouble(Exception):
    """A model gave no answer that can be used; only the word says why, never what was sent or what came."""

    def __init__(self, word: TroubleWord) -> None:
        super().__init__(word)
        self.word: TroubleWord = word
