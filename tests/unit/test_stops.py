"""Where a stop string is complete: in a draft, across tokens, begun in the prompt, its letters in parts."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specviz.models.tokenizer import Tokenizer
from specviz.sampling.stops import Stops

PIECES = ["a", "b", "S", "T", "O", "P", "STOP", "xSTOPx", "OP!", "\n", "\n\n", "ST", " "]
PAIR = Path(__file__).parents[2] / "assets" / "pair" / "target"


def ids(*pieces: str) -> list[int]:
    return [PIECES.index(piece) for piece in pieces]


def joined(tokens: Sequence[int]) -> str:
    return "".join(PIECES[token] for token in tokens)


def chain(text: Sequence[str], draft: Sequence[str], *strings: str) -> dict[int, str]:
    tokens = ids(*draft)
    return Stops(strings, joined).among(ids(*text), tokens, range(-1, len(tokens) - 1))


def test_it_may_come_in_three_tokens_begin_in_the_prompt_and_end_in_a_token_that_says_more() -> None:
    assert chain("a", ["ST", "O", "P", "a"], "STOP") == {2: "STOP"}
    assert chain(["a", "S", "T"], ["OP!", "a"], "STOP") == {0: "STOP"}
    assert chain("a", ["xSTOPx"], "STOP") == {0: "STOP"}
    assert chain(["a", "\n"], ["\n", "a"], "\n\n") == {0: "\n\n"}


def test_what_is_complete_in_the_prompt_ends_nothing() -> None:
    assert chain(["a", "STOP"], ["a", "b"], "STOP") == {}
    assert chain(["STOP"], ["xSTOPx"], "STOP") == {0: "STOP"}, "but the next one does"
    assert chain(["\n\n"], ["\n"], "\n\n") == {0: "\n\n"}, "one that overlaps it too"


def test_of_two_strings_the_one_that_is_complete_first_is_named() -> None:
    assert chain("a", ["S", "T", "OP!"], "OP!", "STOP") == {2: "STOP"}
    assert chain("a", ["S", "T", "OP!"], "P", "OP") == {2: "P"}, "of two at one letter the one named first"


def test_in_a_tree_only_the_branch_that_completes_it_ends() -> None:
    tokens, parents = ids("ST", "a", "OP!", "OP!", "b"), [-1, -1, 0, 1, 2]
    assert Stops(("STOP",), joined).among(ids("a"), tokens, parents) == {2: "STOP"}


def test_the_targets_own_token_completes_it_too() -> None:
    assert Stops(("STOP",), joined).by(ids("a", "ST", "O"), ids("P")[0]) == "STOP"
    assert Stops(("STOP",), joined).by(ids("a", "ST", "O"), ids("a")[0]) == ""


@given(st.lists(st.sampled_from(range(len(PIECES))), max_size=60), st.lists(st.sampled_from(range(len(PIECES)))))
def test_the_last_tokens_say_as_much_as_the_whole_text(text: list[int], draft: list[int]) -> None:
    """Beside the definition: the first token at whose end the text holds a string that ends inside it."""
    strings = ("STOP", "\n\n", "ab", "P!")
    whole: dict[int, str] = {}
    for place in range(len(draft)):
        before, after = (joined([*text, *draft[: place + more]]) for more in (0, 1))
        if any(after.find(string, max(0, len(before) - len(string) + 1)) >= 0 for string in strings):
            whole[place] = ""
            break
    found = Stops(strings, joined).among(text, draft, range(-1, len(draft) - 1))
    assert [*found] == [*whole]


def test_a_long_text_is_not_decoded_whole() -> None:
    lengths: list[int] = []

    def counted(tokens: Sequence[int]) -> str:
        lengths.append(len(tokens))
        return joined(tokens)

    Stops(("STOP",), counted).among(ids("a") * 5_000, ids("a") * 20, range(-1, 19))
    assert max(lengths) < 40
    assert len(lengths) < 30


@pytest.fixture(scope="module")
def byte_level() -> Tokenizer:
    return Tokenizer.plain(PAIR)


@pytest.mark.parametrize("string", ["🙂", "é", "漢字", "👩‍🔬", "a🙂b"])
def test_a_character_of_several_tokens_is_complete_with_its_last(string: str, byte_level: Tokenizer) -> None:
    before, after = (byte_level.encode(part) for part in (" once 🙃", " upon"))
    tokens = byte_level.encode(string)
    assert any("\ufffd" in byte_level.decode([token]) for token in tokens), "the tokenizer takes it apart"
    found = Stops((string,), byte_level.decode).among(before, [*tokens, *after], range(-1, len(tokens + after) - 1))
    assert found == {len(tokens) - 1: string}
    assert Stops((string,), byte_level.decode).among([*before, *tokens], after, range(-1, len(after) - 1)) == {}


def test_bytes_that_are_read_together_hide_no_letter_that_was_there() -> None:
    """As SentencePiece's byte tokens are decoded: a stretch of them is text only where all of it is."""
    parts = list("a漢字".encode())

    def decode(tokens: Sequence[int]) -> str:
        data = bytes(tokens)
        try:
            return data.decode()
        except UnicodeDecodeError:
            return "\ufffd" * len(data)

    assert Stops(("漢",), decode).among(parts[:1], parts[1:], range(-1, 5)) == {2: "漢"}
    assert Stops(("漢",), decode).among(parts[:4], parts[4:], range(-1, 2)) == {}
    assert Stops(("字", "漢"), decode).among(parts[:4], parts[4:], range(-1, 2)) == {2: "字"}


def test_a_first_space_belongs_to_the_string(tmp_path: Path) -> None:
    """SentencePiece's decoder drops the first space of what it is given, and that begins anywhere in the text."""
    from tokenizers import Tokenizer as Inner
    from tokenizers import decoders, models

    inner = Inner(models.WordLevel({"▁so": 0, "▁it": 1, "▁is": 2, "a": 3, "<unk>": 4}, unk_token="<unk>"))
    inner.decoder = decoders.Metaspace()
    inner.save(str(tmp_path / "tokenizer.json"))
    tokenizer = Tokenizer.plain(tmp_path)
    assert tokenizer.decode([0, 1]) == " so it"
    assert Stops((" it is",), tokenizer.decode).among([0] * 30, [1, 2, 0], [-1, 0, 1]) == {1: " it is"}
    assert Stops(("soit",), tokenizer.decode).among([0], [1, 2], [-1, 0]) == {}
