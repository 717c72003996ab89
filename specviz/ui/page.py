"""The page: a bar on top, the stage, a drawer, two charts, and the events between them."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from specviz.codec import from_json
from specviz.trace import Trace
from specviz.ui import controls, live, noscript, player, plots, theme, words
from specviz.ui.backend import Backend
from specviz.ui.controls import Number
from specviz.ui.labs import Labs
from specviz.ui.pairs import Pairs
from specviz.ui.proofs import Proofs
from specviz.ui.races import Races
from specviz.ui.recordings import Delta, Recording, Recordings
from specviz.ui.rows import Rows

LAUNCH: dict[str, Any] = {
    "ssr_mode": False,
    "run_history": False,
    "enable_monitoring": False,
    "show_error": False,
    "share": False,
    "state_session_capacity": 1000,
    "max_file_size": "64kb",
    "footer_links": [],
}


def shipped_traces(folder: Path) -> dict[str, Trace]:
    """The traces in a folder by file name: small-model ones first because they show most, tales before the rest.

    Raises:
        TraceError: a file there is not a trace of this schema.
    """
    traces = {path.stem: from_json(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}
    return dict(
        sorted(traces.items(), key=lambda item: (item[1].info.config.drafter != "small-model", "tale" not in item[0]))
    )


def launch_options(traces: Mapping[str, Trace]) -> dict[str, Any]:
    """What launch() needs for the page of build(backend, traces): style sheet, theme, what is read without scripts."""
    middleware = Middleware(noscript.NoScript, noscript.markup(next(iter(traces.values()), None)))
    return {**LAUNCH, "head": theme.head(), "theme": theme.gradio_theme(), "app_kwargs": {"middleware": [middleware]}}


def build(backend: Backend, traces: Mapping[str, Trace]) -> gr.Blocks:
    """The whole page, queue configured, ready to launch."""
    recordings = Recordings({name: Recording.of(name, trace) for name, trace in traces.items()})
    rows, proofs, races = Rows(backend, recordings), Proofs(backend, recordings), Races(backend, recordings)
    pairs, labs = Pairs(backend), Labs(backend, recordings)
    catalog = backend.catalog()
    opened = next(iter(recordings.shipped), None)
    first = None if opened is None else recordings.get(opened)
    demo: gr.Blocks = gr.Blocks(title=words.TITLE, analytics_enabled=False, fill_width=True)
    with demo:
        with gr.Row(elem_id="sv-top"):
            gr.Markdown(f"# {words.TITLE}", elem_id="sv-title")
            bar = controls.bar(catalog)
        with gr.Column(elem_id="sv-main"):
            stage = player.stage(recordings, proofs, labs, backend, None if first is None else first.last())
        with gr.Column(elem_id="sv-drawer"):
            drawer = controls.drawer(catalog, backend.rules(), pairs, bar, recordings.shipped, opened)
        with gr.Row(elem_id="sv-charts"):
            charts = [
                gr.Plot(label=words.KV_CHART, show_label=False, elem_classes="sv-chart"),
                gr.Plot(label=words.GAMMA_CHART, show_label=False, elem_classes="sv-chart"),
            ]

        def run(
            request: gr.Request,
            prompt: str,
            drafter: str,
            gamma: Number,
            temperature: Number,
            top_k: Number,
            top_p: Number,
            max_new_tokens: Number,
            seed: Number,
            rule: str,
            *params: Number,
            pair: str | None = None,
            chat: bool | None = None,
        ) -> Iterator[Delta]:
            filters = (temperature, top_k, top_p)
            numbers = (*filters, max_new_tokens, seed)
            config = controls.config(catalog, prompt, drafter, gamma, *numbers, rule, *params, pair=pair, chat=chat)
            yield from live.stream(backend, recordings, config, request.session_hash)

        def settle(request: gr.Request) -> Delta:
            return live.settle(recordings, request.session_hash)

        def show(name: str) -> Any:
            recording = recordings.get(name)
            return gr.skip() if recording is None else recording.last()

        def last_word(request: gr.Request) -> Any:
            return live.last_word(recordings, request.session_hash) or gr.skip()

        def draw(event: gr.EventData) -> Any:
            recording = recordings.get(str(event.run))
            if recording is None:
                return gr.skip()
            colours = theme.PALETTE["colours"]["dark" if event.dark else "light"]
            return plots.figures(recording.rounds, colours, getattr(event, "round", 0))

        def row(event: gr.EventData) -> Iterator[Any]:
            wanted = rows.wanted(event._data)
            if wanted is None:
                yield gr.skip()
            else:
                yield from rows.answer(wanted)

        quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        # The event is the stage's, raised by AGAIN: Run and another drafter both end in it, so that one listener is
        # what Stop has to cancel, and asking again ends what runs before it begins anew.
        running = stage.again(
            run,
            [bar.prompt, bar.drafter, bar.gamma, bar.temperature, *drawer.inputs],
            stage,
            inputs_kwargs=drawer.named,
            js=player.ASKED,
            api_name="run",
            show_progress="minimal",  # whose line, unseen, tells the player its place in the queue
            trigger_mode="multiple",
            concurrency_id="model",
            concurrency_limit=1,
        )
        running.failure(None, None, None, js=player.want("idle"), api_visibility="private")
        running.then(last_word, None, stage, **quiet)
        asked = [bar.run.click, bar.drafter.input]
        gr.on(asked, settle, None, stage, cancels=[running], trigger_mode="multiple", **quiet).then(
            None, None, None, js=player.AGAIN, api_visibility="private"
        )
        bar.stop.click(settle, None, stage, cancels=[running], **quiet)
        drawer.recorded.input(show, drawer.recorded, stage, trigger_mode="always_last", **quiet)
        # Not "once", which would drop the request that ends a run; "always_last" forgets which run was meant.
        stage.charts(draw, None, charts, trigger_mode="multiple", **quiet)
        # "multiple" for the same reason; the player itself asks one question at a time.
        stage.row(row, None, stage, trigger_mode="multiple", concurrency_id="model", **quiet)
        # Not cancelled by "cancels": after that Gradio's browser side takes a newer question for the older one.
        proving = stage.prove(
            _listener(proofs.answer), None, stage, trigger_mode="multiple", concurrency_id="model", **quiet
        )
        proving.failure(None, None, None, js=player.want("unproved"), api_visibility="private")
        racing = stage.race(
            _listener(races.answer), None, stage, trigger_mode="multiple", concurrency_id="model", **quiet
        )
        racing.failure(None, None, None, js=player.want("unraced"), api_visibility="private")
        trying = stage.lab(
            _listener(labs.answer), None, stage, trigger_mode="multiple", concurrency_id="model", **quiet
        )
        trying.failure(None, None, None, js=player.want("untried"), api_visibility="private")
        # An event of its own, because the engine is imported for it: neither page nor recorded run waits for that.
        demo.load(pairs.offers, None, drawer.pair, concurrency_limit=None, **quiet)
        bringing = drawer.pair.bring(
            _listener(pairs.answer),
            None,
            drawer.pair,
            trigger_mode="multiple",
            concurrency_id="pair",
            concurrency_limit=1,
            **quiet,
        )
        bringing.failure(None, None, None, js=player.want("unloaded"), api_visibility="private")
    demo.queue(max_size=60, api_open=False, status_update_rate=5)
    return demo


def _listener(answer: Callable[[object], Iterator[Any]]) -> Callable[[gr.EventData], Iterator[Any]]:
    """What listens to an event that is a question of the player's."""

    def listen(event: gr.EventData) -> Iterator[Any]:
        yield from answer(event._data)

    return listen
