"""A live run as a stream of deltas, and the ways it ends early.

Each yield may come from another thread, so nothing here may be bound to one.
"""

import time
import uuid
from collections.abc import Callable, Iterator

import gradio as gr

from specviz.config.settings import ConfigError, RunConfig, check, check_together, entry_of, resolve_params
from specviz.config.words import Sentence, sentence
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.trace.round import Round
from specviz.trace.run import Stop, Trace
from specviz.ui import words
from specviz.ui.answers import pairs
from specviz.ui.backend import Backend
from specviz.ui.events import Remark
from specviz.ui.runs.recording import Delta, Recording, remark
from specviz.ui.runs.recordings import Recordings

TOGETHER = 0.4
"""Seconds of decoding after which the rounds so far are sent. A page that draws each at once would slow the next."""


def check_choices(backend: Backend, config: RunConfig) -> None:
    """Checks everything that needs no model, so that a mistake costs neither loading time nor a place in the queue.

    Raises:
        ConfigError: the config cannot be run.
    """
    check(config, backend.limits)
    rule = entry_of("rule", config.rule, backend.rules())
    drafter = entry_of("drafter", config.drafter, backend.catalog())
    resolve_params(drafter, config.params)
    check_together(drafter, rule, config)
    resolve_params(rule, config.rule_params)
    resolve_params(entry_of("gamma_rule", config.gamma_rule, GAMMA_RULES), config.gamma_params)


def repeated(backend: Backend, recordings: Recordings, config: RunConfig, owner: str | None) -> Recording | None:
    """On a shared server, an earlier run with the same config, as a new recording. The models would make it again."""
    earlier = recordings.like(config) if backend.limits.shared else None
    return None if earlier is None else recordings.begin(owner, earlier)


def stream(
    backend: Backend,
    recordings: Recordings,
    config: RunConfig,
    owner: str | None,
    queued: Callable[[], object] = bool,
) -> Iterator[Delta]:
    """Runs config and yields one delta per round; what was recorded stays available whatever happens.

    Args:
        config: one that passed `check_choices`.
        queued: called when the models are needed.

    Raises:
        gr.Error: the config cannot be run. The page has been told in a remark, so no toast repeats it.
        Exception: whatever broke the engine. The recording is closed and the page told before.
    """
    if (earlier := repeated(backend, recordings, config, owner)) is not None:
        yield from earlier.deltas()
        return
    queued()
    recording = recordings.begin(owner)
    try:
        yield remark(recording.run, Remark.NOTE, words.STARTING)
        try:
            pairs.usable(backend, config.pair)
            items = backend.start(config)
            trace = next(items)
            assert isinstance(trace, Trace), "a run begins with what is known of it"
        except ConfigError as error:
            yield remark(recording.run, Remark.REFUSAL, error.sentence)
            raise gr.Error(str(error), visible=False, print_exception=False) from None
        except Exception as error:  # re-raised for the log; the page shows one line
            yield remark(recording.run, Remark.REFUSAL, words.unready(error, config.prompt))
            raise
        yield from _together(_follow(trace, items, recording, lambda error: _broke(backend, config, error)))
    finally:
        recording.finish(Stop.STOPPED)


def settle(recordings: Recordings, owner: str | None) -> Delta:
    """Closes a session's newest run, however far it is. Returns its end, or a remark if there was none to close."""
    recording = recordings.newest(owner)
    if recording is None or recording.finished:
        return remark(uuid.uuid4().hex, Remark.IDLE, "")
    recording.finish(Stop.STOPPED)
    return recording.last()


def last_word(recordings: Recordings, owner: str | None) -> Delta | None:
    """Repeats the end of a session's newest run, in case it was lost; None while the run continues."""
    recording = recordings.newest(owner)
    if recording is None:
        return remark(uuid.uuid4().hex, Remark.IDLE, "")
    last = recording.last()
    return last if recording.finished and last["n"] >= 0 else None


def _together(deltas: Iterator[Delta]) -> Iterator[Delta]:
    """The same deltas, those that were made close to one another in one go."""
    ready: list[Delta] = []
    since = time.monotonic()
    try:
        for delta in deltas:
            ready.append(delta)
            if time.monotonic() - since >= TOGETHER:
                yield from ready
                ready, since = [], time.monotonic()
    except Exception:  # re-raised once the page has heard how the run ended
        yield from ready
        raise
    yield from ready


def _follow(
    trace: Trace, items: Iterator[Trace | Round], recording: Recording, broke: Callable[[Exception], Sentence]
) -> Iterator[Delta]:
    """Head, rounds, end. Goes no further once the recording was closed by somebody else."""
    head = recording.open(trace)
    if head is None:
        return
    yield head
    try:
        for item in items:
            if isinstance(item, Trace):
                trace = item
            elif delta := recording.add(item):
                yield delta
            else:
                return
    except Exception as error:  # likewise; a closed tab raises GeneratorExit, which this does not catch
        recording.finish(Stop.FAILED)
        yield recording.last()
        yield remark(recording.run, Remark.FAILURE, broke(error))
        raise
    recording.finish(trace.stop, trace.text)
    yield recording.last()


def _broke(backend: Backend, config: RunConfig, error: Exception) -> Sentence:
    """What broke a run. Where memory ran out: how many guesses there were, and half as many."""
    drafter = entry_of("drafter", config.drafter, backend.catalog())
    params = resolve_params(drafter, config.params)
    grown = params.get("shape", "") in ("", "tree")  # any other shape says itself how many guesses there are
    nodes = int(params.get("nodes", 0)) if grown else 0
    field, many = ("nodes", nodes) if nodes else ("gamma", config.gamma if drafter.sized else 0)
    if words.out_of_memory(error) and many > 3:
        return sentence("refusals.fewer", name=field, guesses=many, instead=many // 2)
    return words.broke(error)
