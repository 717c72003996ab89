"""What a visitor sees and can do, in a real browser, over a made-up engine."""

import json
import re

from tests.browser.hand import box, details, part, pick, pill, press, scrub, seek, settings, staged, states, width
from tests.browser.names import Open, Route

PROMPT = "#sv-prompt textarea"


def test_it_opens_at_rest_with_one_sentence_and_steps_through_a_refusal_to_the_roll_back(visit: Open) -> None:
    page = visit()
    assert part(page, "headline").inner_text() == (
        "A small draft model guesses ahead. The target checks every guess in one pass."
    )
    assert part(page, "play").get_attribute("aria-label") == "Play", "nothing moves before somebody asks"
    assert pill(page).inner_text() == "Recorded example"
    assert page.get_by_role("tab").all_inner_texts() == ["Round", "Race", "Is it exact?", "Methods"]
    seek(page, "residual")
    assert page.locator("[data-look=rejected]:visible").count() > 0
    seek(page, "trim")
    assert {"accepted", "resampled", "bonus"} & set(states(page))
    details(page)
    page.locator("[data-sv=run-chart][role=img]").nth(1).wait_for()
    scrub(page, 1)
    page.wait_for_function(
        """() => {
          const [stage, ...charts] = document.querySelectorAll('[data-sv=stage], [data-sv=run-chart]');
          return charts.length === 2 && charts.every(({ dataset }) => dataset.round === stage.dataset.round);
        }"""
    )


def test_the_keyboard_alone_plays_steps_jumps_and_letters_can_be_switched_off(visit: Open) -> None:
    page = visit()
    part(page, "scrub").press("ArrowRight")
    assert part(page, "scrub").input_value() == "1"
    page.keyboard.press("Shift+ArrowRight")
    assert part(page, "scrub").get_attribute("aria-valuetext").startswith("Round 2 of")
    page.keyboard.press("End")
    assert part(page, "scrub").evaluate("({ value, max }) => value === max")
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause").wait_for()
    page.wait_for_function("document.querySelector('[data-sv=scrub]').value > 1")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()
    page.keyboard.press("3")
    assert page.get_by_role("tab", name="Is it exact?").get_attribute("aria-selected") == "true"
    assert not part(page, "foot").is_visible()
    page.keyboard.press("1")
    part(page, "scrub").focus()
    page.keyboard.press("?")
    page.get_by_label("Single-key shortcuts").uncheck()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    part(page, "scrub").focus()
    page.keyboard.press("3")
    assert page.get_by_role("tab", name="Round").get_attribute("aria-selected") == "true"
    page.keyboard.press("Home")
    assert part(page, "stage").get_attribute("data-step") == "0"


def test_another_recording_sets_every_control_to_it_and_hostile_tokens_are_text(visit: Open) -> None:
    page = visit()
    page.locator("#sv-gamma input").fill("9")
    page.locator("body.sv-changed").wait_for()
    assert page.locator("#sv-run").get_attribute("title") == "Settings changed; Run uses them"
    pick(page, "other-bigram")
    for control, value in (("#sv-seed input", "5"), ("#sv-drafter input:checked", "bigram"), ("#sv-gamma input", "4")):
        page.wait_for_function("([at, value]) => document.querySelector(at).value === value", arg=[control, value])
    page.locator("body:not(.sv-changed)").wait_for()
    held: list[Route] = []
    page.route("**/run/predict*", lambda route: held.append(route), times=1)
    pick(page, "tale-small-model")
    pick(page, "other-bigram")  # the controls are still at it, and the server's answer for the other is under way
    with page.expect_request(lambda sent: '"drafter":"bigram"' in (sent.post_data or "")):
        held[0].continue_()
    pick(page, "greedy-ngram")
    page.wait_for_function("document.querySelector('#sv-temperature input').value === '0'")
    pick(page, "hostile-small-model")
    scrub(page, 1)
    text = part(page, "ribbon").inner_text()
    assert [each for each in ("<img", "${alert(", "\u200b", "\u202e", "\x1b") if each in text] == ["<img", "${alert("]
    assert part(page, "stage").locator("img, script, iframe").count() == 0
    assert width(page) == 1280


def test_a_group_of_radios_is_one_tab_stop_and_every_stop_has_a_ring(visit: Open) -> None:
    page = visit()
    stops: list[str] = []
    for _ in range(9):
        page.keyboard.press("Tab")
        stop, ring = page.evaluate(
            """() => {
              const at = document.activeElement;
              const cut = (ring, node) => {
                const [box, { overflow }] = [node.getBoundingClientRect(), getComputedStyle(node)];
                return overflow !== 'visible' && (ring.top < box.top - 1 || ring.bottom > box.bottom + 1);
              };
              const ringed = (node) => {
                const { outlineStyle, outlineOffset, outlineWidth } = getComputedStyle(node);
                const [box, out] = [node.getBoundingClientRect(), parseFloat(outlineOffset) + parseFloat(outlineWidth)];
                const ring = { top: box.top - out, bottom: box.bottom + out };
                let [whole, over] = [outlineStyle !== 'none', node.parentElement];
                for (; whole && over !== document.body; over = over.parentElement) whole = !cut(ring, over);
                return whole;
              };
              return [at.dataset.sv || at.id || at.closest('[id^=sv-]').id,
                [at, at.closest('label')].some((node) => node && ringed(node))];
            }"""
        )
        assert ring, f"{stop} shows that it has the focus"
        stops.append(stop)
    assert stops[:6] == ["sv-prompt", "sv-drafter", "method-more", "sv-gamma", "sv-temperature", "sv-run"]
    assert len(set(stops)) == len(stops)


