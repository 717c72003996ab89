"""transformers' own assisted generation, recorded as it runs; see `watch`.

What transformers calls a candidate generator gives nearly all of a round: its guesses with what they were taken from,
and, as it learns how the round went, the target's rows and the text. The numbers that tested the guesses are those of
the one `torch.rand_like` of a round; where the target draws its own tokens, those of `torch.multinomial`, taken again
from a copy of the random state. transformers' own state is never touched.
"""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch
import transformers
from torch import Tensor
from torch.overrides import TorchFunctionMode
from transformers.generation import utils
from transformers.generation.candidate_generator import PromptLookupCandidateGenerator

from specviz.config.settings import ConfigError
from specviz.loops.recorder import Recorder
from specviz.models.tokenizer import Tokenizer
from specviz.sampling.arrays import Floats
from specviz.trace.run import Trace

TRIED = ("5.20.0", "5.21.0", "5.22.0", "5.23.0", "5.24.0")
"""The versions of transformers whose private `_get_candidate_generator` and `_speculative_sampling` were tried here."""
SAME = {"PromptLookup": "prompt-lookup", "EarlyExit": "early-exit"}
"""What drafts as one of specviz's own drafters does, so that the page can speak of it."""
Given = Any
"""What transformers passes on; its annotations change from release to release."""


@contextmanager
def watch(model: Given, tokenizer: Given = None) -> Iterator["Watched"]:
    """Records what `model.generate` drafts and tests inside the context. The text is the same as without.

    Args:
        model: any model of transformers that generates.
        tokenizer: transformers' own for it, which gives the tokens their texts; without it they are ids.

    Raises:
        ConfigError: this version of transformers was not tried.
    """
    version = transformers.__version__
    if version not in TRIED:
        raise ConfigError(f"transformers is {version}; watch was tried with {', '.join(TRIED)}: install one of these")
    watched = Watched(model, Tokenizer(tokenizer) if tokenizer is not None else None)
    make, test = model._get_candidate_generator, utils._speculative_sampling
    with (
        _instead(model, "_get_candidate_generator", watched.generator(make)),
        _instead(utils, "_speculative_sampling", watched.sampling(test)),
    ):
        yield watched


