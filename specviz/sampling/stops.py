"""Stop strings: the text ends with the token at whose end the text holds one that ends inside that token.

It may have begun in tokens before, the prompt's last ones too, and the token may say more. That is what transformers'
StopStringCriteria looks for; but here tokens are read together, so a character that is split among tokens counts when
it is whole. Standard library only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

SPARE = 8
"""Tokens that are read besides one for each letter of the longest string, because a character may be several."""
PART = "\ufffd"
"""How a decoder shows the bytes of a character that is not whole yet."""


def _nothing(tokens: Sequence[int]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Stops:
    """The strings that end a text. decode: the text of tokens, special ones included."""

    strings: tuple[str, ...] = ()
    decode: Callable[[Sequence[int]], str] = _nothing

    def among(self, text: Sequence[int], tokens: Sequence[int], parents: Sequence[int]) -> dict[int, str]:
        """The nodes of a draft at which a string is complete, each with it. Nodes after such a one are not looked at.

        Args:
            text: what comes before the draft, prompt included.
            tokens, parents: of the draft, as a `DraftTree` has them; -1 is the end of the text.
        """
        complete: dict[int, str] = {}
        if not self.strings or not tokens:
            return complete
        before = {-1: self._last(text)}
        for node, (token, parent) in enumerate(zip(tokens, parents, strict=True)):
            if parent not in before:
                continue
            read, whole = before[parent]
            read = [*read, token]
            shown = self.decode(read)
            if string := self._inside(shown.rstrip(PART), whole):
                complete[node] = string
            else:
                before[node] = read, whole if shown.endswith(PART) else len(shown)
        return complete

    def by(self, text: Sequence[int], token: int) -> str:
        """The string that the token completes after the text; "" if none."""
        return self.among(text, [token], [-1]).get(0, "")

    def _last(self, text: Sequence[int]) -> tuple[list[int], int]:
        """As many of the last tokens as a string may have begun in, and how many letters of theirs are whole."""
        longest = max(map(len, self.strings))
        size = longest + SPARE
        while True:
            read = [*text[-size:]]
            shown = whole = self.decode(read)
            for end in range(len(read) - 1, -1, -1):
                if not whole.endswith(PART):
                    break
                whole = self.decode(read[:end])
            if size >= len(text) or (len(whole) >= longest and not shown.startswith(PART)):
                return read, len(whole)
            size *= 2

    def _inside(self, shown: str, whole: int) -> str:
        """The string that is complete first of those that end behind the letters that were whole before."""
        places = ((shown.find(string, max(0, whole - len(string) + 1)), string) for string in self.strings)
        found = [(place + len(string), order, string) for order, (place, string) in enumerate(places) if place >= 0]
        return min(found)[2] if found else ""


NO_STOPS = Stops()
