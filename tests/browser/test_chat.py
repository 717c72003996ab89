"""A chat model on the page: what its template put into the prompt is folded, and a next prompt may be its next turn."""

import json

from tests.browser.hand import finish, part, press, scrub, serious
from tests.browser.names import Open, Page
from tests.browser.test_pair_choice import choose, loaded, open_drawer, run

PROMPT = "[data-sv=token][data-state=prompt]"


def test_folds_turns_and_what_does_not_chat_at_a_desk(visit: Open) -> None:
    page = visit()
    finish(page, 71)
    assert part(page, "conversation").is_hidden(), "what does not chat is not gone on with"
    page = open_drawer(visit)
    choose(page, "chatty")
    loaded(page, "chatty")
    run(page)
    page.keyboard.press("Escape")
    scrub(page, 0)
    part(page, "scrub").press("ArrowRight")
    the_template_is_folded_and_opens_and_closes_under_the_keyboard(page)
    a_next_prompt_is_the_next_turn_if_asked_to_until_a_new_conversation_begins(page)
    assert part(page, "conversation").is_visible()
    press(page, "Settings")
    page.get_by_label("Chat template").uncheck()
    assert part(page, "conversation").is_hidden(), "the next run would not be a turn"


def the_template_is_folded_and_opens_and_closes_under_the_keyboard(page: "Page") -> None:
    folds, prompt = page.get_by_role("button", name="template ·"), page.locator(PROMPT)
    assert folds.all_inner_texts() == ["…", "…"]
    assert prompt.all_inner_texts() == [" cat", " catscontrol token"], "what the person said"
    assert [each.get_attribute("aria-label") for each in prompt.all()] == [None, "cats, control token"]
    assert page.locator("[data-sv=kv-count]").inner_text() == "5", "all of the prompt but its last token"
    part(page, "ribbon").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.ariaLabel") == "template · 3"
    page.keyboard.press("Enter")
    assert folds.first.get_attribute("aria-expanded") == "true"
    assert [each.get_attribute("data-template") is not None for each in prompt.all()] == [True] * 3 + [False] * 2
    assert serious(page, "[data-sv=stage]") == []
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert "chat template: nobody wrote or guessed it" in part(page, "why").inner_text()
    page.keyboard.press("Escape")
    prompt.last.click()
    assert "as if its chat template had put it here" in part(page, "why").inner_text()
    page.keyboard.press("Escape")
    folds.first.focus()
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.ariaLabel") == "template · 3", "the keys stay where they are"
    assert folds.first.get_attribute("aria-expanded") == "false"
    assert prompt.count() == 2


def turn(page: "Page", folds: int) -> list[str]:
    """Presses Run; the turns before it that were asked for, once a run with so many folds is on stage."""
    with page.expect_request(lambda sent: "queue/join" in sent.url and '"chatty"' in (sent.post_data or "")) as asked:
        press(page, "Run")
    page.wait_for_function("(many) => document.querySelectorAll('[data-sv=fold]').length === many", arg=folds)
    page.get_by_role("button", name="Ask a follow-up").wait_for()
    turns = [each for each in asked.value.post_data_json["data"] if isinstance(each, str) and each.startswith("[")]
    said: list[str] = json.loads(turns[0]) if turns else []
    return said


def a_next_prompt_is_the_next_turn_if_asked_to_until_a_new_conversation_begins(page: "Page") -> None:
    prompt, bar = page.locator("#sv-prompt textarea"), part(page, "conversation")
    first = prompt.input_value()
    page.get_by_role("button", name="Ask a follow-up").click()
    assert bar.inner_text().split("\n")[0] == "Turn 2"
    assert page.evaluate("document.activeElement === document.querySelector('#sv-prompt textarea')")
    assert prompt.input_value() == ""
    page.keyboard.type("And then?")
    asked_first, answer = turn(page, folds=4)
    assert (asked_first, bool(answer)) == (first, True)
    assert turn(page, folds=4) == [first, answer], "the same turn again"
    page.get_by_role("button", name="Ask a follow-up").click()
    page.keyboard.type("And now?")
    assert turn(page, folds=6)[:3] == [first, answer, "And then?"]
    assert "Target" in part(page, "who").inner_text()
    the_newest_answer_is_in_sight_and_goes_on_where_it_broke_off(page)
    page.get_by_role("button", name="New conversation").click()
    assert turn(page, folds=2) == []
    assert "Turn" not in bar.inner_text()


def the_newest_answer_is_in_sight_and_goes_on_where_it_broke_off(page: "Page") -> None:
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("End")
    part(page, "whole").first.evaluate("(box) => Object.assign(box.style, { maxHeight: '2lh', width: '8em' })")
    page.wait_for_function(
        """() => {
          const box = document.querySelector('[data-sv=whole]');
          const below = box.querySelector('[data-part=made]').getClientRects()[0].top - box.getBoundingClientRect().top;
          return box.scrollTop > 0 && below >= 0 && below < box.clientHeight; }"""
    )
    before, more = part(page, "stage").get_attribute("data-round"), page.locator("[data-act=more]")
    length = int(more.inner_text().split("(")[1].split()[0])
    more.click()
    page.wait_for_function(f"document.querySelector('[data-sv=stage]').dataset.round > {before}")
    part(page, "pill").get_by_text("Live run, finished").wait_for()
    page.keyboard.press("End")
    assert int(part(page, "headline").inner_text().split()[0]) > length
