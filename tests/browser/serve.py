"""Serves the page over a made-up engine, in a process of its own; prints its address. Arguments: seconds per round."""

import sys
import time
from collections.abc import Iterator

import made_up

from specviz.config import RunConfig
from specviz.trace import Round
from specviz.ui import page

PER_ROUND = float(sys.argv[1])
TRACES = {
    "tale-small-model": made_up.made_up_trace(seed=3, max_new_tokens=24),
    "code-bigram": made_up.made_up_trace(seed=5, drafter="bigram"),
    "hostile-small-model": made_up.made_up_trace(made_up.HOSTILE, seed=2, max_new_tokens=40),
    "verse-ngram": made_up.made_up_trace(drafter="ngram", temperature=0),
}


class Unhurried(made_up.MadeUpRun):
    """A run whose rounds take their time."""

    def __iter__(self) -> Iterator[Round]:
        for step in super().__iter__():
            time.sleep(PER_ROUND)
            yield step


class Backend(made_up.MadeUpBackend):
    """Starts unhurried runs."""

    def start(self, config: RunConfig) -> made_up.MadeUpRun:
        super().start(config)
        return Unhurried(config)


demo = page.build(Backend(), TRACES)
_, address, _ = demo.launch(prevent_thread_lock=True, quiet=True, **page.launch_options())
sys.stdout.write(f"{address}\n")
sys.stdout.flush()
demo.block_thread()
