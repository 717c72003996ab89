"""A request for a run: checked, and answered with an earlier run, before anything waits for the models."""

import uuid
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import gradio as gr

from specviz.config.settings import ConfigError, RunConfig
from specviz.config.words import Sentence
from specviz.ui import controls
from specviz.ui.answers import pairs
from specviz.ui.backend import Backend
from specviz.ui.events import Remark
from specviz.ui.runs import live
from specviz.ui.runs.queue import ModelQueue, owner
from specviz.ui.runs.recording import Delta, remark
from specviz.ui.runs.recordings import Recordings

FINE = gr.validate(is_valid=True, message="")
REMEMBERED = 256
"""Sessions whose newest request is remembered, so that one click's config is built and checked once."""


@dataclass(slots=True)
class _Request:
    """values: the widgets' values. checked: whether the config can be run, as far as can be said without a model."""

    values: dict[str, Any]
    config: RunConfig
    checked: bool = False


class Requests:
    """What the page and programs ask of the server before a run. choices: the widgets' values, as `controls.config`."""

    def __init__(self, backend: Backend, recordings: Recordings, queue: ModelQueue) -> None:
        self._backend = backend
        self._recordings = recordings
        self._queue = queue
        self._catalog = controls.catalog(backend)
        self._newest: OrderedDict[str, _Request] = OrderedDict()

    def ask(self, request: gr.Request, **choices: Any) -> Delta:
        """Ends the session's present run. Returns the end of a run that repeats an earlier one, or a remark: why the
        run cannot be queued, or that it can, with the seconds a run takes.
        """
        session = request.session_hash
        live.settle(self._recordings, session)
        try:
            config = self._checked(request, choices)
        except ConfigError as error:
            return _remark(Remark.REFUSAL, error.sentence)
        earlier = live.repeated(self._backend, self._recordings, config, session)
        if earlier is not None:
            return earlier.last()
        if full := self._queue.why_full(request):
            return _remark(Remark.REFUSAL, full.sentence)
        return _remark(Remark.TURN, f"{self._recordings.pace() or 0:.3g}")

    def validate(self, request: gr.Request, **choices: Any) -> list[Any]:
        """One verdict for each input, as Gradio expects. An error is shown at the first input, whichever is wrong."""
        try:
            config = self._checked(request, choices)
            earlier = self._backend.limits.shared and self._recordings.like(config)
            refusal = None if earlier else self._queue.why_not(request)
        except ConfigError as error:
            refusal = error
        first = gr.validate(is_valid=refusal is None, message=str(refusal or ""))
        return [first, *[FINE] * (len(choices) - 1)]

    def config(self, request: gr.Request, **choices: Any) -> RunConfig:
        """The choices as a config. It was checked if `validate` let the same choices pass."""
        return self._request(request, choices).config

    def _checked(self, request: gr.Request, choices: dict[str, Any]) -> RunConfig:
        pending = self._request(request, choices)
        if not pending.checked:
            live.check_choices(self._backend, pending.config)
            pending.checked = True
        pairs.usable(self._backend, pending.config.pair)
        return pending.config

    def _request(self, request: gr.Request, choices: dict[str, Any]) -> _Request:
        """The session's newest request if its values are the same, else a new one."""
        session = owner(request)
        newest = self._newest.get(session)
        if newest is not None and newest.values == choices:
            return newest
        fresh = _Request(choices, controls.config(self._catalog, **choices))
        self._newest.pop(session, None)
        self._newest[session] = fresh
        while len(self._newest) > REMEMBERED:
            self._newest.popitem(last=False)
        return fresh


def _remark(kind: Remark, text: Sentence) -> Delta:
    return remark(uuid.uuid4().hex, kind, text)
