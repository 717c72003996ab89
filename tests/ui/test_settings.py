"""The table of settings: one entry is all that a setting needs to be offered, read, checked and kept everywhere."""

import argparse
import dataclasses
from typing import Annotated

import gradio as gr
import pytest

from specviz.commands import run
from specviz.config.settings import (
    SETTINGS,
    ConfigError,
    Entry,
    Group,
    Kind,
    RunConfig,
    Setting,
    check,
    range_of,
    settings_of,
    table,
)
from specviz.ui import controls, words

CATALOG = {name: (Entry("small-model", ""),) for name in ("drafter", "rule", "gamma_rule")}


@dataclasses.dataclass(frozen=True, slots=True)
class Warmer(RunConfig):
    """A config with one setting more."""

    warmth: Annotated[int, Setting(Kind.WHOLE, 1, 9, key="w", help="how warm")] = 3


MORE = settings_of(Warmer)


def test_an_added_setting_is_an_option() -> None:
    parser = argparse.ArgumentParser()
    run.add_options(parser, MORE)
    assert parser.parse_args(["Once", "--warmth", "4"]).warmth == 4
    assert "how warm; a whole number from 1 to 9; 3 unless given" in " ".join(parser.format_help().split())


def test_an_added_setting_is_a_control_whose_value_a_run_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(words.widgets()["labels"], "warmth", "Warmth")
    made = controls.Controls(CATALOG, MORE)
    made.lay_out(Group.BAR)
    made.lay_out(Group.DECODING)
    widget = made.inputs["warmth"]
    assert (type(widget), widget.elem_id, widget.value) == (gr.Number, "sv-warmth", 3)
    assert controls.config(CATALOG, MORE, Warmer, prompt="Once", warmth=5.0) == Warmer("Once", warmth=5)


def test_an_added_setting_has_a_key_in_links_and_its_limits_on_the_page() -> None:
    row = table(settings=MORE)[-1]
    assert (row["name"], row["key"], row["kind"], row["low"], row["high"]) == ("warmth", "w", "whole", 1, 9)


def test_an_added_setting_is_a_column_of_studies() -> None:
    pytest.importorskip("pyarrow", reason="there is no pyarrow here; pip install '.[test]'")
    from specviz.lab.study import store

    assert [name for name, _ in store.columns(MORE)][-1] == "warmth"


def test_an_added_setting_is_checked() -> None:
    check(Warmer("Once", warmth=9), settings=MORE)
    with pytest.raises(ConfigError, match="warmth is 10; wanted a whole number from 1 to 9"):
        check(Warmer("Once", warmth=10), settings=MORE)


def test_every_default_is_within_its_bounds_and_no_two_settings_share_a_key() -> None:
    keys = [setting.key for setting in SETTINGS if setting.key]
    assert len({*keys}) == len(keys)
    for setting in SETTINGS:
        assert not setting.is_number or setting.default in range_of(setting)
