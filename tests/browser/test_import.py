"""A trace from a person's own file in a real browser: dropped or picked, played or refused, and sent nowhere."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from specviz.trace.codec import to_json
from tests.browser.hand import details, more, part, pill, small, staged, width
from tests.browser.names import Open, Page, Request
from tests.unit.test_loops import loop

ROOT = Path(__file__).parents[2]
TRACE = ROOT / "assets" / "traces" / "code-ngram.json"
HOSTILE = ROOT / "tests" / "golden" / "player-sampled.json"
MARK = "kept-to-myself"
MARKUP = "<img src=x onerror=\"window.__x='ran'\"><script>window.__x='ran'</script>${window.__x='ran'}"


def drag(page: "Page", event: str, *files: tuple[str, str]) -> bool:
    """Drags files, as names and text, over the page; whether it takes them."""
    taken: bool = page.evaluate(
        """([event, files]) => {
          const dataTransfer = new DataTransfer();
          files.forEach(([name, text]) => dataTransfer.items.add(new File([text], name)));
          if (!files.length) dataTransfer.setData('text/plain', 'a word');
          const where = document.querySelector('[data-sv=ribbon]');
          return !where.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        [event, files],
    )
    return taken


def pick(page: "Page", button: str, name: str, text: str) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name=button).or_(page.get_by_role("menuitem", name=button)).click()
    chooser.value.set_files([{"name": name, "mimeType": "application/json", "buffer": text.encode()}])


@contextmanager
def kept_here(page: "Page") -> Iterator[None]:
    """Meanwhile no request may hold what is only in a file."""
    sent: list[str] = []

    def hear(request: "Request") -> None:
        sent.append(request.url + (request.post_data or ""))

    page.on("request", hear)
    yield
    page.remove_listener("request", hear)
    assert not [each for each in sent if MARK in each or "/check" in each]


def test_two_files_dropped_together_are_compared_once_their_person_says_so(visit: Open) -> None:
    page = visit()
    with kept_here(page):
        drag(page, "drop", (f"{MARKUP[:24]}.txt", MARK), ("ids.json", "[1, 2]"))
        page.locator("dialog[data-sv=differ]").get_by_text("this server reads both").wait_for()
    page.get_by_role("button", name="Send and compare").click()
    page.locator("dialog[data-sv=differ] h3").get_by_text(".txt and ids.json was sampled").wait_for()
    page.locator("dialog[data-sv=differ] [data-chart=differ]").get_by_text("the texts part").wait_for()
    assert not page.evaluate("window.__x")


def test_two_files_that_cannot_be_compared_say_why_and_the_dialog_gives_way_when_the_server_is_gone(
    loose: "Page", address: str
) -> None:
    page = loose
    page.goto(address)
    pill(page).get_by_text("Recorded").wait_for()
    dialog, few = page.locator("dialog[data-sv=differ]"), ("b.txt", "b")

    def compared(*files: tuple[str, str]) -> None:
        drag(page, "drop", *files)
        page.get_by_role("button", name="Send and compare").click()

    compared(("a.txt", "a" * 5_000_001), few)
    dialog.get_by_text("at most 5 MB").wait_for()
    compared(("ids.json", "[1, 99999]"), few)
    dialog.get_by_text("99999").wait_for()
    page.evaluate("void (window.read = Blob.prototype.text, Blob.prototype.text = () => Promise.reject(new Error()))")
    compared(("a.txt", "a"), few)
    dialog.get_by_text("could not read it").wait_for()
    page.evaluate("void (Blob.prototype.text = window.read)")
    page.route("**/gradio_api/**", lambda route: route.abort())
    compared(("a.txt", "a"), few)
    page.get_by_role("alert").get_by_text("The server does not answer.").wait_for()
    assert not dialog.is_visible()


