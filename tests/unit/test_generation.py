"""What a model's generation_config.json asks for: every kind of value, sound and broken, and what of it holds."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from specviz.config.settings import ConfigError, RunConfig
from specviz.models.hub.generation import MOST, Asked, holds, read

SIZE = 100
CONFIG = RunConfig("x", temperature=0.7)
EVERYTHING = {
    "repetition_penalty": 1.3, "no_repeat_ngram_size": 2, "bad_words_ids": [[3], [4, 5, 6]],
    "sequence_bias": [[[7, 8], -1.5], [[9], -float("inf")]], "suppress_tokens": [10], "begin_suppress_tokens": [11],
    "min_new_tokens": 4, "top_k": 20, "top_p": 0.9, "min_p": 0.05, "typical_p": 0.8, "stop_strings": "###",
}  # fmt: skip
OFF = {
    "repetition_penalty": 1, "no_repeat_ngram_size": 0, "bad_words_ids": [], "sequence_bias": [], "suppress_tokens": [],
    "begin_suppress_tokens": None, "min_length": 0, "min_new_tokens": 0, "top_k": 0, "top_p": 1, "min_p": 0,
    "typical_p": 1.0, "stop_strings": None, "guidance_scale": 1.0, "encoder_repetition_penalty": 1, "num_beams": 1,
    "epsilon_cutoff": 0.0, "eta_cutoff": 0, "penalty_alpha": 0, "forced_eos_token_id": None, "use_mtp": False,
    "watermarking_config": None, "num_return_sequences": 1, "encoder_no_repeat_ngram_size": 0,
}  # fmt: skip


def asked(folder: Path, file: object = None, config: object = None) -> tuple[frozenset[int], Asked]:
    """What is read from a folder with these files; a text is a file as it is."""
    for name, content in (("config.json", config or {}), ("generation_config.json", file)):
        if content is not None:
            (folder / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read(folder, "a/model", SIZE)


def test_all_that_specviz_does_is_read_and_fills_the_settings_in(tmp_path: Path) -> None:
    ends, found = asked(tmp_path, {**EVERYTHING, "eos_token_id": [1, 2]})
    assert (ends, found.fault) == (frozenset({1, 2}), None)
    config, values, told = holds(CONFIG, found)
    assert config == replace(
        CONFIG, repetition_penalty=1.3, no_repeat_ngram_size=2, min_new_tokens=4, top_k=20, top_p=0.9, min_p=0.05,
        typical_p=0.8, stop_strings=("###",),
    )  # fmt: skip
    assert values == {
        "bad_words_ids": ((3,), (4, 5, 6)),
        "sequence_bias": (((7, 8), -1.5), ((9,), -float("inf"))),
        "suppress_tokens": (10,),
        "begin_suppress_tokens": (11,),
    }
    assert told is not None
    assert {*told.held} == {*EVERYTHING}
    assert (told.own, told.left) == ({}, {})
    assert (told.held["repetition_penalty"], told.held["bad_words_ids"]) == (1.3, "[[3], [4, 5, 6]]")


def test_a_persons_own_value_wins_and_temperature_and_length_are_always_theirs(tmp_path: Path) -> None:
    file = {**EVERYTHING, "temperature": 0.6, "max_new_tokens": 64, "max_length": 4096, "do_sample": False}
    _, found = asked(tmp_path, {**file, "min_new_tokens": None, "min_length": 9})
    mine = replace(CONFIG, top_k=5, stop_strings=("\n",), bad_words=("no",), min_new_tokens=2, top_p=0.9)
    config, values, told = holds(mine, found)
    assert (config.top_k, config.stop_strings, config.min_new_tokens) == (5, ("\n",), 2)
    assert (config.temperature, config.max_new_tokens, config.repetition_penalty) == (0.7, 64, 1.3)
    assert "min_length" not in values
    assert told is not None
    assert {*told.own} == {
        "temperature", "max_length", "do_sample", "top_k", "stop_strings", "bad_words_ids", "min_length"
    }  # fmt: skip
    assert told.held["top_p"] == 0.9
    _, _, greedy = holds(replace(CONFIG, temperature=0), found)
    assert greedy is not None
    assert "do_sample" not in greedy.own, "greedy is what it asks for"


def test_a_plain_run_obeys_nothing_and_says_so_even_of_a_broken_file(tmp_path: Path) -> None:
    plain = replace(CONFIG, generation="plain")
    _, found = asked(tmp_path, {"top_p": 0.8, "temperature": 0.6, "guidance_scale": 2})
    config, values, told = holds(plain, found)
    assert (config, values) == (plain, {})
    assert told is not None
    assert (told.held, told.own) == ({}, {})
    assert told.left == {"top_p": 0.8, "temperature": 0.6, "guidance_scale": 2}
    ends, broken = asked(tmp_path, "{", {"eos_token_id": 7})
    assert holds(plain, broken) == (plain, {}, None)
    assert ends == {7}, "as transformers does where the file cannot be read"


def test_what_is_off_asks_for_nothing_and_what_specviz_does_not_do_is_said(tmp_path: Path) -> None:
    silent = {"transformers_version": "4", "bos_token_id": 0, "pad_token_id": 0, "_from_model_config": True}
    _, found = asked(tmp_path, OFF | silent)
    assert holds(CONFIG, found) == (CONFIG, {}, None)
    left = {
        "guidance_scale": 1.5, "num_beams": 4, "epsilon_cutoff": 3e-4, "forced_eos_token_id": 0, "penalty_alpha": 0.6,
        "watermarking_config": {"bias": 2.5}, "dola_layers": "high", "prompt_lookup_num_tokens": 3,
        "exponential_decay_length_penalty": [5, 1.1], "top_h": 0.4, "remove_invalid_values": True, "new_in_2027": 1,
    }  # fmt: skip
    _, found = asked(tmp_path, OFF | left)
    _, _, told = holds(CONFIG, found)
    assert told is not None
    assert (told.held, told.own) == ({}, {})
    assert {*told.left} == {*left}
    assert told.left["watermarking_config"] == '{"bias": 2.5}'
    assert told.left["remove_invalid_values"] == "true"


def test_a_folder_without_the_file_is_read_as_transformers_reads_it(tmp_path: Path) -> None:
    config: dict[str, Any] = {"hidden_size": 8, "eos_token_id": 5, "top_p": 0.9, "bos_token_id": 1, "num_beams": 1}
    ends, found = asked(tmp_path, None, config)
    assert (ends, found.values, found.left) == (frozenset({5}), {"top_p": 0.9}, {})
    nested = {"text_config": {"eos_token_id": 6, "repetition_penalty": 1.2}, "eos_token_id": None}
    assert asked(tmp_path, None, nested) == (frozenset({6}), Asked(values={"repetition_penalty": 1.2}))
    assert asked(tmp_path, {}, config) == (frozenset(), Asked()), "a file that asks for nothing hides config.json"


def test_no_end_is_a_bad_word_and_ids_that_no_token_has_end_nothing(tmp_path: Path) -> None:
    ends, found = asked(tmp_path, {"eos_token_id": [2, -1, SIZE], "bad_words_ids": [[2], [2, 3]]})
    assert (ends, found.values) == (frozenset({2}), {"bad_words_ids": ((2, 3),)})


NUMBER = "a number above 0"
BROKEN: dict[str, tuple[str, list[object]]] = {
    "repetition_penalty": (NUMBER, ["1.3", 0, -1.0, True, float("nan"), float("inf")]),
    "no_repeat_ngram_size": ("a whole number from 0", [2.0, -1]),
    "top_k": ("a whole number from 0", ["20"]),
    "top_p": ("a number from 0 to 1", [1.5]),
    "min_p": ("a number from 0 to 1", [[0.1]]),
    "typical_p": ("a number above 0, at most 1", [0]),
    "min_new_tokens": ("a whole number from 0", [10**30]),
    "min_length": ("a whole number from 0", [{}]),
    "bad_words_ids": ("a list of lists of token ids from 0 to 99", [[3], [[3], []], [[100]], "no", [[True]]]),
    "sequence_bias": ("a list of pairs", [[[[3], "a"]], [[[3]]], {"3": -1}, [[[3], float("nan")]], 4]),
    "suppress_tokens": ("a list of token ids from 0 to 99", [[-1], 5]),
    "begin_suppress_tokens": ("a list of token ids from 0 to 99", [[1.5]]),
    "stop_strings": ("a text of at most 200 letters, or a list", [["a", ""], 5, ["\ud800"], ["a"] * 65]),
    "eos_token_id": ("a token id, or a list of token ids", ["2", [[2]]]),
}


@pytest.mark.parametrize("key", BROKEN)
def test_a_broken_value_is_one_line_that_says_what_is_wanted_and_how_to_go_on(tmp_path: Path, key: str) -> None:
    wanted, values = BROKEN[key]
    for value in values:
        ends, found = asked(tmp_path, {key: value}, {"eos_token_id": 5})
        with pytest.raises(ConfigError) as caught:
            holds(CONFIG, found)
        said = str(caught.value)
        assert said.startswith(f"generation_config.json of a/model: {key} is ")
        assert wanted in said
        assert said.endswith("or choose plain (--generation plain, or its switch on the page)")
        assert len(said) < 400
        assert "\n" not in said
        assert ends == {5}


@pytest.mark.parametrize(
    "content", ["", "{", "[1]", "3", "[" * 100_000, '{"a": ' * 50_000, '{"top_k": ' + "9" * 9_999 + "}"]
)
def test_a_file_that_is_no_json_object_is_one_line(tmp_path: Path, content: str) -> None:
    _, found = asked(tmp_path, content)
    with pytest.raises(
        ConfigError, match=r"^generation_config.json of a/model cannot be read \(.*\); correct it, or choose"
    ):
        holds(CONFIG, found)


def test_a_file_of_bytes_or_of_millions_of_them_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    for content in (b"\xff\xfe\x00", b" " * (MOST + 1)):
        (tmp_path / "generation_config.json").write_bytes(content)
        with pytest.raises(ConfigError, match="cannot be read"):
            holds(CONFIG, read(tmp_path, "a/model", SIZE)[1])


def test_what_a_hostile_file_says_is_told_in_few_letters_without_control_characters(tmp_path: Path) -> None:
    _, found = asked(
        tmp_path, {"temperature": "\x1b[31m\u202e" * 99, **{f"k{at}": "x" * 99 for at in range(999)}, "\x1b": 1}
    )
    _, _, told = holds(CONFIG, found)
    assert told is not None
    assert len(told.left) == 40
    assert all(
        isinstance(each, str) and len(each) < 62 and each.isprintable()
        for each in [*told.own.values(), *told.left.values()]
    )
