"""A run as one HTML file: small, whole, and with nothing to fetch."""

import base64
import dataclasses
import gzip
import html
import json
import re
from pathlib import Path

import pytest

from specviz.__main__ import main
from specviz.shipped import ASSETS
from specviz.trace import standalone
from specviz.trace.codec import from_json, to_json

TRACES = sorted((ASSETS / "traces").glob("*.json"))
TRACE = from_json((ASSETS / "traces" / "tale-small-model.json").read_text(encoding="utf-8"))


def data(page: str, name: str) -> str:
    found = re.search(rf'<script type="application/octet-stream" id="{name}"[^>]*>([^<]*)</script>', page)
    assert found
    return gzip.decompress(base64.urlsafe_b64decode(found[1] + "==")).decode()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_page_of_200_tokens_like_those_shipped_stays_under_its_limit_in_every_language(path: Path) -> None:
    """Or of 600 guesses, of which a tree makes many for a token."""
    trace = from_json(path.read_text(encoding="utf-8"))
    size = len(trace.to_html().encode()) - len(standalone.shell())
    guesses = sum(len(step.verdicts) for step in trace.rounds)
    largest = max(len(standalone.shell(language).encode()) for language in standalone.LANGUAGES)
    most = 600_000 if trace.info.config.drafter in ("hydra", "medusa", "recycling") else 550_000
    assert largest + size * min(200 / len(trace.tokens), 600 / guesses) < most


@pytest.mark.parametrize("language", ["de", "zh"])
def test_a_page_in_another_language_adds_its_words_alone(language: str) -> None:
    english, more = (data(TRACE.to_html(language=name), "sv-player") for name in ("en", language))
    assert json.dumps({"en": "en", language: standalone.LANGUAGES[language]}) in more
    assert f'"language": "{standalone.LANGUAGES[language]}"' in more
    assert f'"language": "{standalone.LANGUAGES[language]}"' not in english
    assert 0 < len(standalone.shell(language)) - len(standalone.shell()) < 40_000


def test_the_page_holds_the_trace_as_it_is_and_may_fetch_nothing() -> None:
    page = TRACE.to_html("https://example.org/?a=1&b=2")
    assert data(page, "sv-trace") == to_json(TRACE)
    assert 'data-address="https://example.org/?a=1&amp;b=2"' in page
    assert "default-src 'none'" in page
    markup = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"\b(src|href)=|@import|url\(", markup)
    urls = set(re.findall(r"url\([^\w#]*(#?\w+)", data(page, "sv-player")))
    assert urls == {"data", "#sv"}, "a style sheet that fetches"


def test_no_text_of_a_run_reaches_the_markup() -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    config = dataclasses.replace(TRACE.info.config, prompt=evil)
    trace = dataclasses.replace(TRACE, info=dataclasses.replace(TRACE.info, config=config, target=evil))
    page = trace.to_html('"><img src=x>')
    assert page.count("<img") == 0
    assert page.count("</script>") == TRACE.to_html().count("</script>")


def test_a_notebook_shows_the_page_in_a_frame_that_reaches_nothing() -> None:
    shown = TRACE._repr_html_()
    assert shown.startswith('<iframe sandbox="allow-scripts allow-downloads"')
    inside = re.search(r'srcdoc="([^"]*)"', shown)
    assert inside
    assert html.unescape(inside[1]) == TRACE.to_html()


def test_the_command_line_writes_the_page(tmp_path: Path) -> None:
    out = tmp_path / "run.html"
    assert main(["export", str(TRACES[0]), "--html", str(out), "--address", "https://example.org"]) == 0
    assert 'data-address="https://example.org"' in out.read_text(encoding="utf-8")
    assert main(["export", str(out), "--html", str(out)]) == 2, "a page is no trace"
