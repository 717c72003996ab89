"""How it works: the page of text with live figures, in a real browser."""

from tests.browser.hand import part
from tests.browser.names import Locator, Open


def test_the_article_opens_from_the_foot_and_the_help_and_gives_the_page_back(visit: Open) -> None:
    page = visit()
    article = part(page, "article")
    page.keyboard.press("ArrowRight")  # off the first screen, which has fewer controls
    page.locator("[data-sv=foot] [data-sv=article-link]").click()
    article.get_by_role("heading", name="Why a pass has room to spare").wait_for()
    assert article.locator("section h2").count() == 9
    page.keyboard.press("Escape")
    article.wait_for(state="hidden")
    assert page.evaluate("location.hash") == ""
    page.get_by_role("button", name="Help", exact=True).click()
    part(page, "help").get_by_role("link", name="How it works").click()
    article.wait_for()
    assert part(page, "help").is_hidden()


def test_a_link_leads_to_a_section_whose_sliders_keys_alone_can_move(visit: Open) -> None:
    page = visit("?__theme=light#article=cost")
    article = part(page, "article")
    heading = article.get_by_role("heading", name="Which γ is best")
    heading.wait_for()
    page.wait_for_function("(node) => node.getBoundingClientRect().top < innerHeight", arg=heading.element_handle())
    speed = article.locator("[data-chart=speed] [data-sv=chart-says]")
    article.get_by_text("was measured with the shipped models").wait_for()
    part(page, "set-alpha").focus()
    page.keyboard.press("Home")
    assert "At α = 0," in speed.inner_text()
    assert "γ = 0 is best" in speed.inner_text(), "who never guesses right had better not guess"
    part(page, "set-c").focus()
    page.keyboard.press("Home")
    part(page, "set-cost").focus()
    page.keyboard.press("Home")
    part(page, "set-alpha").focus()
    page.keyboard.press("End")
    assert "γ = 12 is best" in speed.inner_text(), "guesses that are free and always right are never too many"
    share = article.locator("[data-section=residual] p").last
    part(page, "set-p").focus()
    page.keyboard.press("Home")
    assert share.inner_text().startswith("With p = 0 and q = 0.35: 0 arrives as an accepted guess")
    a_worked_example_follows_numbers_that_are_in_range(article)


def a_worked_example_follows_numbers_that_are_in_range(article: "Locator") -> None:
    best = article.locator("[data-example=best]")
    first = best.locator("tbody td:last-child").first
    assert first.inner_text() == "K = 6, 2.47×"
    best.locator("input[name=draft]").fill("-1")
    best.get_by_text("A number is missing or out of range").wait_for()
    best.locator("input[name=draft]").fill("2")
    assert first.inner_text() == "K = 8, 3.09×"
