"""Asking for a run: judged, and answered with what was made before, before anything waits for the models."""

import uuid
from typing import Any

import gradio as gr

from specviz.config import ConfigError, RunConfig
from specviz.ui import controls
from specviz.ui.backend import Backend
from specviz.ui.runs import live
from specviz.ui.runs.queue import Turns
from specviz.ui.runs.recordings import Delta, Recordings, remark

FINE = gr.validate(is_valid=True, message="")


class Asking:
    """What the page and the API ask of the server first. choices, named: the widgets' values, as controls.config."""

    def __init__(self, backend: Backend, recordings: Recordings, turns: Turns) -> None:
        self._backend = backend
        self._recordings = recordings
        self._turns = turns
        self._catalog = backend.catalog()

    def ask(self, request: gr.Request, *choices: Any, **named: Any) -> Delta:
        """Ends the session's run under way; then the end of one that repeats an earlier run, or a remark: the refusal,
        or that the queue may be joined, with the seconds a run takes.
        """
        owner = request.session_hash
        live.settle(self._recordings, owner)
        try:
            config = self._judged(*choices, **named)
        except ConfigError as error:
            return _said("refusal", str(error))
        again = live.repeated(self._backend, self._recordings, config, owner)
        if again is not None:
            return again.last()
        full = self._turns.full(request)
        return _said("refusal", full) if full else _said("turn", f"{self._recordings.pace() or 0:.3g}")

    def valid(self, request: gr.Request, *choices: Any, **named: Any) -> list[Any]:
        """One verdict for each input, as Gradio's validators give; it stands at the first, whichever is at fault."""
        try:
            config = self._judged(*choices, **named)
            kept = self._backend.limits.shared and self._recordings.like(config)
            refusal = "" if kept else self._turns.refusal(request)
        except ConfigError as error:
            refusal = str(error)
        first = gr.validate(is_valid=not refusal, message=refusal)
        return [first, *[FINE] * (len(choices) + len(named) - 1)]

    def _judged(self, *choices: Any, **named: Any) -> RunConfig:
        config = controls.config(self._catalog, *choices, **named)
        live.judge(self._backend, config)
        return config


def _said(kind: str, text: str) -> Delta:
    return remark(uuid.uuid4().hex, kind, text)
