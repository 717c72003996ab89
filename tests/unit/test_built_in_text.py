"""The text that is counted where no file is given: it knows Python, at the largest vocabulary."""

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
