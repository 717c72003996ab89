"""The page, built once for all who look at it."""

import json
import os
from pathlib import Path
from typing import Any

import built_page
import pytest
from filelock import FileLock


@pytest.fixture(scope="session")
def built() -> dict[str, Any]:
    """By whichever process of the run needs it first."""
    there = Path(os.environ["SPECVIZ_TESTS_HOME"]) / "built-page.json"
    with FileLock(f"{there}.lock"):
        if not there.exists():
            there.write_text(json.dumps(built_page.build()), encoding="utf-8")
    page_as_built: dict[str, Any] = json.loads(there.read_text(encoding="utf-8"))
    return page_as_built
