"""Turns a RunConfig into a run: checks it, loads the pair, builds the plug-ins."""

import dataclasses
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import specviz
from specviz import accept, draft, gamma, loop
from specviz.accept.base import AcceptRule
from specviz.config.costs import Costs
from specviz.config.settings import (
    HOME,
    ConfigError,
    Limits,
    RunConfig,
    Shape,
    check,
    check_together,
    check_tokens,
    milliseconds,
    resolve_params,
)
from specviz.draft.base import Drafter, HeadsDrafter, Resources
from specviz.gamma.base import State
from specviz.lab import stopwatch
from specviz.models import pair as pairs
from specviz.models.counts import for_tokenizer
from specviz.models.grammar import Grammar
from specviz.models.hub import generation
from specviz.models.pair import Pair
from specviz.record.record import SHOWN
from specviz.sampling.distribution import Sampling, UnsoundLogitsError
from specviz.sampling.processors import Processors
from specviz.sampling.stops import Stops
from specviz.trace.info import DraftCache, RunInfo, Traits
from specviz.trace.round import Round
from specviz.trace.run import Stop, Trace


class BrokenOffError(ConfigError):
    """A run that a model's logits or its grammar ended. trace: what was recorded before."""

    def __init__(self, error: str, trace: Trace) -> None:
        super().__init__(error)
        self.trace = trace


class Run:
    """One run with its prompt already read. Iterating decodes it round by round, once.

    `trace` gives what was recorded so far, however the iteration ends. With shown=False the run is only timed: its
    rounds hold tokens and times, but no texts, views or entropies. No round begins after `limits.seconds`.
    """

    def __init__(
        self,
        config: RunConfig,
        pair: Pair,
        rule: AcceptRule | None = None,
        limits: Limits = HOME,
        *,
        shown: bool = True,
    ) -> None:
        tokenizer, target = pair.tokenizer, pair.target
        self.prompt = prompt_of(config, pair, limits)
        turns = [*config.earlier, config.prompt]
        template, control = tokenizer.marks(turns, self.prompt, chat=config.chat) if shown else ((), ())
        if gamma.wants_costs(config.gamma_rule) and config.costs is None and draft.entry(config.drafter).sized:
            config = dataclasses.replace(config, costs=costs(config, pair))
        rule = (rule or accept.load(config.rule, config.rule_params)).reading(tokenizer)
        # Only the generator refers to the parts, so the caches are freed when it ends.
        parts = _parts(config, pair, rule, len(self.prompt), shown=shown)
        self._clock, self._limit, self._ends = parts.clock, parts.limit, parts.ends
        self._tokenizer = tokenizer
        self._recorded: list[Round] = []
        self.piece = tokenizer.piece
        self.prompt_texts = tuple(self.piece(token) for token in self.prompt)
        self.info = RunInfo(
            config=config,
            rule=rule.name,
            traits=traits(config, rule, parts.drafter),
            controller=parts.controller.name,
            target=target.label,
            draft=pair.draft.label if pair.draft and draft.entry(config.drafter).modelled else config.drafter,
            target_forward=target.way,
            draft_caches=tuple(
                DraftCache(own.name, own.slot_bytes, own.way, own.own_tokens, own.cache.state_bytes)
                for own in parts.drafter.caches
            ),
            vocab_size=target.vocab_size,
            context=target.context,
            eos=tuple(sorted(pair.ends)),
            target_slot_bytes=target.slot_bytes,
            device=pair.device,
            dtype=pair.dtype,
            versions=versions(),
            recorded=datetime.now(UTC).isoformat(timespec="seconds"),
            shown=SHOWN,
            heads=parts.drafter.heads if isinstance(parts.drafter, HeadsDrafter) else None,
            threshold=rule.threshold,
            ensemble=rule.ensemble,
            relaxation=rule.relaxation,
            template=template,
            control=control,
            generation=generation.holds(config, pair.generation).recorded,
            stop_strings=parts.stops.strings,
        )
        start = self._clock()
        self._due = start + limits.seconds
        self._late = self._broke = False
        cache = loop.prefill(parts, self.prompt)
        self.info = dataclasses.replace(self.info, target_state_bytes=cache.state_bytes)
        self.prefill = milliseconds(self._clock() - start)
        self._rounds = loop.rounds(parts, self.prompt, cache)

    def __iter__(self) -> Iterator[Round]:
        try:
            for step in self._rounds:
                self._recorded.append(step)
                yield step
                self._late = self._clock() >= self._due
                if self._late:
                    break
        except (UnsoundLogitsError, ConfigError) as error:  # logits, or a grammar that takes too long to follow
            self._broke = True
            raise BrokenOffError(str(error), self.trace()) from error

    def stream(self) -> Iterator[Trace | Round]:
        """Its trace before any round, each round, its trace."""
        yield self.trace()
        yield from self
        yield self.trace()

    def trace(self) -> Trace:
        """Everything recorded so far. Its stop is `stopped` or `deadline` while there is more to decode."""
        tokens = [token for step in self._recorded for token in step.tokens]
        length = len(self.prompt) + len(tokens)
        if self._broke:
            stop = Stop.FAILED
        elif tokens and tokens[-1] in self._ends:
            stop = Stop.EOS
        elif tokens and self._recorded[-1].stop_string:
            stop = Stop.STRING
        elif length < self._limit:
            stop = Stop.DEADLINE if self._late else Stop.STOPPED
        else:
            stop = Stop.LENGTH if len(tokens) == self.info.config.max_new_tokens else Stop.CONTEXT
        return Trace(
            info=self.info,
            prompt=self.prompt,
            prompt_texts=self.prompt_texts,
            prefill=self.prefill,
            rounds=tuple(self._recorded),
            stop=stop,
            text=self._tokenizer.decode(tokens),
        )


