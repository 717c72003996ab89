"""Copies where a match goes on that is likely to stand, and asks another drafter otherwise, for fewer guesses, because
those cost a pass each."""

from collections import defaultdict
from collections.abc import Sequence

from specviz import draft
from specviz.config.words import because
from specviz.draft.base import Drafter, DrafterSpec, Resources, Settings
from specviz.draft.handing import Handing, Sure
from specviz.trace.guess import Source

NAME = "copy-first"
DEPTH = 32
"""How many tokens of a match are compared."""
RECENT = 64
"""How many earlier places of the last token are compared, the most recent ones."""
EVEN = 0.5
"""A copy is guessed as long as it and those before it are likelier to stand together than not."""


class Copies:
    """Goes on with the longest match, of equally long ones the most recent.

    How often a copy stands is counted for every length of match, over all of the text: what followed the longest match
    at each place, against what then came. Lengths are counted together from one power of two to the next, and a length
    with few counts leans on the next shorter one's rate; before any are counted, a copy stands every other time.

    Source: prompt lookup decoding, Saxena, 2023, before a draft model as in llama.cpp and vLLM #18633; the rate by the
    length of match is the expected acceptance of SuffixDecoding, arXiv:2411.04975, measured on the text itself.
    """

    certain = False

    def __init__(self) -> None:
        self.begin(())

    def begin(self, text: Sequence[int]) -> None:
        self._text: list[int] = []
        self._places: dict[int, list[int]] = defaultdict(list)
        self._counts = [[0, 0] for _ in range(DEPTH.bit_length())]
        """Of each group of lengths, how many copies stood, of how many."""
        self.commit(text)

    def commit(self, tokens: Sequence[int]) -> None:
        for token in tokens:
            length, place = self._match()
            if length:
                counts = self._counts[length.bit_length() - 1]
                counts[0] += self._text[place] == token
                counts[1] += 1
            self._places[token].append(len(self._text))
            self._text.append(token)

    def sure(self, most: int) -> list[Sure]:
        length, place = self._match()
        words, rates, found, together = because("lookup", length=length), self._rates(), list[Sure](), 1.0
        while length and len(found) < most and place < len(self._text):
            together *= rates[min(length + len(found), DEPTH).bit_length() - 1]
            if together < EVEN:
                break
            found.append(Sure(self._text[place], Source("prompt-lookup", span=(place, place + 1), words=words)))
            place += 1
        return found

    def last(self, token: int) -> bool:
        """A text that is copied has ended before, and may go on."""
        return False

    def _match(self) -> tuple[int, int]:
        """How many of the last tokens stood before, at most DEPTH, and where what followed them begins; 0: none did."""
        text, end, best = self._text, len(self._text) - 1, (0, 0)
        for place in reversed(self._places.get(text[-1], [])[-RECENT - 1 : -1] if text else []):
            length = 1
            while length < DEPTH and length <= place and text[place - length] == text[end - length]:
                length += 1
            best = max(best, (length, place + 1), key=lambda match: match[0])
        return best

    def _rates(self) -> list[float]:
        """How often a copy stood, by the group of its length."""
        rates, before = [], EVEN
        for stood, of in self._counts:
            before = (stood + before) / (of + 1)
            rates.append(before)
        return rates


def build(resources: Resources, params: Settings) -> Drafter:
    """Raises ConfigError: the other drafter cannot be made."""
    inner = resources.make_drafter(str(params["inner"]))
    return Handing(Copies(), inner, resources.clock, int(params["guesses"]))


SPEC = DrafterSpec(draft.entry(NAME), build)
