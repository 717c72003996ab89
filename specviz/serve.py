"""Connects the engine to the page, and serves it. The one module that knows both.

The page opens before the engine is imported; once it is open, a thread prepares the models.
"""

import datetime as dt
import logging
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from types import MappingProxyType

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # Gradio and huggingface_hub read these on import
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")

from specviz.config import pairs
from specviz.config.settings import HOME, SHARED, ConfigError, Limits
from specviz.local import LocalBackend, first_use
from specviz.shipped import ASSETS
from specviz.trace.run import Trace
from specviz.ui import page
from specviz.ui.answers import recorded
from specviz.ui.server import connections

TRACES = ASSETS / "traces"
"""The recorded runs that the page begins with."""
PAIR = ASSETS / "pair"
LABS = ASSETS / "labs"
"""The recorded answers that the labs open on."""
LENT = bool(os.environ.get("SPACES_ZERO_GPU"))
"""True if this is ZeroGPU, which lends its GPU to one call at a time, in a process forked for it."""
WARM_UP_AFTER = 10.0
"""Seconds after which the models are loaded even if nobody has opened the page."""

_log = logging.getLogger("specviz")


def serve(
    *,
    host: str | None,
    port: int | None,
    shared: bool | None,
    embed: bool,
    pair: str,
    opened: Mapping[str, Trace] = MappingProxyType({}),
) -> None:
    """Serves the page until interrupted.

    Args:
        host: address to listen on; None for this machine only.
        port: None for the first free one from 7860 on.
        shared: whether strangers use it; None: on a Space, and where host is not this machine alone.
        embed: whether pages of other sites may ask for runs, and show the page.
        pair: the name of a pair of one's own to offer beside the known ones, "" for none; see config.pairs.
        opened: runs that the page opens on, the first one on stage, by their names.

    Raises:
        ConfigError: it cannot be served so.
    """
    if not all((PAIR / part).is_dir() for part in ("target", "draft")):
        raise ConfigError(f"{PAIR} is missing or incomplete; download the project again, with all of assets")
    if head := pairs.head_of(pair):
        from specviz.models.heads import (
            published,
        )  # imports torch; without a head the page is up before

        published.read(head)
    backend = LocalBackend(_limits(host, shared=shared), pair)
    traces, unread = page.shipped_traces(TRACES)
    for line in unread:
        _log.warning(line)
    traces = {**opened, **{name: trace for name, trace in traces.items() if name not in opened}}
    demo = page.build(backend, traces, unread, [*opened])
    if LENT:
        backend.warm_up()  # ZeroGPU moves what is on "cuda" before the first run to every GPU it lends
    options = page.launch_options(traces, recorded.shipped_labs(LABS), embed=embed)
    try:
        demo.launch(server_name=host, server_port=port, prevent_thread_lock=True, **options)
    except OSError:  # Gradio raises it if it cannot listen
        taken = "no port it tried is free" if port is None else f"port {port} is in use"
        unless = f", if {host} is an address of this machine" if host else ""
        raise ConfigError(f"{taken}; choose another with --port{unless}") from None
    connections.harden(demo)
    if not LENT:
        threading.Thread(target=warm_up_later, args=[backend], daemon=True).start()
    demo.block_thread()


def record_labs(labs: Sequence[str]) -> None:
    """Records the answers that these labs, or all, open on, on this machine, and writes them into the assets.

    Raises:
        ConfigError: no such lab.
    """
    traces, _ = page.shipped_traces(TRACES)
    limits = SHARED if os.environ.get("SPACE_ID") else HOME
    for path in recorded.record(LocalBackend(limits), traces, LABS, dt.datetime.now(dt.UTC), labs):
        sys.stdout.write(f"{path}\n")


def warm_up_later(backend: LocalBackend) -> None:
    """Loads the models once a page is open. Earlier, the page itself would have to wait."""
    first_use.wait(WARM_UP_AFTER)
    try:
        backend.warm_up()
    except ConfigError as error:  # recorded runs still play, and a live run shows the error
        _log.warning(error)


def _limits(host: str | None, *, shared: bool | None) -> Limits:
    """What one run may ask for."""
    if shared is not None:
        return SHARED if shared else HOME
    listens = host or os.environ.get("GRADIO_SERVER_NAME")
    only_here = listens in (None, "localhost", "127.0.0.1", "::1")
    return HOME if only_here and not os.environ.get("SPACE_ID") else SHARED
