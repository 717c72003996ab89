"""Copies what follows a match if it is likely to be accepted, and otherwise asks another drafter for fewer guesses,
because those cost a pass each."""

from collections.abc import Sequence
from operator import itemgetter

from specviz import draft
from specviz.config.words import because
from specviz.draft.base import Drafter, DrafterSpec, Resources, Settings
from specviz.draft.handing import EVEN, Handing, Sure
from specviz.draft.matches import Places
from specviz.trace.guess import Source

NAME = "copy-first"
DEPTH = 32
"""How many tokens of a match are compared."""
RECENT = 64
"""How many earlier places of the last token are compared, the most recent ones."""


class Copies:
    """Continues with the longest match, of equally long ones the most recent.

    Counts how often a copy is right, for every length of match, over all of the text: what followed the longest match
    at each place, against what then came. Lengths are counted together from one power of two to the next, and a length
    with few counts leans on the next shorter one's rate; before any are counted, half of the copies count as right.

    Source: prompt lookup decoding, Saxena, 2023, before a draft model as in llama.cpp and vLLM #18633; the rate by the
    length of match is the expected acceptance of SuffixDecoding, arXiv:2411.04975, measured on the text itself.
    """

    certain, ends = False, ()

    def __init__(self) -> None:
        self.begin(())

    def begin(self, text: Sequence[int]) -> None:
        self._places = Places()
        self._counts = [[0, 0] for _ in range(DEPTH.bit_length())]
        """How many copies were right, of how many, for each group of lengths."""
        self.commit(text)

    def commit(self, tokens: Sequence[int]) -> None:
        for token in tokens:
            length, place = self._match()
            if length:
                counts = self._counts[length.bit_length() - 1]
                counts[0] += self._places.text[place] == token
                counts[1] += 1
            self._places.add(token)

    def sure(self, most: int) -> list[Sure]:
        (length, place), text = self._match(), self._places.text
        words, rates, found, together = because("lookup", length=length), self._rates(), list[Sure](), 1.0
        while length and len(found) < most and place < len(text):
            together *= rates[min(length + len(found), DEPTH).bit_length() - 1]
            if together < EVEN:
                break
            found.append(Sure(text[place], Source("prompt-lookup", span=(place, place + 1), words=words)))
            place += 1
        return found

    def _match(self) -> tuple[int, int]:
        """The length of the longest match, of equally long ones the most recent, and where what followed it begins; 0:
        there is none."""
        return max(self._places.matches(DEPTH, RECENT), key=itemgetter(0), default=(0, 0))

    def _rates(self) -> list[float]:
        """How often a copy was right, by the group of its length."""
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
