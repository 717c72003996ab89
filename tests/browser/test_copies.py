"""A guess that was copied: the tokens it stood on are tinted in the text, and an arc runs from them to its end."""

import json
from pathlib import Path

from tests.browser.hand import pick
from tests.browser.names import Open, Page

TRACE = Path(__file__).parents[2] / "assets" / "traces" / "code-suffix.json"

LOOK = """() => {
  const box = (node) => node.getBoundingClientRect();
  const tokens = [...document.querySelectorAll('[data-sv=ribbon] [data-sv=token]')];
  const copied = tokens.filter((node) => node.hasAttribute('data-copied'));
  const path = document.querySelector('[data-sv=arc] path');
  const arc = document.querySelector('[data-sv=arc]');
  const ends = arc.hidden || !path.hasAttribute('d') ? null : [0, path.getTotalLength()].map((at) => {
    const { x, y } = path.getPointAtLength(at);
    return [x + box(arc).left, y + box(arc).top];
  });
  const texts = copied.map(({ childNodes: [space, word] }) => space.data + word.textContent);
  const [left, right] = copied.length ? [box(copied[0]).left, box(copied.at(-1)).right] : [];
  return { texts, left, right, ends, last: box(tokens.at(-1)).right };
}"""


def test_an_arc_runs_from_what_was_copied_to_the_end_of_the_text(visit: Open) -> None:
    trace = json.loads(TRACE.read_text(encoding="utf-8"))
    text = [*trace["prompt_texts"], *(piece for step in trace["rounds"] for piece in written(step))]
    page = visit(still=True)
    pick(page, "code-suffix")
    page.locator("[data-sv=scrub]").focus()
    page.keyboard.press("Home")
    seen = 0
    for number, step in enumerate(trace["rounds"]):
        page.keyboard.press("Shift+ArrowRight")
        page.wait_for_selector(f"[data-sv=stage][data-round='{number}']")
        if not step["verdicts"]:
            continue
        found = page.evaluate(LOOK)
        first, last = step["verdicts"][0]["source"]["span"]
        assert text[first] == step["verdicts"][0]["text"], "a suffix is copied from where it stood"
        assert last == first + 1
        if not found["ends"]:
            continue
        (x, _), (end, _) = found["ends"]
        assert found["texts"] == [shown(text[first])]
        assert found["left"] - 1 <= x <= found["right"] + 1
        assert found["last"] - 2 <= end <= found["last"] + 12
        seen += 1
    assert seen > 3


def shown(text: str) -> str:
    """As the ribbon shows code: its spaces are spaces, its line breaks break the line after their sign."""
    return text.replace("\n", "⏎\n")


def written(step: dict) -> list[str]:
    """The texts a round added."""
    extra = [step["extra"]["text"]] if step["extra"] else []
    return [*(step["verdicts"][node]["text"] for node in step["path"]), *extra]


def scrub_to(page: "Page", number: int) -> None:
    """The first beat of a round."""
    page.keyboard.press("Home")
    for _ in range(number + 1):  # at rest, no round has begun
        page.keyboard.press("Shift+ArrowRight")
    page.wait_for_selector(f"[data-sv=stage][data-round='{number}']")
