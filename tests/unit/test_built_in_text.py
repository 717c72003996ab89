"""The text that is counted where no file is given: it knows Python, at the largest vocabulary."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from specviz.models.counts import for_tokenizer
from specviz.models.counts.table import Online
from tests.unit.test_own_counts import LARGE, byte_level, equal


def test_the_built_in_text_knows_python_at_the_largest_vocabulary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(for_tokenizer, "MAX_CHARS", 900_000)  # all of the documentation and some of the library
    tokenizer = byte_level(LARGE)
    table = for_tokenizer.table(tokenizer, LARGE, folder=tmp_path)
    assert equal(table, for_tokenizer.table(tokenizer, LARGE, folder=tmp_path))
    (word,) = tokenizer.encode("import")
    row = table.bigram(word)
    online = Online(table)
    online.extend(tokenizer.encode("import sys\nimport os\n"))
    rows = [online.ngram(tokenizer.encode(text)[-4:]).probs for text in ("", "import", "\nimport sys", "zqzq\n")]
    for probs in (row, table.bigram(LARGE - 1), *rows):
        assert probs.shape == (LARGE,)
        assert probs.sum() == pytest.approx(1, abs=1e-9)
        assert probs.min() > 0
    likely = {tokenizer.piece(int(token)) for token in row.argsort()[-8:]}
    assert likely & {" sys", " os", " re", " "}
    assert all(probs[tokenizer.encode("import")[0]] > probs[LARGE - 1] for probs in rows)
    assert tokenizer.piece(int(online.ngram(tokenizer.encode("\nimport sys")).probs.argmax())) == "\n"


def test_the_built_in_text_is_documentation_then_modules_in_order() -> None:
    content = for_tokenizer._standard()
    assert len(content) == for_tokenizer.MAX_CHARS
    assert content == for_tokenizer._standard()
    assert content.index('The "assert" statement') < content.index("Abstract Base Classes (ABCs) according to PEP 3119")
    assert "import unittest" in content


@pytest.mark.long
def test_time_memory_and_file_at_the_largest_vocabulary(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    program = f"""
import json, resource, sys, time
from pathlib import Path
from tests.unit.test_own_counts import LARGE, byte_level
from specviz.models.counts import for_tokenizer
tokenizer = byte_level(LARGE)
tokenizer.encode("warm")
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before, start = peak(), time.perf_counter()
for_tokenizer.table(tokenizer, LARGE, folder=Path({str(tmp_path)!r}))
built, start = time.perf_counter() - start, time.perf_counter()
for_tokenizer.table(tokenizer, LARGE, folder=Path({str(tmp_path)!r}))
print(json.dumps([built, time.perf_counter() - start, (peak() - before) / 1024]))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    built, read, memory = json.loads(done.stdout)
    (path,) = tmp_path.iterdir()
    size = f"{memory:.0f} MiB more at the peak, {path.stat().st_size:,} bytes"
    record_property("told", f"built {built:.1f} s, read {read:.1f} s, {size}")
    assert memory < 300
