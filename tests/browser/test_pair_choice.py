"""Another pair in a real browser: chosen, followed into memory, run; or refused, broken off, called off."""

import re
from typing import Any

import pytest

from tests.browser.hand import more, part, pill, press, scrub, staged, width
from tests.browser.names import Locator, Open, Page


def open_drawer(visit: Open, **options: Any) -> "Page":
    page = visit(**options)
    more(page)
    page.get_by_role("button", name="Settings").click()
    part(page, "pair-about").get_by_text("any machine").wait_for()
    return page


def offer(page: "Page", name: str) -> "Locator":
    return part(page, "pair-choice").get_by_role("button", name=re.compile(f"^{name}\\b"))


def choose(page: "Page", name: str) -> None:
    part(page, "pair-choice").locator("summary").click()
    offer(page, name).click()


def loaded(page: "Page", name: str) -> None:
    page.locator(f"[data-sv=pair][data-pair={name}]:not([data-loading])").wait_for()


def run(page: "Page", seed: int = 1) -> None:
    for label, number in (("Length", 4), ("Seed", seed)):
        page.locator("#sv-drawer").get_by_role("spinbutton", name=label).fill(str(number))
    press(page, "Run")
    staged(page, rf"seed {seed}\b")
    pill(page).get_by_text("Live run, finished").wait_for()


def test_a_chosen_pair_is_followed_into_memory_and_runs_use_it(visit: Open) -> None:
    page = open_drawer(visit)
    page.evaluate(
        """() => {
          const bar = document.querySelector('[data-sv=pair-bar]');
          window.told = [];
          new MutationObserver(() => bar.hidden || window.told.push([
            bar.getAttribute('aria-valuetext'), bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-label'),
            ...['value', 'about', 'line'].map((name) => document.querySelector(`[data-sv=pair-${name}]`).textContent),
          ])).observe(bar, { attributes: true });
        }"""
    )
    choose(page, "stories")
    part(page, "pair-line").get_by_text("stories 15M → 110M is ready").wait_for()
    loaded(page, "stories")
    told = page.evaluate("window.told")
    assert len(told) > 1
    for text, now, label, chosen, about, line in told:
        assert re.fullmatch(rf"{now} %: \d+ MB of 500 MB · 200 MB/s( · [123] s left)?", text)
        assert (label, chosen, about) == (f"Loading {chosen}", "stories 15M → 110M", "500 MB, MIT, any machine")
        assert line in (f"{chosen}: downloading", f"{chosen}: placing in memory")
    assert [int(now) for _, now, *_ in told] == sorted(int(now) for _, now, *_ in told)
    assert part(page, "pair-bar").is_hidden()
    assert not page.get_by_role("button", name="Cancel").is_visible()
    run(page)
    staged(page, "· pair stories$")
    what_the_models_own_file_asks_for_is_obeyed_and_said_or_switched_off(page)
    choose(page, "embedded")
    begins = (
        "embedded is ready and begins with plain decoding: α = 0.50 promises 0.87× here at most, so nothing is guessed"
    )
    part(page, "pair-line").get_by_text(begins).wait_for()
    loaded(page, "embedded")
    assert page.get_by_label("γ", exact=True).input_value() == "0"
    run(page, 2)
    assert "pair" not in (pill(page).get_attribute("title") or "")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "said"), [("broken", "the disk is full"), ("crashing", "RuntimeError: the made-up engine broke")]
)
def test_a_pair_that_fails_says_so_in_a_line_and_the_one_before_stays(visit: Open, name: str, said: str) -> None:
    page = open_drawer(visit)
    choose(page, name)
    page.get_by_role("alert").get_by_text(f"Not changed: {said}. embedded stays in use.").wait_for()
    loaded(page, "embedded")
    assert part(page, "pair-value").inner_text() == "embedded"
    assert part(page, "pair-line").inner_text() == ""
    if name == "broken":
        assert page.locator(".toast-body:visible").count() == 0
    run(page)
    assert "pair" not in (pill(page).get_attribute("title") or "")
    choose(page, "stories")
    page.get_by_role("alert").wait_for(state="detached")
    loaded(page, "stories")


