"""The page, built once for each file that looks at it."""

from typing import Any

import built_page
import pytest


@pytest.fixture(scope="module")
def built() -> dict[str, Any]:
    return built_page.build()
