"""Where a text is thinking: between an opening tag and the next closing one. Standard library only.

The tags are looked for in the whole text, prompt included, read together as text. Thinking begins after the token that
completes an opening tag and ends after the one that completes a closing tag; an opening tag inside changes nothing.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass

TAGS = (
    ("<think>", "</think>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
)
"""What models think between: DeepSeek-R1, Qwen3 and most others; Magistral; Seed-OSS; Command A Reasoning."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """opens, closes: the tags. decode: the text of tokens, special ones included."""

    opens: str
    closes: str
    decode: Callable[[Sequence[int]], str]

    def at(self, text: Sequence[int]) -> bool:
        """True if the next token after the text is one of thinking."""
        shown, place, thinks = self.decode(text), 0, False
        while (found := shown.find(self.closes if thinks else self.opens, place)) >= 0:
            place, thinks = found + len(self.closes if thinks else self.opens), not thinks
        return thinks


def tags_of(known: Sequence[Container[str]]) -> tuple[str, str]:
    """The tags that a model thinks between, by its tokens and its chat template; the first of TAGS if it has none."""
    return next((pair for pair in TAGS if any(all(tag in each for tag in pair) for each in known)), TAGS[0])
