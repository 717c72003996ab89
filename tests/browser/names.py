"""The types of what the browser tests hold, also where playwright is not installed."""

from collections.abc import Callable
from typing import Any

try:
    from playwright.sync_api import (
        Browser,
        BrowserContext,
        CDPSession,
        Locator,
        Page,
        Request,
        Route,
        ViewportSize,
    )  # fmt: skip
except ImportError:
    Browser = BrowserContext = CDPSession = Locator = Page = Request = Route = ViewportSize = Any

Open = Callable[..., Page]
__all__ = [
    "Browser", "BrowserContext", "CDPSession", "Locator", "Open", "Page", "Request", "Route", "ViewportSize",
]  # fmt: skip
