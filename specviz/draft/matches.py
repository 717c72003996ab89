"""Where the end of a text occurred before. Shared by drafters that copy from the text itself."""

from collections import defaultdict
from collections.abc import Iterator, Sequence


class Places:
    """A text, and the positions of each of its tokens."""

    def __init__(self) -> None:
        self.text: list[int] = []
        self._of: dict[int, list[int]] = defaultdict(list)

    def add(self, token: int) -> None:
        self._of[token].append(len(self.text))
        self.text.append(token)

    def matches(self, depth: int, recent: int) -> Iterator[tuple[int, int]]:
        """For each match how many tokens it shares with the text's end, and where those after it begin. The most recent
        comes first.

        Args:
            depth: how many tokens are compared.
            recent: how many earlier places of the last token are compared, the most recent ones.
        """
        text, end = self.text, len(self.text) - 1
        places: Sequence[int] = self._of[text[-1]] if text else ()
        for place in reversed(places[-recent - 1 : -1]):
            length = 1
            while length < depth and length <= place and text[place - length] == text[end - length]:
                length += 1
            yield length, place + 1
