"""Which pairs this machine can run, and the loading of one, reported step by step."""

import json
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from specviz.config.pairs import BUILT_IN, KNOWN, KnownPair, Loading, Offer, known, split
from specviz.config.settings import Clock
from specviz.config.words import Sentence, sentence
from specviz.models import pair
from specviz.models.heads.published import carried
from specviz.models.hub import fits, pair_files


def offers(custom: str = "") -> tuple[Offer, ...]:
    """The built-in pairs and every known one as this machine can run it now, its free memory measured.

    Args:
        custom: the name of a pair of one's own, which then comes first; "" for none.
    """
    device = pair.place("auto")
    dtype, free, held = pair.dtype_of("auto", device), fits.memory(device) + pair.freed(device), pair.held()
    found = [*map(_built_in, BUILT_IN), *(_offer(each, device, dtype, free, held) for each in KNOWN)]
    if parts := split(custom):
        label = " → ".join(_last(part) for part in parts if part)
        kinds = [*pair.published_heads(custom)]
        yours = sentence("controls.pairs.own" if parts[0] else "controls.pairs.alone")
        if kinds:
            yours = sentence("controls.pairs.with_heads", about=yours, heads=kinds)
        assets = (*_heads(custom), *(["draft"] if parts[0] else []))
        found.insert(0, Offer(custom, label, yours, "", ready=custom == held, chat=True, assets=assets))
    return tuple(found)


def acceptance(name: str) -> float:
    """α of a built-in pair's draft model as its card has it, the mean over its kinds of text."""
    return statistics.fmean(kind["alpha"] for kind in _card(name)["measured"]["acceptance"]["small model"].values())


def _card(name: str) -> Any:
    return json.loads((BUILT_IN[name] / "card.json").read_text(encoding="utf-8"))


def _built_in(name: str) -> Offer:
    sizes = _card(name)["sizes"]
    millions = {part: f"{sizes[part]['parameters'] / 1e6:.2g} M" for part in ("draft", "target")}
    about, own = sentence("controls.pairs.ships", **millions), (*_lying_in(BUILT_IN[name]), "draft")
    return Offer(name, sentence(f"page.pair.{name}"), about, "", ready=True, assets=own)


def _offer(known: KnownPair, device: str, dtype: str, free: int, held: str) -> Offer:
    config = {"model_type": known.family, "dtype": known.stored}
    need = fits.needed([(known.bytes(known.stored), config)], device, dtype)
    reason: Sentence = ""
    if need.whole > free and known.name != held:
        reason = sentence("refusals.room", **need.said(), device=device, free=fits.gigabytes(free))
    about = sentence(
        "controls.pairs.about",
        size=fits.gigabytes(need.whole),
        licences=[*dict.fromkeys(model.licence for model in known.models[::-1])],
        tier=sentence(f"controls.pairs.{known.tier}"),
    )
    if known.heads:
        about = sentence("controls.pairs.with_heads", about=about, heads=[kind for kind, _ in known.heads])
    if not (there := pair_files.there(known)):
        about = sentence("controls.pairs.to_fetch", about=about, size=fits.gigabytes(known.bytes(known.stored)))
    label = " → ".join(_last(model.repository) for model in known.models[::-1])
    assets = (*_heads(known.name), *_shipped(known))
    offer = Offer(known.name, label, about, reason, known.name == held, assets=assets, there=there)
    return offer._replace(chat=known.chat, prompt=known.prompt, first=known.first)


def _shipped(known: KnownPair) -> tuple[str, ...]:
    """The files that ship for a pair's target, and "draft" if it has a draft model, from there or of its own."""
    files = _lying_in(known.folder) if known.folder else ()
    drafts = known.draft or any(name.startswith("draft/") for name in files)
    return (*files, *(["draft"] if drafts else []))


def _lying_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")))


def _heads(name: str) -> tuple[str, ...]:
    """What stands for the files that drafters need: of the pair's published heads, of layers in its checkpoint."""
    kinds = [*pair.published_heads(name)]
    if (parts := split(name)) and carried.lies_in(parts[1]):
        kinds.append("mtp")
    return tuple(f"heads/{kind}.safetensors" for kind in kinds)


def _last(repository: str) -> str:
    return repository.rstrip("/").rpartition("/")[2]


def ready(name: str, clock: Clock = time.monotonic) -> Iterator[Loading]:
    """Brings a pair into memory, fetched where it is not there; see pair.load. Closing the iterator calls it off.

    Raises:
        ConfigError: as pair.load.
    """
    steps: SimpleQueue[Loading | None] = SimpleQueue()
    gone = threading.Event()
    with ThreadPoolExecutor(1) as worker:
        loading = worker.submit(_brought, name, steps.put, gone.is_set)
        loading.add_done_callback(lambda _: steps.put(None))
        try:
            what: Sentence = ""
            start = clock()
            while step := steps.get():
                if step.what != what:
                    what, start = step.what, clock()
                yield step._replace(seconds=clock() - start)
            loading.result()
        finally:
            gone.set()


def _brought(name: str, tell: pair.Tell, stop: Callable[[], bool]) -> None:
    wanted = known(name)
    if wanted and wanted.shipped and not pair_files.there(wanted):
        pair_files.bring(wanted, tell, stop)
    pair.load(name, "auto", "auto", tell, stop)
