"""The page: a bar on top, the stage and a drawer."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from specviz.check.run import problems
from specviz.trace.codec import TraceError, from_json
from specviz.trace.run import Trace
from specviz.ui import controls, languages, listeners, player, theme, words
from specviz.ui.answers.measurements import Labs
from specviz.ui.answers.pairs import Pairs
from specviz.ui.answers.proofs import Proofs
from specviz.ui.answers.races import Races
from specviz.ui.backend import Backend
from specviz.ui.runs.queue import ModelQueue
from specviz.ui.runs.recording import Recording
from specviz.ui.runs.recordings import Recordings
from specviz.ui.server import addresses, cached, checks, gzipped, inserted, routes


def shipped_traces(folder: Path) -> tuple[dict[str, Trace], tuple[str, ...]]:
    """The traces in a folder by file name, and a line for each file that is not a sound trace of this schema.

    The embedded pair's come first, because every machine can run it at once. Small-model traces show most; the standard
    rule and tales come before the rest.
    """
    traces, unread = {}, []
    for path in sorted(folder.glob("*.json"), key=lambda path: path.stem):
        try:
            trace = from_json(path.read_text(encoding="utf-8"))
            if contradictions := problems(trace):
                raise TraceError(contradictions[0])
            traces[path.stem] = trace
        except (TraceError, UnicodeDecodeError, OSError) as error:
            unread.append(words.unread(path.name, error))

    def place(name: str) -> tuple[int, ...]:
        config = traces[name].info.config
        return (
            config.pair != "embedded",
            config.drafter != "small-model",
            config.rule != "rejection",
            "tale" not in name,
        )

    return {name: traces[name] for name in sorted(traces, key=place)}, tuple(unread)


def launch_options(
    traces: Mapping[str, Trace], labs: Mapping[str, str] = MappingProxyType({}), *, embed: bool = False
) -> dict[str, Any]:
    """Arguments of launch() for the page of build(backend, traces): style sheets, theme, middleware.

    Args:
        labs: the recorded answers that the tabs open on, JSON by name.
        embed: whether pages of other sites may ask for runs, and show the page in a frame.
    """
    addresses.believe_no_proxy()
    markup = player.ROOT + languages.script() + player.preloads() + words.NO_SCRIPT
    kwargs = {
        "middleware": [
            Middleware(routes.Guard, embed=embed),
            Middleware(cached.Cached, player.responses(traces, labs)),
            Middleware(inserted.Inserted, markup),
            Middleware(checks.Checks),
            Middleware(gzipped.Gzipped),
        ]
    }
    look = {"head": theme.head(), "theme": theme.gradio_theme()}
    # a frame with sandbox="allow-scripts" alone asks as nobody's page, even for scripts
    return {**routes.LAUNCH, **look, "strict_cors": not embed, "app_kwargs": kwargs}


def build(
    backend: Backend, traces: Mapping[str, Trace], unread: Sequence[str] = (), given: Sequence[str] = ()
) -> gr.Blocks:
    """The whole page, queue configured, ready to launch.

    Args:
        unread: a line for each recorded run that could not be read.
        given: the names of those that a person opened the page with.
    """
    recordings = Recordings({name: Recording.of(name, trace) for name, trace in traces.items()})
    proofs, labs, pairs = Proofs(backend, recordings), Labs(backend, recordings), Pairs(backend)
    widgets = controls.Controls(controls.catalog(backend))
    first = next(map(recordings.get, recordings.shipped), None)
    demo: gr.Blocks = gr.Blocks(title=words.TITLE, analytics_enabled=False, fill_width=True)
    queue = ModelQueue(demo)
    with demo:
        with gr.Row(elem_id="sv-top"):
            gr.Markdown(f"# {words.TITLE}", elem_id="sv-title")
            run, stop = controls.bar(widgets)
        with gr.Column(elem_id="sv-main"):
            newest = None if first is None else first.last()
            stage = player.stage(recordings, proofs, labs, backend, newest, unread, given)
        with gr.Column(elem_id="sv-drawer"):
            pair = controls.drawer(widgets, pairs)
        parts = listeners.Components(widgets, run, stop, pair, stage)
        listeners.connect_run(parts, backend, recordings, queue)
        listeners.connect_controls(parts)
        listeners.connect_questions(parts, queue, proofs, Races(backend, recordings), labs)
        listeners.connect_pairs(parts, queue, pairs)
    demo.queue(**routes.QUEUE)
    queue.pace()
    return demo
