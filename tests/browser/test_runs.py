"""Runs that a visitor starts, stops or waits for, in a real browser over a made-up engine."""

from collections.abc import Callable

from tests.browser.hand import finish, part, picture, pill, press, run, serious, settings, staged
from tests.browser.names import Open, Page, Route

PROMPT = "#sv-prompt textarea"


def test_enter_in_the_prompt_runs_and_shift_enter_begins_a_line(visit: Open) -> None:
    page = visit()
    settings(page, Seed=11, Length=12)
    prompt = page.locator(PROMPT)
    prompt.click()
    assert prompt.evaluate("(field) => getComputedStyle(field).outlineStyle") == "solid"
    prompt.fill("a line\n" * 5)
    assert prompt.evaluate("(field) => field.scrollHeight <= field.clientHeight"), "all of some lines is in sight"
    prompt.fill("one")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("two")
    assert prompt.input_value() == "one\ntwo"
    page.keyboard.press("Enter")
    staged(page, r"seed 11\b")
    pill(page).get_by_text("Live run, finished").wait_for()
    assert prompt.input_value() == "one\ntwo"
    page.get_by_role("radio", name="n-gram").check()
    page.locator("body.sv-changed").wait_for()
    assert "seed 11" in (pill(page).get_attribute("title") or ""), "what is chosen waits for Run"
    press(page, "Run")
    staged(page, "^n-gram .*seed 11")
    pill(page).get_by_text("Live run, finished").wait_for()
    page.reload()
    part(page, "stage").and_(page.locator("[data-ready]")).wait_for()
    page.wait_for_function("document.querySelector('#sv-prompt textarea').value === 'one\\ntwo'")
    assert page.locator("#sv-seed input").input_value() == "11"


def test_an_example_takes_the_stage_and_sets_every_field(visit: Open) -> None:
    page = visit()
    press(page, "Settings")
    page.get_by_role("radio", name="Moving average").check()
    page.get_by_role("spinbutton", name="Top-k").fill("7")
    examples = page.get_by_role("group", name="Examples").get_by_role("button")
    assert 4 <= examples.count() <= 12
    examples.filter(has_text="A table").click()
    assert not page.locator("#sv-drawer").is_visible()
    staged(page, "^bigram ")
    assert pill(page).inner_text() == "Recorded example"
    chosen = {"drafter": "bigram", "gamma-rule": "fixed", "rule": "rejection"}
    for name, value in chosen.items():
        page.locator(f"#sv-{name} input[value={value}]:checked").wait_for(state="attached")
    assert page.locator("#sv-top-k input").input_value() == "0"
    page.locator("body:not(.sv-changed)").wait_for()


def test_settings_take_strings_one_a_line_and_a_run_ends_where_one_is_complete(visit: Open) -> None:
    page = visit()
    press(page, "Settings")
    door = page.locator("[data-sv=rare]")
    door.click()
    field = page.get_by_label("Stop strings")
    field.fill("ox\n\\n\\n")
    page.locator("#sv-drawer").get_by_role("spinbutton", name="Seed").fill("7")
    assert serious(page, "#sv-drawer") == []
    press(page, "Settings")
    press(page, "Run")
    staged(page, r"seed 7\b")
    page.locator("[data-sv=who] [data-sv=pill]").get_by_text("Live run, finished").wait_for()
    page.keyboard.press("End")
    assert "stop string “ox”" in page.locator("[data-sv=stage]").inner_text()
    kept = page.evaluate("Object.values(localStorage).join()")
    assert r'"stop_strings":["ox","\n\n"]' in kept, "for the next visit"


def test_what_cannot_run_is_one_line_with_a_way_out_and_leaves_the_stage(visit: Open) -> None:
    page = visit()
    before = picture(page)
    page.locator("#sv-gamma input").fill("30")
    press(page, "Run")
    alert = page.get_by_role("alert")
    alert.get_by_text("γ needs a whole number from 0 to 20.").wait_for()
    assert alert.evaluate("(alert) => alert.getBoundingClientRect().height") < 60
    assert picture(page) == before
    assert page.locator(".toast-body:visible").count() == 0
    press(page, "Run with 20")
    staged(page, "γ 20")
    run(page, Length=9999)
    alert.get_by_text("Length needs a whole number from 1 to 1,024.").wait_for()
    settings(page, Length=400)
    page.locator(PROMPT).fill("break")
    press(page, "Run")
    alert.get_by_text("the made-up engine broke").wait_for()
    page.locator(PROMPT).fill("too much")
    press(page, "Run")
    alert.get_by_text("20 guesses did not fit into memory.").wait_for()
    press(page, "Run with 10")
    staged(page, "γ 10")
    press(page, "Stop")
    page.locator(PROMPT).fill("go on")
    press(page, "Run")
    part(page, "ahead").get_by_text("ahead").wait_for()
    assert page.get_by_role("button", name="Pause").is_visible(), "a live run plays"
    assert alert.count() == 0
    press(page, "Stop")
    pill(page).get_by_text("Live run, stopped").wait_for()
    finish(page, seed=5, Length=4)


def test_a_prompt_that_is_too_long_is_counted_on_the_page_and_the_request_is_never_sent(visit: Open) -> None:
    page = visit()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.locator("#sv-prompt textarea").fill("word " * 20_000)
    press(page, "Run")
    page.get_by_role("alert").get_by_text("the prompt has 100,000 characters; at most 8,000 are allowed").wait_for()
    assert not [url for url in sent if "predict" in url or "queue/join" in url]
    assert not page.locator("body.sv-running").count()


def turned_down(status: int) -> "Callable[[Route], None]":
    return lambda route: route.fulfill(status=status, json={"detail": "too much"})


def test_a_request_that_the_server_turns_down_becomes_a_refusal_line(loose: "Page", address: str) -> None:
    page = loose
    page.goto(address)
    page.locator("[data-sv=stage][data-ready]").wait_for()
    for seed, call, status in ((31, "run/predict", 413), (32, "run/predict", 502), (33, "queue/join", 429)):
        page.route(f"**/gradio_api/{call}*", turned_down(status))
        run(page, Seed=seed, Length=4)
        alert = page.get_by_role("alert")
        alert.get_by_text("The server did not accept the run.").wait_for()
        assert not page.locator("body.sv-running").count(), "nothing hangs"
        page.unroute(f"**/gradio_api/{call}*")
        alert.get_by_role("button", name="Try again").click()
        staged(page, rf"seed {seed}\b")
        pill(page).get_by_text("Live run, finished").wait_for()