def test_a_dropped_trace_plays_like_a_recorded_one_and_says_what_only_the_server_could(visit: Open) -> None:
    trace: dict[str, Any] = json.loads(TRACE.read_text(encoding="utf-8"))
    trace["info"]["target"] = trace["rounds"][0]["extra"]["text"] = MARK
    trace["rounds"][5]["verdicts"][0]["view"]["bars"][0]["text"] = "x" * 300
    page = visit()
    pill(page).get_by_text("Recorded").wait_for()
    assert not drag(page, "dragover"), "a dragged word is nobody's business"
    assert not part(page, "drop").is_visible()
    with kept_here(page):
        assert drag(page, "dragover", ("mine.json", ""))
        assert "sent nowhere" in part(page, "drop").inner_text()
        assert drag(page, "drop", ("mine.json", json.dumps(trace)), ("other.json", "{}"), ("third.json", "{}"))
        staged(page, f"n-gram → {MARK}")
        assert not part(page, "drop").is_visible()
        told = pill(page).inner_text()
        assert re.sub("[\u2068\u2069]", "", told).startswith(
            "not checked · opened from a file: mine.json, the first of 3 · 1 part"
        )
        assert "trace.rounds[5].verdicts[0].view.bars[0].text, beyond 256 of its 300 letters" in told
        assert not re.search("Live|Recorded", told)
        still = part(page, "stage").get_attribute("data-step")
        page.get_by_role("button", name="Play", exact=True).click()
        page.locator(f"[data-sv=stage]:not([data-step='{still}'])").wait_for()
        part(page, "scrub").focus()
        page.keyboard.press("End")
        assert part(page, "scrub").input_value() == part(page, "scrub").get_attribute("max")
        page.keyboard.press("Home")
        page.locator("[data-sv=lane] [data-sv=node]", has_text=MARK).click()
        assert MARK in part(page, "why").inner_text()
        page.keyboard.press("Escape")
        details(page)
        page.locator("[data-sv=run-chart]", has_text="γ and accepted tokens").wait_for()
        details(page)
        page.get_by_role("button", name="Check numbers").click()
        assert "it is sent to this server" in part(page, "refusal").inner_text()
    page.get_by_role("button", name="Send and check").click()
    pill(page).get_by_text("contradicts itself · ").wait_for()
    said = part(page, "refusal").inner_text()
    assert re.search(r"mine.json\S? contradicts itself in \d+ places:\n\S", said), said
    page.get_by_role("button", name="Close this message").click()
    drag(page, "drop", ("sound.json", TRACE.read_text(encoding="utf-8")))
    pill(page).get_by_text("sound.json").wait_for()
    part(page, "check").click()
    page.get_by_role("button", name="Send and check").click()
    pill(page).get_by_text("consistent · ").wait_for()
    assert not part(page, "check").is_visible()
    page.get_by_role("tab", name="Is it exact?").click()
    page.get_by_role("button", name="Check this model").click()
    page.get_by_text("Not checked to the end: this run came from a file").wait_for()
    page.get_by_role("button", name="Settings").click()
    page.locator("[data-example=tale-small-model]").click()
    pill(page).get_by_text("Recorded").wait_for()


def test_a_hostile_file_is_text_or_refused_and_nothing_of_it_runs(visit: Open) -> None:
    trace: dict[str, Any] = json.loads(HOSTILE.read_text(encoding="utf-8"))
    older = json.dumps({**trace, "schema": 5})
    for place in (trace["info"], trace["info"]["config"], *trace["rounds"][0]["verdicts"]):
        for name in ("target", "drafter", "pair", "recorded", "gamma_rule", "text", "evidence"):
            if name in place:
                place[name] = MARKUP + MARK
    page = visit(phone=True)
    page.evaluate("() => { delete window.__x; }")
    before = part(page, "who").text_content()
    with kept_here(page):
        more(page)
        page.get_by_role("button", name="Share", exact=True).click()
        assert small(page, "[data-sv=share] button") == []
        pick(page, "Open", f"{MARKUP}\u202e.json", older)
        refusal = part(page, "refusal")
        refusal.get_by_text("a trace of schema 5, and this page reads schema 8; make the run again").wait_for()
        assert "<img src=x" in refusal.inner_text()
        assert "\u202e" not in refusal.inner_text()
        assert part(page, "who").text_content() == before, "what was on stage stays"
        pick(page, "Open another file", f"{MARKUP}.json", '{"schema": 8, "__proto__": {"__x": 1}}')
        refusal.get_by_text("is missing").wait_for()
        pick(page, "Open another file", f"{MARKUP}.json", json.dumps(trace)[:-1] + ',"__proto__":{"__x":1}}')
        page.locator("[data-who=target]").get_by_text(MARKUP).wait_for(state="attached")
        assert not refusal.is_visible()
        assert "opened from a file: \u2068<img src=x" in pill(page).inner_text()
        part(page, "scrub").focus()
        page.keyboard.press("Home")
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        assert MARK in part(page, "lane").inner_text()
    assert part(page, "stage").locator("img, script, iframe").count() == 0
    assert page.evaluate("window.__x ?? ({}).__x ?? null") is None
    assert width(page) == 390


def test_a_loop_that_others_wrote_plays_and_what_it_did_not_tell_is_said(visit: Open) -> None:
    page = visit()
    assert drag(page, "drop", ("mine.json", to_json(loop(3, rounds=3))))
    page.locator("[data-sv=stage][data-round]").wait_for()
    said = ""
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        said += part(page, "round").inner_text()
    assert re.search(r"u\s*: not recorded", said)
    assert "not recorded) falls on" in said
    assert "null" not in said