@cache
def versions() -> Mapping[str, str]:
    """The build that runs here. Looked up once, because that reads files."""
    libraries = {name: version(name) for name in ("numpy", "numba", "torch", "transformers") if find_spec(name)}
    return {"specviz": specviz.__version__, "python": platform.python_version(), **libraries}


def traits(config: RunConfig, rule: AcceptRule, drafter: Drafter) -> Traits:
    """The traits of a run with that config."""
    judged, drafted = accept.entry(rule.name), draft.entry(config.drafter)
    plain_text = judged.plain_text or (config.temperature == 0 and rule.ensemble is None)
    return Traits(
        rolls=judged.rolls,
        plain_text=plain_text,
        lossless=judged.lossless or plain_text or (not judged.cold and rule.ensemble is None),
        law=drafted.law,
        shape=Shape.CHAIN if drafter.nodes is None else Shape.TREE,
    )


def costs(config: RunConfig, pair: Pair | None = None, behind: int = 0) -> Costs:
    """Measures what the parts of a round cost here with the config's pair, drafter and prompt.

    Args:
        behind: the tokens that the prompt is repeated for; 0: it stays as it is.

    Raises:
        ConfigError: the config cannot be run.
    """
    check(config)
    check_together(draft.entry(config.drafter), accept.entry(config.rule), config)
    pair = pair or pairs.load(config.pair, config.device, config.dtype)
    roomy = dataclasses.replace(config, gamma_rule="fixed", gamma_params={}, max_new_tokens=stopwatch.TOKENS)
    prompt, rule = prompt_of(config, pair), accept.load(config.rule, config.rule_params).reading(pair.tokenizer)
    prompt = (prompt * (1 + behind // len(prompt)))[:behind] or prompt
    return stopwatch.costs(_parts(roomy, pair, rule, len(prompt), shown=False), prompt)


def usual(config: RunConfig, alpha: float) -> State:
    """The draft length to begin with on this machine: what the rule `throughput` takes before its first round, from the
    costs measured now. 0: plain decoding is faster.

    Args:
        alpha: the acceptance that was recorded with the config's pair and drafter.

    Raises:
        ConfigError: as `costs`.
    """
    return gamma.load("throughput", config.gamma, {"prior": alpha}, costs(config)).first()


def prompt_of(config: RunConfig, pair: Pair, limits: Limits = HOME) -> tuple[int, ...]:
    """The config's prompt as the target's tokens, chat template and earlier turns included.

    Raises:
        ConfigError: it has too many tokens, none, or one that the target does not know.
    """
    tokenizer = pair.tokenizer
    if config.earlier:
        prompt = tuple(tokenizer.conversation([*config.earlier, config.prompt], chat=config.chat))
    else:
        prompt = tuple(tokenizer.prompt(config.prompt, chat=config.chat))
    if (why := pair.target.way.refused("long")) and len(prompt) + config.max_new_tokens > pair.target.context:
        most = max(0, pair.target.context - len(prompt))
        raise ConfigError("too_far", context=pair.target.context, tokens=len(prompt), reason=why, most=most)
    check_tokens(len(prompt), pair.target.context, limits, 1 + len(config.earlier))
    if (last := max(prompt)) >= pair.target.vocab_size:
        text, size = repr(tokenizer.piece(last)), f"{pair.target.vocab_size:,}"
        raise ConfigError("unknown_token", name="prompt", token=f"{last:,}", text=text, pair=pair.name, size=size)
    return prompt


def _parts(config: RunConfig, pair: Pair, rule: AcceptRule, prompt: int, *, shown: bool) -> loop.Parts:
    """prompt: its length in tokens."""
    sampling = sampling_of(config, pair, prompt)
    limit = min(prompt + config.max_new_tokens, pair.target.context)
    made = drafter(config, pair, sampling, limit)
    if made.nodes is not None or made.needs.scouts:
        ways = {"target": pair.target.way} | {own.name: own.way for own in made.caches}
        for who, way in ways.items():
            if why := way.refused("branch"):
                raise ConfigError("no_trees", who=who, reason=why)
    return loop.Parts(
        target=pair.target,
        drafter=made,
        rule=rule,
        controller=gamma.load(config.gamma_rule, config.gamma, config.gamma_params, config.costs)
        if draft.entry(config.drafter).sized
        else gamma.NoLength(made.nodes or 0),
        sampling=sampling,
        chance=rule.chance(config.seed),
        limit=limit,
        ends=pair.ends,
        piece=pair.tokenizer.piece if shown else None,
        stops=stops_of(config, pair),
    )


def stops_of(config: RunConfig, pair: Pair) -> Stops:
    """The strings that end the config's text, its own or those that the model's generation_config.json asks for."""
    return Stops(tuple(generation.holds(config, pair.generation).config.stop_strings), pair.tokenizer.decode)


def sampling_of(config: RunConfig, pair: Pair, prompt: int) -> Sampling:
    """How the config's run samples after a prompt of that many tokens.

    Raises:
        ConfigError: the run is to obey the model's generation_config.json, which is broken.
    """
    config, asked, _ = generation.holds(config, pair.generation)
    processors = Processors(
        biases=asked.get("sequence_bias", ()),
        repetition=config.repetition_penalty,
        frequency=config.frequency_penalty,
        presence=config.presence_penalty,
        no_repeat=config.no_repeat_ngram_size,
        banned=(*asked.get("bad_words_ids", ()), *_banned(config.bad_words, pair)),
        min_length=asked.get("min_length", 0),
        min_new=config.min_new_tokens,
        suppressed=asked.get("suppress_tokens", ()),
        suppressed_first=asked.get("begin_suppress_tokens", ()),
        mask=Grammar(config.grammar, pair.tokenizer, pair.target.vocab_size, pair.ends) if config.grammar else None,
    )
    where = dataclasses.replace(processors, ends=tuple(sorted(pair.ends)), prompt=prompt)
    return Sampling(
        temperature=config.temperature,
        top_k=config.top_k,
        top_p=config.top_p,
        min_p=config.min_p,
        typical_p=config.typical_p,
        processors=None if processors == Processors() else where,
    )


def _banned(words: Sequence[str], pair: Pair) -> tuple[tuple[int, ...], ...]:
    """The tokens of words, and those with a space before. An end token alone is never banned, as in transformers."""
    spelled = {tuple(pair.tokenizer.encode(space + word)) for word in words for space in ("", " ")}
    return tuple(sorted(each for each in spelled if each and each not in {(end,) for end in pair.ends}))


def drafter(config: RunConfig, pair: Pair, sampling: Sampling, capacity: int) -> Drafter:
    """The config's drafter for a text of at most `capacity` tokens. Its q is that after `sampling`."""
    spec = draft.load(config.drafter)
    size = pair.target.vocab_size
    counts = partial(for_tokenizer.table, pair.tokenizer, size, Path(config.counts)) if config.counts else pair.table
    resources = Resources(
        sampling=sampling,
        vocab_size=size,
        capacity=capacity,
        draft=pair.draft,
        counts=counts,
        shared=pair.shared,
        translation=pair.translation,
        target=pair.target,
        make_drafter=lambda name: drafter(
            dataclasses.replace(config, drafter=name, params={}), pair, sampling, capacity
        ),
        asset=pair.asset,
        model=pair.model,
        head=pair.head,
        decode=pair.tokenizer.decode,
    )
    return spec.build(resources, resolve_params(spec.entry, config.params))


def start(
    config: RunConfig,
    pair: Pair | None = None,
    rule: AcceptRule | None = None,
    limits: Limits = HOME,
    *,
    shown: bool = True,
) -> Run:
    """Checks the config, loads the pair and the rule unless they are given, and reads the prompt. See Run for `shown`.

    Raises:
        ConfigError: the config cannot be run. Nothing was started.
    """
    check(config, limits)
    check_together(draft.load(config.drafter).entry, accept.entry(config.rule), config)
    accept.load(config.rule, config.rule_params)
    return Run(config, pair or pairs.load(config.pair, config.device, config.dtype), rule, limits, shown=shown)