def test_every_way_to_guess_stands_in_a_menu_that_keys_alone_can_use(visit: Open) -> None:
    page = visit()
    more = part(page, "method-more")
    more.focus()
    page.keyboard.press("Enter")
    menu = page.get_by_role("menu", name="Ways to guess")
    menu.wait_for()
    assert menu.get_by_role("menuitemradio").count() == page.locator("#sv-drafter input").count()
    assert page.evaluate("document.activeElement.getAttribute('aria-checked')") == "true", "on the one that is chosen"
    speeds = re.findall(r"(\d\.\d\d)× ·", menu.inner_text())
    assert len(speeds) > 2
    assert speeds == sorted(speeds, reverse=True), "the fastest on this pair comes first"
    assert " thread" in menu.get_by_role("group").first.inner_text(), "and where that was measured is said"

    def after(*keys: str) -> str:
        for key in keys:
            page.keyboard.press(key)
        return str(page.evaluate("document.activeElement.dataset.method"))

    lettered = ["small-model", "ngram", "ngram", "small-model"]
    assert [after(key) for key in ("Home", "n", "n", "s")] == lettered, "by letter"
    right = ["lookahead", "lookahead"]
    assert [after(key) for key in ("ArrowLeft", *["ArrowRight"] * 2)] == ["small-model", *right], (
        "as far as there are columns"
    )
    page.keyboard.press("Escape")
    assert not menu.is_visible()
    assert page.evaluate("document.activeElement.dataset.sv") == "method-more"
    settings(page, Length=8, Seed=21)
    more.click()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    press(page, "Run")
    staged(page, "^small model .*seed 21")


def test_the_keyboard_alone_finds_a_rejection_reads_why_and_switches_the_draft_model(visit: Open) -> None:
    page = visit()
    seek(page, "residual")
    lane = page.locator("[data-sv=lane] [data-sv=node][tabindex='0']")
    lane.focus()
    page.keyboard.press("Enter")
    page.locator("[data-sv=stage][data-why]").wait_for()
    assert box(lane)["right"] <= box(part(page, "why"))["x"], "the card stands beside what it explains"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.sv") == "node", "the focus is where it was"
    page.keyboard.press("Enter")
    page.keyboard.press("End")
    page.locator("[data-sv=stage][data-phase=result]:not([data-why])").wait_for()
    page.keyboard.press("d")
    page.locator("#sv-drafter input[value=lookahead]:checked").wait_for(state="attached")
    page.keyboard.press("r")
    staged(page, "^lookahead")


def test_a_trace_is_saved_as_the_server_holds_it_and_opens_again(visit: Open) -> None:
    page = visit()
    page.get_by_role("button", name="Share", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name=re.compile("^Data")).click()
    part(page, "share").get_by_text("Saved as specviz-small-model").wait_for()
    text = saved.value.path().read_text(encoding="utf-8")
    assert json.loads(text)["info"]["config"]["drafter"] == "small-model"
    with page.expect_file_chooser() as chooser:
        page.get_by_role("menuitem", name="Open").click()
    chooser.value.set_files([{"name": "again.json", "mimeType": "application/json", "buffer": text.encode()}])
    pill(page).get_by_text("again.json").wait_for()
    page.get_by_role("button", name="Share", exact=True).click()
    with page.expect_download() as again:
        page.get_by_role("menuitem", name=re.compile("^Data")).click()
    assert again.value.path().read_text(encoding="utf-8") == text, "to the byte"
    page.keyboard.press("Escape")


def test_what_was_chosen_outlasts_a_visit_and_what_was_tampered_with_does_not(visit: Open) -> None:
    page = visit("")
    scrub(page, 0.5)  # the first screen does not offer it
    part(page, "pace").select_option("quick")
    settings(page, Seed=77)
    press(page, "Settings")
    page.get_by_role("radio", name="Moving average").check()
    tuned = page.locator("[id^=sv-gamma-rule-param-] input").first
    tuned.fill("0.25")
    tuned.press("Tab")
    page.get_by_role("tab", name="Race").click()
    dark = page.evaluate("document.body.classList.contains('dark')")
    page.get_by_label("Dark", exact=True).click()
    page.locator("#sv-prompt textarea").fill("of mine")
    page.reload()  # at once: nothing that was typed is lost
    page.locator("[data-sv=stage][data-ready]").wait_for()
    page.locator("[data-sv=stage][data-tab=race]").wait_for()
    assert part(page, "pace").input_value() == "quick"
    assert page.evaluate("document.body.classList.contains('dark')") is not dark
    assert page.locator("#sv-prompt textarea").input_value() == "of mine"
    assert page.locator("#sv-seed input").input_value() == "77"
    page.locator("#sv-gamma-rule input[value=ema]:checked").wait_for(state="attached")
    page.wait_for_function("document.querySelector('[id^=sv-gamma-rule-param-] input')?.value === '0.25'")
    page.evaluate(
        """() => {
          for (const name of ['pace', 'tab', 'theme', 'choices']) localStorage.setItem(`specviz.${name}`, '"<img>');
        }"""
    )
    page.reload()
    page.locator("[data-sv=stage][data-ready][data-tab=round]").wait_for()
