"""What a text may continue with: a JSON schema or a regular expression that the whole of it must match, token by token.

`llguidance` makes the masks. Where the text continues in one way alone, a mask has one token: the tokenizer's own
spelling of it.
"""

from collections.abc import Sequence

import numpy as np
from llguidance import LLMatcher

from specviz.config.settings import ConfigError
from specviz.models.tokenizer import Tokenizer
from specviz.sampling.arrays import Bools

SPELLING = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
"""White space in JSON, as Python's own json writes it. A schema's "x-guidance" may say otherwise."""


class Grammar:
    """What may follow a text. It stays at the text last asked about, so that neighbouring ones are quickly asked.

    Nothing but an end token may follow a text that matches and cannot go on. Anything may follow one that has ended or
    breaks the grammar, which no text of a run does.
    """

    def __init__(self, rules: str, tokenizer: Tokenizer, size: int, ends: frozenset[int]) -> None:
        """Reads a JSON schema, if `rules` begin with a brace, else a regular expression.

        Args:
            size: of the vocabulary.
            ends: tokens that end a text.

        Raises:
            ConfigError: the rules cannot be used, nothing matches them, or no text of this tokenizer could end.
        """
        if not ends:
            raise ConfigError("grammar_ends")
        self._size, self._ends = size, ends
        self._kind = "schema" if rules.lstrip().startswith("{") else "expression"
        self._text: list[int] = []
        try:
            made = _read_schema(rules) if self._kind == "schema" else LLMatcher.grammar_from_regex(rules)
            self._matcher = LLMatcher(tokenizer.guide(size, ends), made, log_level=0)
        except ValueError as error:
            raise self._refusal(str(error)) from error
        self._check()
        self.allowed(())

    def allowed(self, written: Sequence[int]) -> Bools:
        """Which tokens may follow those that were written after the prompt, bool[size], at least one.

        Raises:
            ConfigError: the library gives up, because that takes too much time or memory.
        """
        mask = np.ones(self._size, dtype=bool)
        if self._ends.isdisjoint(written) and self._move(written):
            bits = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
            self._check()
            mask[:] = np.unpackbits(bits, count=self._size, bitorder="little")
            mask[[end for end in self._ends if end < self._size]] = self._matcher.is_accepting()
        return mask

    def _move(self, text: Sequence[int]) -> bool:
        """True if the text keeps to the grammar; the matcher is then at its end."""
        known = zip(self._text, text, strict=False)
        same = next((at for at, (own, other) in enumerate(known) if own != other), min(len(self._text), len(text)))
        self._matcher.rollback(len(self._text) - same)
        taken = self._matcher.try_consume_tokens([*text[same:]])
        self._check()
        self._text = [*text[: same + taken]]
        return len(self._text) == len(text)

    def _check(self) -> None:
        if error := self._matcher.get_error():
            raise self._refusal("nothing matches it" if error.startswith("NoExtension") else error)

    def _refusal(self, error: str) -> ConfigError:
        """In one line: the library's own reason, without where it stands in what was made of the rules."""
        lines = error.strip().splitlines()
        named = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
        return ConfigError("grammar", kind=self._kind, error=(named or lines)[0].split("(in regex): ")[-1][:120])


def _read_schema(rules: str) -> str:
    return LLMatcher.grammar_from_json_schema(rules, defaults=SPELLING)  # type: ignore[arg-type]
