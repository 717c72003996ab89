"""The page: a bar on top, the stage, a drawer, two charts, and the events between them."""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from specviz.proof.problems.run import problems
from specviz.trace.codec import TraceError, from_json
from specviz.trace.run import Trace
from specviz.ui import controls, player, theme, words
from specviz.ui.answers.charts import MINUTE, Charts
from specviz.ui.answers.measurements import Labs
from specviz.ui.answers.pairs import Pairs
from specviz.ui.answers.proofs import Proofs
from specviz.ui.answers.races import Races
from specviz.ui.answers.vocabulary import Rows
from specviz.ui.backend import Backend
from specviz.ui.controls import Number
from specviz.ui.runs import live
from specviz.ui.runs.queue import LANE, Turns
from specviz.ui.runs.recordings import Delta, Recording, Recordings
from specviz.ui.runs.request import Asking
from specviz.ui.server import addresses, cached, noscript, routes


def shipped_traces(folder: Path) -> tuple[dict[str, Trace], tuple[str, ...]]:
    """The traces in a folder by file name: small-model ones first because they show most, the standard rule and tales
    before the rest. Then a line for each file that is no sound trace of this schema: the page opens without it.
    """
    traces, unread = {}, []
    for path in sorted(folder.glob("*.json"), key=lambda path: path.stem):
        try:
            trace = from_json(path.read_text(encoding="utf-8"))
            if found := problems(trace):
                raise TraceError(found[0])
            traces[path.stem] = trace
        except (TraceError, UnicodeDecodeError, OSError) as error:
            unread.append(words.unread(path.name, error))

    def place(name: str) -> tuple[bool, bool, bool]:
        config = traces[name].info.config
        return config.drafter != "small-model", config.rule != "rejection", "tale" not in name

    return {name: traces[name] for name in sorted(traces, key=place)}, tuple(unread)


def launch_options(
    traces: Mapping[str, Trace], labs: Mapping[str, str] = MappingProxyType({}), *, embed: bool = False
) -> dict[str, Any]:
    """What launch() needs for the page of build(backend, traces): style sheet, theme, what is read without scripts.

    Args:
        labs: what the lab's tabs open on, JSON by name.
        embed: whether pages of other sites may ask for runs, and show the page in a frame.
    """
    addresses.believe_no_proxy()
    markup = player.preloads() + noscript.markup(next(iter(traces.values()), None))
    kwargs = {
        "middleware": [
            Middleware(routes.Guard, embed=embed),
            Middleware(cached.Kept, player.files(traces, labs)),
            Middleware(noscript.NoScript, markup),
        ]
    }
    return {**routes.LAUNCH, "head": theme.head(), "theme": theme.gradio_theme(), "app_kwargs": kwargs}


