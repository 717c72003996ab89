"""The page, built once for all who look at it."""

from typing import Any

import built_page
import pytest


@pytest.fixture(scope="session")
def built() -> dict[str, Any]:
    return built_page.build()
