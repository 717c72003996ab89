"""Connects the page's events with what answers them: a run and its end, the player's questions, another pair."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gradio as gr

from specviz.ui import controls, player
from specviz.ui.answers.measurements import Labs
from specviz.ui.answers.pairs import Pairs
from specviz.ui.answers.proofs import Proofs
from specviz.ui.answers.races import Races
from specviz.ui.backend import Backend
from specviz.ui.controls import Controls
from specviz.ui.events import Want
from specviz.ui.runs import live
from specviz.ui.runs.queue import LANE, ModelQueue
from specviz.ui.runs.recording import Delta
from specviz.ui.runs.recordings import Recordings
from specviz.ui.runs.request import Requests

QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
AT_ONCE: dict[str, Any] = {**QUIET, "queue": False}
"""Events that need no model skip the queue, so that a page responds while others wait for the models."""


@dataclass(frozen=True, slots=True)
class Components:
    """The page's components."""

    controls: Controls
    run: gr.Button
    stop: gr.Button
    pair: gr.HTML
    stage: gr.HTML


def connect_run(parts: Components, backend: Backend, recordings: Recordings, queue: ModelQueue) -> None:
    """Run and Stop."""
    requests = Requests(backend, recordings, queue)

    def last_word(request: gr.Request) -> Any:
        return live.last_word(recordings, request.session_hash) or gr.skip()

    def settle(request: gr.Request) -> Delta:
        return live.settle(recordings, request.session_hash)

    # The player raises the stage's `start` event once the server has said that the run may be queued. A new run cancels
    # the old one first.
    running = parts.stage.start(
        _run(backend, recordings, queue, requests),
        None,
        parts.stage,
        inputs_kwargs=parts.controls.inputs,
        validator=requests.validate,
        api_name="run",
        show_progress="minimal",  # the player reads its place in the queue from this line, which is hidden
        trigger_mode="multiple",
        concurrency_id=LANE,
        concurrency_limit=1,
    )
    _on_failure(running, Want.RUN_FAILED)
    running.then(last_word, None, parts.stage, **AT_ONCE)
    run: Any = parts.run
    asking = run.click(
        requests.ask,
        None,
        parts.stage,
        inputs_kwargs=parts.controls.inputs,
        js=player.BEFORE_RUN,
        cancels=[running],
        trigger_mode="always_last",  # "once" would drop a press while the last answer arrives
        **AT_ONCE,
    )
    _on_failure(asking, Want.RUN_FAILED)
    parts.stop.click(settle, None, parts.stage, js=player.want(Want.STOP), cancels=[running], **AT_ONCE)


def _run(backend: Backend, recordings: Recordings, queue: ModelQueue, requests: Requests) -> Callable[..., Any]:
    """The function behind Run, and behind /run for programs."""

    def run(request: gr.Request, **choices: Any) -> Iterator[Delta]:
        config = requests.config(request, **choices)
        try:
            yield from live.stream(backend, recordings, config, request.session_hash, _queued)
        finally:
            queue.served(request)

    run.cache = True  # type: ignore[attr-defined]  # Gradio then calls it before it queues a run
    return run


def connect_controls(parts: Components) -> None:
    """The widgets that follow the run on stage."""

    def adopt(event: gr.EventData) -> Any:
        return controls.values_of(parts.controls, event._data) or gr.skip()

    shown = [*parts.controls.inputs.values()]
    showing = parts.stage.adopt(adopt, None, shown, trigger_mode="always_last", **AT_ONCE)
    showing.then(None, None, None, js=player.want(Want.ADOPTED), api_visibility="private")


def connect_questions(parts: Components, queue: ModelQueue, proofs: Proofs, races: Races, labs: Labs) -> None:
    """The player's questions about a run."""

    stage = parts.stage
    # "once" would drop the last request of a run, and "always_last" forgets which run was meant. The player asks one
    # question at a time. Without "cancels", after which Gradio's JavaScript mistakes the new question for the old one.
    for asks, answer, failed in (
        (stage.prove, _listener(proofs.answer), Want.PROOF_FAILED),
        (stage.race, _listener(races.answer), Want.RACE_FAILED),
        (stage.lab, _listener(labs.answer), Want.LAB_FAILED),
    ):
        waits: dict[str, Any] = {**QUIET, "trigger_mode": "multiple", "concurrency_id": LANE}
        _on_failure(asks(answer, None, stage, validator=queue.question, **waits), failed)


def connect_pairs(parts: Components, queue: ModelQueue, pairs: Pairs) -> None:
    """The list of pairs, and the loading of a pair."""
    control = parts.pair
    # The player raises it once the page is shown, because it imports the engine and recorded runs should not wait.
    parts.stage.offers(pairs.offers, None, control, **AT_ONCE)
    bringing = control.bring(
        _listener(pairs.answer),
        None,
        control,
        validator=queue.question,
        trigger_mode="multiple",
        concurrency_id="pair",
        concurrency_limit=1,
        **QUIET,
    )
    _on_failure(bringing, Want.PAIR_FAILED)


# Never finds a cached value. When Gradio runs the function only to look for a cached answer, the call ends here, and
# Gradio queues the run.
_queued: Callable[[], object] = gr.cache(lambda: None, max_size=1, key=lambda _: uuid.uuid4().hex)


def _on_failure(listener: Any, want: Want) -> None:
    listener.failure(None, None, None, js=player.want(want), api_visibility="private")


def _listener(answer: Callable[[object], Iterator[Any]]) -> Callable[[gr.EventData], Iterator[Any]]:
    """A listener for an event that carries a question."""

    def listen(event: gr.EventData) -> Iterator[Any]:
        yield from answer(event._data)

    return listen
