"""Pairs that are nowhere: one for each way their loading can go."""

import itertools
from collections.abc import Iterator

from specviz.config.pairs import Loading, Offer
from specviz.config.settings import ConfigError

IMAGE = "<img src=x onerror=alert(1)>"
OFFERS = (
    Offer("embedded", "embedded", "11 MB, Apache-2.0, any machine", "", ready=True, first=("small-model", 0),
          why={"code": "reasons.plain_pays", "alpha": "0.50", "speedup": "0.87"}),
    Offer("stories", "stories 15M → 110M", "500 MB, MIT, any machine", "", ready=False),
    Offer("endless", "endless 1B → 8B", "16 GB, Apache-2.0, one GPU", "", ready=False),
    Offer("broken", "broken 70M → 410M", "960 MB, Apache-2.0, any machine", "", ready=False),
    Offer("crashing", "crashing 70M → 410M", "960 MB, Apache-2.0, any machine", "", ready=False),
    Offer(
        "huge", "huge 1B → 70B", "140 GB, its own licence, two GPUs",
        "needs 18 GB, this machine has 7.4 GB free", ready=False,
    ),
    Offer("chatty", "chatty 135M → 1.7B", "3.7 GB, Apache-2.0, any machine; answers", "", ready=True, chat=True,
          prompt="Why is <b>the sky</b> blue?", first=("ngram", 2)),
    Offer("hostile", f"{IMAGE}\u202egnp" + "w" * 500, "</script><script>alert(1)</script>", "", ready=False),
)  # fmt: skip
STEPS = 10
SIZE = 500_000_000


class MadeUpOffers:
    """The half of an engine that knows pairs."""

    loaded = ""

    def offers(self) -> tuple[Offer, ...]:
        """Always the same but for the one that was loaded last. Each has a draft."""
        return tuple(
            offer._replace(ready=offer.ready or offer.name == self.loaded, assets=("draft",)) for offer in OFFERS
        )

    def ready(self, name: str) -> Iterator[Loading]:
        """Ten steps; the endless pair and the hostile one, whose size is unknown, are stuck half-way.

        The pair before is gone at once, so that what was loaded in one test is to be loaded again in the next.
        """
        self.loaded = ""
        for step in itertools.count(1):
            if name == "broken" and step > STEPS // 2:
                raise ConfigError("the disk is full")
            if name == "crashing" and step > STEPS // 2:
                raise RuntimeError("the made-up engine broke")
            stuck = name in ("endless", "hostile")
            if step > STEPS and not stuck:
                self.loaded = name
                return
            what = IMAGE if name == "hostile" else "downloading" if step < STEPS else "placing in memory"
            at = STEPS // 2 if stuck else step
            yield Loading(what, at * SIZE // STEPS, 0 if name == "hostile" else SIZE, at / 4)
