"""Takes the pictures of README from the app's first recorded run: `python -m tests.browser.pictures`, with Chromium.

A still of a rejected guess and its replacement, and the first round as it plays. Nothing in them is drawn by hand.
"""

import base64
import io
import shutil
import sys
from itertools import pairwise
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.hand import ROOT, app

PICTURES = ROOT / "assets" / "pictures"
SHOWN = (880, 495)
LONGEST = 60_000
"""Milliseconds that the round may take."""
LAST = 1500
"""Milliseconds that the last frame stays."""


def still(page: Page) -> None:
    """The first replacement of the run."""
    while page.locator("[data-sv=stage][data-phase=replace]").count() == 0:
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(3000)
    page.screenshot(path=PICTURES / "stage.png")


def moving(page: Page) -> None:
    """The first round, a frame whenever the page changed."""
    frames: list[tuple[float, Image.Image]] = []
    session = page.context.new_cdp_session(page)

    def keep(frame: dict[str, Any]) -> None:
        picture = Image.open(io.BytesIO(base64.b64decode(frame["data"]))).convert("RGB")
        frames.append((1e3 * frame["metadata"]["timestamp"], picture.resize(SHOWN, Image.Resampling.LANCZOS)))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "jpeg", "quality": 92, "everyNthFrame": 3})
    page.keyboard.press("Space")
    page.locator("[data-sv=stage][data-round='1']").wait_for(timeout=LONGEST)
    session.send("Page.stopScreencast")
    frames.sort(key=lambda frame: frame[0])
    stays = [max(10, round(end - start)) for (start, _), (end, _) in pairwise(frames)]
    first, *rest = [picture for _, picture in frames]
    first.save(
        PICTURES / "round.webp",
        save_all=True,
        append_images=rest,
        duration=[*stays, LAST],
        loop=0,
        quality=45,
        method=4,
    )


def main() -> None:
    """Takes both."""
    PICTURES.mkdir(exist_ok=True)
    with app() as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for take in (still, moving):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.goto(f"{address}/?__theme=light")
            page.locator("[data-sv=stage][data-ready]").wait_for(timeout=LONGEST)
            take(page)
            page.close()
        browser.close()
    for path in sorted(PICTURES.iterdir()):
        sys.stdout.write(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB\n")


if __name__ == "__main__":
    main()
