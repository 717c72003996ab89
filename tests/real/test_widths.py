"""The compiled pass on processors of other kinds, which numba is told of: the same bits at any width, and no end."""

import os
import subprocess
import sys

import pytest

from specviz.models.passes import tile

PASS = """
import hashlib
from specviz.models import pair
target = pair.load("embedded", "cpu", "float32").target
text, bits = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2], hashlib.sha256()
for rows in (1, 2, 3, 5, 9, 17):
    bits.update(target.forward(text[:rows], range(rows), None, target.new_cache(rows)).tobytes())
from specviz.models.passes import tile
print(tile.LANES, tile.HALVES, bits.hexdigest())
"""


def told(**processor: str) -> list[str]:
    """Lanes, whether it widens float16, and the bits of logits, on such a processor."""
    done = subprocess.run(
        [sys.executable, "-c", PASS], env={**os.environ, **processor}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.split()


WIDENS = pytest.mark.skipif(not {"+avx", "+f16c"} <= tile.PROCESSOR, reason="this processor is an old one itself")


@WIDENS
def test_where_float16_cannot_be_widened_a_pass_has_the_same_bits_eight_at_a_time() -> None:
    old = told(NUMBA_CPU_FEATURES="+avx,+avx2,+fma")
    assert old[:2] == ["8", "False"]
    assert old[2] == told()[2]


@pytest.mark.long
@WIDENS
def test_a_processor_of_another_name_runs() -> None:
    assert told(NUMBA_CPU_NAME="ivybridge")[:2] == ["8", "False"]


@pytest.mark.long
@pytest.mark.skipif(not tile.WIDE, reason="this processor has one width alone")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_sixteen_lanes_have_the_bits_of_eight(threads: str) -> None:
    narrow = told(NUMBA_CPU_FEATURES="+avx,+avx2,+f16c,+fma", OMP_NUM_THREADS=threads)
    assert narrow[0] == "8"
    assert told()[1:] == narrow[1:]