def what_the_models_own_file_asks_for_is_obeyed_and_said_or_switched_off(page: "Page") -> None:
    told = part(page, "pair-tried")
    asked = "repetition penalty 9"
    left = "guidance_scale 1.5 and new <img src=x onerror=alert(1)>"
    said = (
        f"From the model’s generation_config: {asked}. Your own choice replaces the model’s temperature 0.6. "
        f"specviz does not support these settings of the model’s generation_config: {left}."
    )
    told.get_by_text(said).wait_for()
    obeyed = text(page)
    assert said in part(page, "facts").inner_text()
    part(page, "rare").click()
    page.get_by_label("plain", exact=True).check()
    press(page, "Run")
    told.get_by_text("Plain is chosen, so these settings of the model’s generation_config are ignored:").wait_for()
    assert text(page) != obeyed
    assert width(page) <= page.viewport_size["width"]
    page.get_by_label("as the model says", exact=True).check()
    press(page, "Run")
    told.get_by_text(said).wait_for()
    assert text(page) == obeyed
    part(page, "rare").click()


def text(page: "Page") -> str:
    """What the run on stage wrote, at its result."""
    pill(page).get_by_text("Live run, finished").wait_for()
    scrub(page, 1)
    return part(page, "whole").first.text_content() or ""


def test_runs_go_on_while_a_pair_is_loaded_and_it_can_be_called_off_or_make_way_for_another(visit: Open) -> None:
    page = open_drawer(visit)
    choose(page, "endless")
    page.get_by_role("progressbar", name="Loading endless").wait_for()
    run(page)
    assert part(page, "pair").get_attribute("data-loading") == "endless"
    part(page, "pair-cancel").click()
    part(page, "pair-line").get_by_text("endless 1B → 8B was cancelled; embedded stays in use").wait_for()
    loaded(page, "embedded")
    assert page.evaluate("document.activeElement.localName") == "summary", "the focus does not fall back to the page"
    choose(page, "endless")
    page.keyboard.press("Escape")  # the stage tells it too, beside what the run on it is
    part(page, "arriving").get_by_text("Loading endless 1B → 8B").wait_for()
    part(page, "arriving").get_by_role("button", name="Cancel").click()
    part(page, "arriving").wait_for(state="hidden")
    press(page, "Settings")
    loaded(page, "embedded")
    choose(page, "endless")
    page.get_by_role("progressbar", name="Loading endless").wait_for()
    choose(page, "stories")
    loaded(page, "stories")
    assert part(page, "pair-line").inner_text() == "stories 15M → 110M is ready", (
        "what is the present one needs no load"
    )


def test_a_pair_brings_its_prompt_and_drafter_and_its_chat_template_can_be_left_out(visit: Open) -> None:
    page = open_drawer(visit)
    before = page.locator("#sv-prompt textarea").input_value()
    assert not page.get_by_role("button", name="Its prompt").is_visible()
    box = page.get_by_label("Chat template")
    assert not box.is_visible()
    choose(page, "chatty")
    loaded(page, "chatty")
    assert page.locator("#sv-prompt textarea").input_value() == before, "nobody asked for another"
    page.get_by_role("button", name="Its prompt").click()
    assert page.locator("#sv-prompt textarea").input_value() == "Why is <b>the sky</b> blue?"
    box.uncheck()
    with page.expect_request(lambda sent: "queue/join" in sent.url and "chatty" in (sent.post_data or "")) as asked:
        run(page)
    sent = asked.value.post_data_json["data"]
    assert sent[sent.index("chatty") :][:2] == ["chatty", False]
    assert {"ngram", 2}.issubset(each for each in sent if isinstance(each, str | int)), "its drafter and its γ"
    choose(page, "embedded")
    box.wait_for(state="hidden")


def test_a_pair_that_does_not_fit_says_why_and_what_one_says_of_itself_is_text_and_nothing_more(visit: Open) -> None:
    page = open_drawer(visit, phone=True)
    part(page, "pair-choice").locator("summary").click()
    assert width(page) == 390
    huge = offer(page, "huge")
    assert "needs 18 GB, this machine has 7.4 GB free" in huge.inner_text()
    assert huge.get_attribute("aria-disabled") == "true"
    huge.dispatch_event("click")
    assert part(page, "pair-choice").get_attribute("open") is not None, "there is another to be chosen"
    assert part(page, "pair").get_attribute("data-pair") == "embedded"
    assert part(page, "pair").get_attribute("data-loading") is None
    offer(page, "<img src=x onerror=alert").click()
    part(page, "pair-line").get_by_text("<U+202E>").wait_for()
    page.locator("[data-sv=pair-counted]", has_text=re.compile(r"^[\d.]+ MB · 200 MB/s$")).wait_for()
    assert part(page, "pair-bar").is_hidden(), "without a total there is nothing to draw"
    assert "</script><script>alert(1)</script>" in part(page, "pair-about").inner_text()
    assert part(page, "pair").locator("img, script").count() == 0
    assert width(page) == 390
    part(page, "pair-cancel").click()
    loaded(page, "embedded")
