"""The page as Python builds it: no torch, every control from the catalog, and nothing borrowed from elsewhere."""

import json
import re
import subprocess
import sys
from pathlib import Path

import made_up
import pytest

from specviz.config import RunConfig
from specviz.ui import controls, player, theme

ROOT = Path(__file__).parents[2]
PLAYER = sorted(path for path in (ROOT / "assets" / "player").glob("*.js") if ".test." not in path.name)
CHOICES = ("hello", "bigram", 4.0, 0.8, 0.0, 1.0, 64.0, 7.0)


@pytest.fixture(scope="module")
def built() -> dict[str, list[str]]:
    """The labels of the page and what it imported, from a process of its own: Gradio leaves an event loop open."""
    script = (
        "import json, sys; sys.path[:0] = ['.', 'tests/ui']; import made_up; from specviz.ui import page\n"
        "demo = page.build(made_up.MadeUpBackend(), {'tale': made_up.made_up_trace(max_new_tokens=3)})\n"
        "labels = [block.label for block in demo.blocks.values() if getattr(block, 'label', None)]\n"
        "print(json.dumps({'labels': labels, 'modules': sorted(sys.modules)}))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    page_as_built: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return page_as_built


def test_the_page_opens_without_torch(built: dict[str, list[str]]) -> None:
    assert not {"torch", "transformers", "specviz.session"} & set(built["modules"])


def test_the_app_opens_without_torch() -> None:
    script = "import sys; import app; print(sorted({'torch', 'transformers'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip().endswith("[]"), done.stderr


def test_whole_numbers_arrive_whole_and_others_are_left_for_the_check() -> None:
    config = controls.config(made_up.ENTRIES, *CHOICES, 0.5)
    assert config == RunConfig("hello", drafter="bigram", seed=7, params={"k": 0.5})
    assert all(type(value) is int for value in (config.gamma, config.top_k, config.max_new_tokens, config.seed))
    assert controls.config(made_up.ENTRIES, "hello", "ngram", 3.7, *CHOICES[3:], 0.5).gamma == 3.7


def test_a_parameter_goes_only_to_its_own_drafter() -> None:
    assert controls.config(made_up.ENTRIES, "hello", "ngram", *CHOICES[2:], 0.5).params == {}


def test_every_parameter_of_the_catalog_has_a_control(built: dict[str, list[str]]) -> None:
    assert [label for label in built["labels"] if label.startswith("k,")] == ["k, 0 to 10"]


def test_the_loader_and_the_template_hold_no_data() -> None:
    assert player.TEMPLATE == '<section data-sv="stage"></section>'
    assert "{{" not in player.LOADER


@pytest.mark.parametrize("module", PLAYER, ids=lambda path: path.name)
def test_the_player_has_no_way_to_turn_text_into_markup_or_code(module: Path) -> None:
    source = module.read_text(encoding="utf-8")
    unsafe = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "Function(", "eval(", "DOMParser")
    assert not [name for name in unsafe if name in source]
    assert len(source.splitlines()) < 300


def test_style_sheet_and_player_name_no_other_host() -> None:
    for path in (*PLAYER, theme.ASSETS / "player.css"):
        hosts = set(re.findall(r"https?://[\w.]+", path.read_text(encoding="utf-8")))
        assert hosts <= {"http://www.w3.org"}, f"{path.name}: {hosts}"


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_token_text_is_readable_in_every_state(mode: str) -> None:
    background = theme.PALETTE["colours"][mode]["background"]
    for state, look in theme.PALETTE["states"].items():
        fill = look[mode]["fill"] if look[mode]["fill"] != "transparent" else background
        assert contrast(look[mode]["ink"], fill) >= 4.5, f"{state} in {mode}"


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two #RRGGBB colours."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