def build(backend: Backend, traces: Mapping[str, Trace], unread: Sequence[str] = ()) -> gr.Blocks:
    """The whole page, queue configured, ready to launch.

    Args:
        unread: what is to be said of recorded runs that could not be read.
    """
    recordings = Recordings({name: Recording.of(name, trace) for name, trace in traces.items()})
    rows, proofs, races = Rows(backend, recordings), Proofs(backend, recordings), Races(backend, recordings)
    pairs, labs = Pairs(backend), Labs(backend, recordings)
    catalog = backend.catalog()
    opened = next(iter(recordings.shipped), None)
    first = None if opened is None else recordings.get(opened)
    drawn = Charts(recordings, addresses.Allowance(MINUTE, time.monotonic))
    demo: gr.Blocks = gr.Blocks(title=words.TITLE, analytics_enabled=False, fill_width=True)
    turns = Turns(demo)
    asking = Asking(backend, recordings, turns)
    with demo:
        with gr.Row(elem_id="sv-top"):
            gr.Markdown(f"# {words.TITLE}", elem_id="sv-title")
            bar = controls.bar(catalog)
        with gr.Column(elem_id="sv-main"):
            stage = player.stage(recordings, proofs, labs, backend, None if first is None else first.last())
        with gr.Column(elem_id="sv-drawer"):
            drawer = controls.drawer(catalog, backend.rules(), pairs, bar, recordings.shipped, opened, unread)
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
            gamma_rule: str | None = None,
            **tuning: Any,
        ) -> Iterator[Delta]:
            numbers = (temperature, top_k, top_p, max_new_tokens, seed)
            named = {"pair": pair, "chat": chat, "gamma_rule": gamma_rule, **tuning}
            config = controls.config(catalog, prompt, drafter, gamma, *numbers, rule, *params, **named)
            try:
                yield from live.stream(backend, recordings, config, request.session_hash, _queued)
            finally:
                turns.served(request)

        run.cache = True  # type: ignore[attr-defined]  # has Gradio ask it, before it queues a run, whether it needs to

        def settle(request: gr.Request) -> Delta:
            return live.settle(recordings, request.session_hash)

        def show(name: str) -> Any:
            recording = recordings.get(name)
            return gr.skip() if recording is None else recording.last()

        def last_word(request: gr.Request) -> Any:
            return live.last_word(recordings, request.session_hash) or gr.skip()

        def row(event: gr.EventData) -> Iterator[Any]:
            wanted = rows.wanted(event._data)
            if wanted is None:
                yield gr.skip()
            else:
                yield from rows.answer(wanted)

        def adopt(event: gr.EventData) -> dict[Any, Any]:
            return controls.adopted(catalog, backend.rules(), bar, drawer, event._data)

        quiet: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        # What needs no model never queues, so that a page lives on however many wait.
        at_once: dict[str, Any] = {**quiet, "queue": False}
        waits: dict[str, Any] = {**quiet, "trigger_mode": "multiple", "concurrency_id": LANE}
        choices = [bar.prompt, bar.drafter, bar.gamma, bar.temperature, *drawer.inputs]
        # The event is the stage's, raised by the player once it is told that its turn has come to wait: Run and another
        # drafter both end in it, so that one listener is what Stop has to cancel, and asking again ends what runs
        # before it begins anew.
        running = stage.again(
            run,
            choices,
            stage,
            inputs_kwargs=drawer.named,
            validator=asking.valid,
            api_name="run",
            show_progress="minimal",  # whose line, unseen, tells the player its place in the queue
            trigger_mode="multiple",
            concurrency_id=LANE,
            concurrency_limit=1,
        )
        running.failure(None, None, None, js=player.want("cut"), api_visibility="private")
        running.then(last_word, None, stage, **at_once)
        gr.on(
            [bar.run.click, bar.drafter.input],
            asking.ask,
            choices,
            stage,
            inputs_kwargs=drawer.named,
            js=player.ASKED,
            cancels=[running],
            trigger_mode="always_last",  # "once" drops what is pressed while the answer to the last press is being read
            **at_once,
        )
        bar.stop.click(settle, None, stage, js=player.want("stop"), cancels=[running], **at_once)
        shows = [*choices, *(each for each in drawer.named.values() if isinstance(each, gr.components.Component))]
        adopting = stage.adopt(adopt, None, shows, trigger_mode="always_last", **at_once)
        adopting.then(None, None, None, js=player.want("adopted"), api_visibility="private")
        drawer.recorded.input(show, drawer.recorded, stage, trigger_mode="always_last", **at_once)
        # Not "once", which would drop the request that ends a run; "always_last" forgets which run was meant.
        stage.charts(drawn.answer, None, charts, trigger_mode="multiple", **at_once)
        # "multiple" for the same reason; the player itself asks one question at a time.
        looking = stage.row(row, None, stage, validator=turns.question, **waits)
        looking.failure(None, None, None, js=player.want("unlooked"), api_visibility="private")
        # Not cancelled by "cancels": after that Gradio's browser side takes a newer question for the older one.
        proving = stage.prove(_listener(proofs.answer), None, stage, validator=turns.question, **waits)
        proving.failure(None, None, None, js=player.want("unproved"), api_visibility="private")
        racing = stage.race(_listener(races.answer), None, stage, validator=turns.question, **waits)
        racing.failure(None, None, None, js=player.want("unraced"), api_visibility="private")
        trying = stage.lab(_listener(labs.answer), None, stage, validator=turns.question, **waits)
        trying.failure(None, None, None, js=player.want("untried"), api_visibility="private")
        # Raised once the page stands, because the engine is imported for it: no recorded run waits for that.
        stage.offers(pairs.offers, None, drawer.pair, **at_once)
        bringing = drawer.pair.bring(
            _listener(pairs.answer),
            None,
            drawer.pair,
            validator=turns.question,
            trigger_mode="multiple",
            concurrency_id="pair",
            concurrency_limit=1,
            **quiet,
        )
        bringing.failure(None, None, None, js=player.want("unloaded"), api_visibility="private")
    demo.queue(**routes.QUEUE)
    turns.pace()
    return demo


# Does nothing, but where Gradio only asks for an answer at hand, it says that there is none, and the run is queued.
_queued: Callable[[], object] = gr.cache(lambda: None, max_size=1, key=lambda _: uuid.uuid4().hex)


def _listener(answer: Callable[[object], Iterator[Any]]) -> Callable[[gr.EventData], Iterator[Any]]:
    """What listens to an event that is a question of the player's."""

    def listen(event: gr.EventData) -> Iterator[Any]:
        yield from answer(event._data)

    return listen