@contextmanager
def _instead(owner: Any, name: str, value: object) -> Iterator[None]:
    """An attribute of an object is another one inside the context."""
    own = vars(owner).get(name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        delattr(owner, name)
        if own is not None:
            setattr(owner, name, own)


class Watched:
    """What was recorded of a model."""

    def __init__(self, model: Given, tokenizer: Tokenizer | None) -> None:
        self._model, self._tokenizer = model, tokenizer
        self._calls: list[_Call] = []
        self._testing = threading.local()

    @property
    def traces(self) -> list[Trace]:
        """One for each call of `generate` that was assisted and made a token.

        Raises:
            ConfigError: what transformers passed on is no record of a round.
        """
        return [call.trace() for call in self._calls if call.recorder or call.error]

    @property
    def trace(self) -> Trace:
        """The last one.

        Raises:
            ConfigError: there is none; and as in `traces`.
        """
        traces = self.traces
        if not traces:
            raise ConfigError(
                "nothing speculative ran; wanted generate(…, assistant_model=…), prompt_lookup_num_tokens=…"
                " or another assistance while the model was watched"
            )
        return traces[-1]

    def generator(self, make: Callable[..., Given]) -> Callable[..., Given]:
        """transformers' maker of candidate generators, of which each is then listened to."""

        def made(**given: Given) -> Given:
            generator = make(**given)
            call = _Call(self._model, self._tokenizer, generator, given)
            self._calls.append(call)
            draft, learn = generator.get_candidates, generator.update_candidate_strategy

            def get_candidates(ids: Tensor, **more: Given) -> tuple[Tensor, Tensor | None]:
                call.begin()
                found: tuple[Tensor, Tensor | None] = draft(ids, **more)
                call.drafted(ids, *found)
                self._testing.call = call
                return found

            def update_candidate_strategy(ids: Tensor, scores: Tensor, matches: Given) -> None:
                self._testing.call = None
                call.tested(ids, scores)
                learn(ids, scores, matches)

            generator.get_candidates = get_candidates
            generator.update_candidate_strategy = update_candidate_strategy
            return generator

        return made

    def sampling(self, test: Callable[..., Given]) -> Callable[..., Given]:
        """transformers' test of drawn guesses, whose numbers are noted if it tests those of a watched call."""

        def tested(*given: Given, **more: Given) -> Given:
            call = getattr(self._testing, "call", None)
            if call is None:
                return test(*given, **more)
            with _Numbers() as numbers:
                start = perf_counter()
                outcome = test(*given, **more)
                call.accepting(numbers.found, perf_counter() - start)
            return outcome

        return tested


class _Numbers(TorchFunctionMode):
    """found: what the last torch.rand_like gave."""

    found: Tensor | None = None

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func is torch.rand_like:
            self.found = result
        return result


class _Call:
    """One call of `generate`, round by round.

    Attributes:
        recorder: None before the first round was tested.
        error: what was passed on is no record of a round; None if all was.
    """

    def __init__(self, model: Given, tokenizer: Tokenizer | None, generator: Given, given: dict[str, Given]) -> None:
        self._model, self._tokenizer = model, tokenizer
        self._kind = type(generator).__name__.removesuffix("CandidateGenerator")
        self._draft = _draft(generator, model, self._kind)
        self._config, kept = given["generation_config"], given["model_kwargs"]
        self._cache = kept.get("cache", kept.get("past_key_values"))
        self.recorder: Recorder | None = None
        self.error: ConfigError | None = None
        self._lookup = self._config.do_sample and isinstance(generator, PromptLookupCandidateGenerator)
        self._before = 0

    def begin(self) -> None:
        """A round begins."""
        self._u: list[float] = []
        self._accept = 0.0
        self._before = self._slots()
        self._start = perf_counter()

    def drafted(self, text: Tensor, candidates: Tensor, logits: Tensor | None) -> None:
        """The text before the round, the same with the guesses after it, and the rows that they were taken from."""
        self._length, self._logits = text.shape[1], logits
        self._guesses: list[int] = candidates[0, self._length :].tolist()
        self._state = _state(text.device) if self._lookup else None
        self._drafted = perf_counter()

    def accepting(self, numbers: Tensor | None, seconds: float) -> None:
        """The guesses were tested with these numbers, if any."""
        self._u, self._accept = [] if numbers is None else numbers.flatten().tolist(), seconds

    def tested(self, text: Tensor, scores: Tensor) -> None:
        """The text after the round, and the target's rows. What they contradict is said when the trace is asked for,
        so that the text continues."""
        seconds = perf_counter() - self._drafted
        if self.error:
            return
        try:
            self._round(text[0].tolist(), scores, seconds)
        except ConfigError as error:
            self.error = error

    def _round(self, text: list[int], scores: Tensor, seconds: float) -> None:
        guesses, made = self._guesses, text[self._length :]
        if self.recorder is None:
            self.recorder = self._recorder(text[: self._length], scores.shape[-1])
            self._before = self._length - 1  # the first pass also reads the prompt
        p, q = _rows(scores[0]), None if self._logits is None else _rows(self._logits[0])
        best = scores[0].argmax(-1).tolist()
        if (weight := self._config.assistant_ensemble_weight) is not None and q is not None:
            p[: len(q)] = weight * p[: len(q)] + (1 - weight) * q
            best[: len(q)] = p[: len(q)].argmax(-1).tolist()
        raw: tuple[Floats | None, Floats | None] = (None, None)
        if not self._config.do_sample:
            raw = q, p
            p, q = _one_hot(best, p.shape[1]), None if q is None else _one_hot(guesses, p.shape[1])
        same = [guess == token for guess, token in zip(guesses, made, strict=False)]
        matches = [*same, False].index(False)
        accepted: list[bool | None] = [*[True] * matches, *[None] * (len(guesses) - matches)]
        token = made[matches] if matches < len(made) else None
        if token is not None and matches < len(guesses):
            accepted[matches] = False
        self.recorder.round(
            guesses,
            q=q,
            p=p,
            accepted=accepted,
            token=token,
            u=None
            if q is None or not self._u
            else [None if won is None else u for u, won in zip(self._u, accepted, strict=True)],
            noise=self._noise(scores[0].softmax(-1), made),
            raw_q=raw[0],
            raw_p=raw[1],
            cache=(self._before, self._before + 1 + len(guesses), self._slots()) if self._cache is not None else None,
            ms={
                "draft": 1e3 * (self._drafted - self._start),
                "verify": 1e3 * (seconds - self._accept),
                "accept": 1e3 * self._accept,
            },
        )

    def _noise(self, p: Tensor, made: list[int]) -> Floats | None:
        """Where the target draws its own tokens: the numbers that torch.multinomial drew them with, taken again from
        the random state of then. It takes the token of the largest p / number.

        Raises:
            ConfigError: they are others than those.
        """
        if self._state is None:
            return None
        again = torch.Generator(p.device).set_state(self._state)
        drawn = torch.empty_like(p).exponential_(generator=again)
        if (p / drawn).argmax(-1)[: len(made)].tolist() != made:
            raise ConfigError(f"torch {torch.__version__} on {p.device} draws tokens with numbers that cannot be told")
        noise: Floats = -drawn.double().log().cpu().numpy()
        return noise

    def _slots(self) -> int:
        return int(self._cache.get_seq_length()) if self._cache is not None else 0

    def _recorder(self, prompt: list[int], vocab_size: int) -> Recorder:
        config, codec = self._config, self._tokenizer
        ends = config.eos_token_id
        return Recorder(
            prompt,
            vocab_size,
            text=codec.decode(prompt) if codec else "",
            piece=codec.piece if codec else "<{:03}>".format,
            temperature=(1.0 if config.temperature is None else config.temperature) if config.do_sample else 0.0,
            ends=[] if ends is None else [ends] if isinstance(ends, int) else ends,
            max_new_tokens=config.max_length - len(prompt),
            lossless=config.assistant_ensemble_weight is None,
            loop=f"transformers {transformers.__version__}, assisted generation",
            target=_name(self._model),
            draft=self._draft,
        )

    def trace(self) -> Trace:
        """The rounds so far.

        Raises:
            ConfigError: what was passed on is no record of a round.
        """
        if self.error:
            raise self.error
        assert self.recorder is not None, "a round was tested"
        trace, config = self.recorder.trace(), self._config
        asked = replace(trace.info.config, drafter=SAME.get(self._kind, self._draft))
        if config.do_sample:
            asked = replace(asked, top_k=config.top_k or 0, top_p=1.0 if config.top_p is None else config.top_p)
        return replace(
            trace,
            info=replace(
                trace.info,
                config=asked,
                device=str(self._model.device),
                dtype=str(self._model.dtype).removeprefix("torch."),
                versions={"transformers": transformers.__version__, "torch": torch.__version__},
            ),
        )


def _state(device: torch.device) -> Tensor:
    """The state of a device's random numbers."""
    if device.type == "cpu":
        return torch.get_rng_state()
    state: Tensor = torch.get_device_module(device).get_rng_state(device)
    return state


def _rows(logits: Tensor) -> Floats:
    """float64[n, V], as transformers' own softmax has them."""
    rows: Floats = logits.softmax(-1).double().cpu().numpy()
    return rows


def _one_hot(tokens: Sequence[int], size: int) -> Floats:
    rows = np.zeros((len(tokens), size))
    rows[np.arange(len(tokens)), tokens] = 1.0
    return rows


def _name(model: Given) -> str:
    """As it was loaded; of a folder its last part."""
    name = str(model.name_or_path or type(model).__name__)
    return Path(name).name if Path(name).is_dir() else name


def _draft(generator: Given, model: Given, kind: str) -> str:
    """What drafts, for people."""
    assistant = getattr(generator, "assistant_model", None)
    if assistant is model:
        return f"its first {generator.assistant_early_exit} layers"
    return _name(assistant) if assistant is not None else re.sub("(?<=[a-z])(?=[A-Z])", " ", kind)
