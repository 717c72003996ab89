"""A live run as a stream of deltas, and the two ways it ends early.

The model's threads change between yields, so nothing here may be bound to one.
"""

import uuid
from collections.abc import Iterator

import gradio as gr

from specviz.config import ConfigError, RunConfig, check, resolve_params
from specviz.trace import Stop
from specviz.ui import words
from specviz.ui.backend import Backend, LiveRun
from specviz.ui.recordings import Delta, Recording, Recordings, remark


def stream(backend: Backend, recordings: Recordings, config: RunConfig, owner: str | None) -> Iterator[Delta]:
    """Runs config and yields one delta per round; what was recorded stays available whatever happens.

    Raises:
        gr.Error: the config cannot be run. The page has been told in a remark, so no toast repeats it.
    """
    run = uuid.uuid4().hex
    recordings.release(owner)
    yield remark(run, "note", words.STARTING)
    try:
        live = _start(backend, config)
    except ConfigError as error:
        yield remark(run, "refusal", str(error))
        raise gr.Error(str(error), visible=False, print_exception=False) from None
    except (OSError, RuntimeError):
        yield remark(run, "refusal", words.FAILED)
        raise
    recording = Recording(run, live.info, live.prompt, live.prompt_texts, live.prefill)
    recordings.keep(recording, owner)
    yield recording.last()
    for step in live:
        delta = recording.add(step)
        if delta is None:
            return
        yield delta
    recording.finish(live.trace().stop)
    yield recording.last()


def settle(recordings: Recordings, owner: str | None) -> Delta:
    """The last word on a session's newest run, closing it if it was stopped or broke off.

    Returns its last message, or a remark that no run was begun.
    """
    recording = recordings.newest(owner)
    if recording is None:
        return remark(uuid.uuid4().hex, "idle", "")
    recording.finish(Stop.STOPPED)
    return recording.last()


def _start(backend: Backend, config: RunConfig) -> LiveRun:
    """Judges what can be judged without a model first, so that a slip costs no loading time."""
    check(config)
    entry = next((each for each in backend.catalog() if each.name == config.drafter), None)
    if entry is None:
        known = ", ".join(each.name for each in backend.catalog())
        raise ConfigError(f"drafter is {config.drafter!r}; wanted one of: {known}")
    resolve_params(entry, config.params)
    return backend.start(config)
