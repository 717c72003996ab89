"""Which pairs this machine can run, and the loading of one, reported step by step."""

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from specviz.config.pairs import KNOWN, KnownPair, Loading, Offer, split
from specviz.config.settings import Clock
from specviz.models import pair
from specviz.models.hub import fits


def offers(own: str = "") -> tuple[Offer, ...]:
    """The embedded pair and every known one as this machine can run it now, its free memory measured.

    Args:
        own: the name of a pair of one's own, which then comes first; "" for none.
    """
    device = pair.place("auto")
    dtype, free, held = pair.dtype_of("auto", device), fits.memory(device) + pair.freed(device), pair.held()
    sizes = json.loads((pair.EMBEDDED / "card.json").read_text(encoding="utf-8"))["sizes"]
    millions = " and ".join(f"{sizes[part]['parameters'] / 1e6:.2g} M" for part in ("draft", "target"))
    known = [_offer(each, device, dtype, free, held) for each in KNOWN]
    about = f"{millions} parameters, ships with specviz"
    files = tuple(sorted(path.relative_to(pair.EMBEDDED).as_posix() for path in pair.EMBEDDED.rglob("*.*")))
    found = [Offer("embedded", "built-in demo pair", about, "", ready=True, assets=files), *known]
    if parts := split(own):
        label = " → ".join(map(_last, parts))
        kinds = " and ".join(pair.published_heads(own))
        yours = f"your own, with a head for {kinds}" if kinds else "your own"
        found.insert(0, Offer(own, label, yours, "", ready=own == held, chat=True, assets=_heads(own)))
    return tuple(found)


def _offer(known: KnownPair, device: str, dtype: str, free: int, held: str) -> Offer:
    config = {"model_type": known.family, "dtype": known.stored}
    wanted = fits.needed(known.bytes(known.stored), config, device, dtype)
    reason = ""
    if wanted > free and known.name != held:
        reason = f"needs about {fits.gigabytes(wanted)} on {device}, which has {fits.gigabytes(free)} free"
    licences = " and ".join(dict.fromkeys((known.draft.licence, known.target.licence)))
    heads = f"; with heads for {' and '.join(kind for kind, _ in known.heads)}" if known.heads else ""
    about = f"{fits.gigabytes(wanted)} of memory, {licences}; suits {known.tier}{heads}"
    label = f"{_last(known.draft.repository)} → {_last(known.target.repository)}"
    ready, assets = known.name == held, _heads(known.name)
    return Offer(known.name, label, about, reason, ready, chat=known.chat, prompt=known.prompt, assets=assets)


def _heads(name: str) -> tuple[str, ...]:
    """What stands for the files that drafters of the pair's published heads need."""
    return tuple(f"heads/{kind}.safetensors" for kind in pair.published_heads(name))


def _last(repository: str) -> str:
    return repository.rstrip("/").rpartition("/")[2]


def ready(name: str, clock: Clock = time.monotonic) -> Iterator[Loading]:
    """Brings a pair into memory; see pair.load. Closing the iterator calls it off.

    Raises:
        ConfigError: as pair.load.
    """
    steps: SimpleQueue[Loading | None] = SimpleQueue()
    gone = threading.Event()
    with ThreadPoolExecutor(1) as worker:
        loading = worker.submit(pair.load, name, "auto", "auto", steps.put, gone.is_set)
        loading.add_done_callback(lambda _: steps.put(None))
        try:
            what, start = "", clock()
            while step := steps.get():
                if step.what != what:
                    what, start = step.what, clock()
                yield step._replace(seconds=clock() - start)
            loading.result()
        finally:
            gone.set()
