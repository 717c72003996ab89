"""Traces made by the real algorithm over made-up laws: small, exact, and free of any model."""

import dataclasses
import math
import random
from collections.abc import Iterator, Sequence

import made_up_draws as draws
from made_up_pairs import MadeUpOffers
from made_up_times import MACHINE, made_up_race

from specviz import accept
from specviz.config.costs import Costs
from specviz.config.settings import Budget, ConfigError, DraftEntry, LawKind, Limits, Param, RuleEntry, RunConfig, Shape
from specviz.lab.measured import Measurement as Sample
from specviz.lab.measured import Roofline
from specviz.proof.findings import EXACT_PROMPTS, Equality, Exactness, Finding, Question
from specviz.proof.slot import SlotDistributions
from specviz.trace.guess import Bar, Emission, Extra, Rest, Source, TokenVerdict, Verdict, View
from specviz.trace.info import DraftCache, Forward, RunInfo, Traits
from specviz.trace.metrics import summarize
from specviz.trace.round import CacheSpan, Calls, Drafting, Round, Timing
from specviz.trace.run import Race, Stop, Trace

WORDS = tuple(f" {one}{two}" for one in ("cat", "dog", "hen", "ox") for two in ("", "s", "ling", "'s", "-like"))
HOSTILE = ("<img src=x onerror=alert(1)>", "${alert(1)}", "{{value}}", "\u202egnp", "\u200b", "\x1b[31m", " ", "\n",
           "`\\`", "</script><script>alert(1)</script>", "a\u0301\ufffd", "\U0001f600",
           "w" * 500, *WORDS[:5])  # fmt: skip
K = Param("k", 0.0, 10.0, 0.5, "added to every count; 1 is Laplace, 0 the value fitted on held-out text")
ENTRIES = (
    DraftEntry("bigram", "pairs counted", "made up", (K,), family="counts"),
    DraftEntry("ngram", "longer contexts counted", "made up", family="counts"),
    DraftEntry("small-model", "a small model", "made up", family="models"),
)
COSTS = Costs(0.2, 0.1, (1, 5, 9, 21), (2.0, 2.2, 3.0, 6.0))
EAGER = Forward("eager", "", None, 1)


def traits(config: RunConfig) -> Traits:
    rule = accept.entry(config.rule)
    return Traits(rule.rolls, rule.plain_text or not config.temperature, rule.lossless, LawKind.ROW, Shape.CHAIN)


class MadeUpRun:
    """A run over a made-up vocabulary; iterating decodes it. laws: p and q per slot of its newest round."""

    def __init__(self, config: RunConfig, words: Sequence[str] = WORDS) -> None:
        self.info = RunInfo(
            config, config.rule, traits(config), "fixed", "made-up target", config.drafter,
            EAGER, (DraftCache(config.drafter, 512, EAGER),) if config.drafter == "small-model" else (), len(words),
            1024, (), 4096,
            "cpu", "float64", {}, "2026-01-01T00:00:00+00:00",
        )  # fmt: skip
        self.prompt = (0, 1)
        self.prompt_texts = (words[0], words[1])
        self.prefill = 1.0
        self._words = words
        self._random = random.Random(config.seed)
        self._rounds: list[Round] = []
        self.laws: list[tuple[list[float], list[float] | None]] = []

    def __iter__(self) -> Iterator[Round]:
        config = self.info.config
        length, held = len(self.prompt), len(self.prompt) - 1
        while self._made() < config.max_new_tokens:
            gamma = min(config.gamma, config.max_new_tokens - self._made() - 1)
            step = self._round(len(self._rounds), length, held, gamma)
            self._rounds.append(step)
            length += len(step.tokens)
            held = step.draft_caches[0].kept if step.draft_caches else 0
            yield step

    def trace(self) -> Trace:
        stop = Stop.LENGTH if self._made() == self.info.config.max_new_tokens else Stop.STOPPED
        text = "".join(self._words[token] for step in self._rounds for token in step.tokens)
        return Trace(self.info, self.prompt, self.prompt_texts, self.prefill, tuple(self._rounds), stop, text)

    def _made(self) -> int:
        return sum(len(step.tokens) for step in self._rounds)

    def _round(self, index: int, length: int, held: int, gamma: int) -> Round:
        verdicts: list[TokenVerdict] = []
        path: list[int] = []
        extra, alive, greedy = None, True, self.info.config.temperature == 0
        coupled = self.info.config.rule == "coupled"
        self.laws = []
        for node in range(gamma):
            p, other = self._law(), self._law()
            q = other if greedy else [0.6 * a + 0.4 * b for a, b in zip(p, other, strict=True)]
            self.laws.append((p, q))
            u: float | None = self._random.random()
            dart: float | None = self._random.random()
            if coupled:
                u, dart = None, None
                noise = self._noise()
                token, own = draws.pick(q, noise), draws.pick(p, noise)
                accept, stands = draws.agree(p, q, token), token == own
            else:
                token = draws.drawn(q, u)
                accept = min(1.0, p[token] / q[token])
                stands = dart < accept
            verdict = Verdict.UNTESTED if not alive else Verdict.ACCEPTED if stands else Verdict.REJECTED
            must = [token]
            if verdict is Verdict.ACCEPTED:
                path.append(node)
            if verdict is Verdict.REJECTED:
                alive = False
                extra = self._picked(p, q, token, own, node) if coupled else self._resampled(p, q, token, node)
                must.append(extra.token)
            tested = verdict is not Verdict.UNTESTED
            verdicts.append(
                TokenVerdict(
                    node, node - 1, node, token, self._words[token], verdict, LawKind.ROW, p[token], q[token], u,
                    *draws.place(q, token), accept if tested else None, dart if tested else None, None, None, 1.0, 1.0,
                    Source(self.info.config.drafter, words="made up"), self._view(p, q, must),
                )
            )  # fmt: skip
        if extra is None:
            p = self._law()
            self.laws.append((p, None))
            u = None if coupled else self._random.random()
            token = draws.pick(p, self._noise()) if coupled else draws.drawn(p, u)
            view = self._view(p, [0.0] * len(p), [token])
            extra = Extra(
                token, self._words[token], Emission.BONUS, p[token], u, *draws.place(p, token), view, False, None
            )
        n, span = len(path), None
        if self.info.config.drafter == "small-model":
            written = length + gamma - 1 if gamma else held
            span = CacheSpan(held, written, min(length + n, written))
        return Round(
            index, length, Budget.chain(gamma, "fixed"), tuple(verdicts), tuple(path), extra,
            Timing((Drafting(1, 1.0),) * gamma, 2.0, 0.1, 0.1, 0.1),
            CacheSpan(length - 1, length + gamma, length + n),
            (span,) if span else (),
            Calls(1, gamma if span else 0), (), None,
        )  # fmt: skip

    def _law(self) -> list[float]:
        if self.info.config.temperature == 0:
            best = self._random.randrange(2)
            return [float(token == best) for token in range(len(self._words))]
        weights = [self._random.random() ** 5 for _ in self._words]
        return [weight / sum(weights) for weight in weights]

    def _resampled(self, p: list[float], q: list[float], drafted: int, node: int) -> Extra:
        over = [max(0.0, a - b) for a, b in zip(p, q, strict=True)]
        u = self._random.random()
        law = [each / sum(over) for each in over]
        token = draws.drawn(law, u)
        view = self._view(p, q, [drafted, token])
        return Extra(
            token, self._words[token], Emission.RESAMPLED, p[token], u, *draws.place(law, token), view, False, node
        )

    def _noise(self) -> list[float]:
        return [-math.log(-math.log(self._random.random())) for _ in self._words]

    def _picked(self, p: list[float], q: list[float], drafted: int, token: int, node: int) -> Extra:
        view = self._view(p, q, [drafted, token])
        return Extra(
            token, self._words[token], Emission.RESAMPLED, p[token], None, *draws.place(p, token), view, False, node
        )

    def _view(self, p: list[float], q: list[float], must: list[int]) -> View:
        over = [max(0.0, a - b) for a, b in zip(p, q, strict=True)]
        shown = set(must)
        for law in (p, q, over):
            shown |= set(sorted(range(len(law)), key=lambda token: -law[token])[:5])
        bars = [Bar(token, self._words[token], p[token], q[token], over[token]) for token in sorted(shown)]
        rest = [token for token in range(len(p)) if token not in shown]
        shared = [min(a, b) for a, b in zip(p, q, strict=True)]
        sums = [sum(law[token] for token in rest) for law in (p, q, shared, over)]
        return View(tuple(sorted(bars, key=lambda bar: -max(bar.p, bar.q))), Rest(len(rest), *sums), sum(shared))


class MadeUpBackend(MadeUpOffers):
    """An engine whose pair is made up. It counts the runs it was asked to start, and the laws to find."""

    limits = Limits()

    def __init__(self) -> None:
        self.started = 0
        self.asked = 0

    def rules(self) -> tuple[RuleEntry, ...]:
        return accept.ENTRIES[:1]

    def catalog(self) -> tuple[DraftEntry, ...]:
        return ENTRIES

    def start(self, config: RunConfig) -> MadeUpRun:
        if "too long" in config.prompt:
            raise ConfigError("the prompt has 2,000 tokens; wanted 1 to 1,023")
        self.started += 1
        return MadeUpRun(config)

    def distributions(self, config: RunConfig, index: int, slot: int, expected: Sequence[Round]) -> SlotDistributions:
        """Of a run over either vocabulary. A row after a refusal was never made up and is level."""
        self.asked += 1
        for words in (WORDS, HOSTILE):
            run = MadeUpRun(config, words)
            for step, known in zip(run, expected, strict=False):
                if step != known:
                    break
                if step.index == index:
                    level = [1 / len(words)] * len(words)
                    p, q = run.laws[slot] if slot < len(run.laws) else (level, None)
                    if config.temperature == 1:
                        return SlotDistributions(p, q, words)
                    return SlotDistributions(
                        p, q, words, draws.raw(p, config.temperature), q and draws.raw(q, config.temperature)
                    )
        raise ConfigError(
            "this machine decodes the run differently from round 1 on,"
            " so its full distributions are not those of the recording"
        )

    def prove(self, question: Question) -> Iterator[int | Finding]:
        """Ten reports, then shares that lie near p, or, under a bug, near a level law."""
        if question.bug and question.config.drafter == "ngram":
            raise ConfigError("the bugs are planted in another rule")
        for tenth in range(1, 11):
            yield question.n * tenth // 10
        words = HOSTILE if question.config.seed == 2 else WORDS
        draw = random.Random(len(question.text))
        weights = [draw.random() ** 5 for _ in words]
        law = [weight / sum(weights) for weight in weights]
        level = 1.0 if question.bug else 0.01
        shares = [level / len(law) + (1 - level) * share for share in law]
        top = draws.order(law)[:12]
        cells = [draws.cell(token, words[token], law[token], shares[token], question.n) for token in top]
        left, came = 1 - sum(law[token] for token in top), 1 - sum(shares[token] for token in top)
        cells.append(draws.cell(None, "", left, came, question.n))
        tvd = sum(abs(a - b) for a, b in zip(law, shares, strict=True)) / 2
        chi2 = question.n * sum((a - b) ** 2 / a for a, b in zip(law, shares, strict=True))
        given = "" if question.token == "first" else words[top[0]]
        yield Finding(
            question, tuple(cells), given, 2 * question.n, 0.63, 0.64, tvd, 0.02, 0.03, chi2, 13,
            0.0 if question.bug else 0.41, 0,
        )  # fmt: skip

    def race(self, config: RunConfig, expected: Sequence[Round]) -> Iterator[Race | None]:
        """The recorded times again; seed 5 went differently here."""
        if config.seed == 5:
            raise ConfigError("this machine decodes the run differently, so it cannot be timed as it was recorded")
        yield None
        yield made_up_race(expected, WORDS)

    def sweep(self, configs: Sequence[RunConfig]) -> Iterator[Sample]:
        """The made-up run of each, at its recorded times; plain decoding takes 2 ms a token."""
        for config in configs:
            rounds = tuple(MadeUpRun(config))
            counted, timings = summarize(rounds), [step.timing for step in rounds]
            yield Sample(
                config, tuple(token for step in rounds for token in step.tokens), counted.gammas, counted.tested,
                counted.accepted, sum(step.target_cache.written - step.target_cache.kept for step in rounds),
                sum(each.drafting for each in timings), sum(each.verify for each in timings),
                sum(each.accept + each.trim + each.overhead for each in timings), 2.0 * counted.emitted, 1_000_000,
            )  # fmt: skip

    def exact(self, config: RunConfig) -> Iterator[int | Exactness]:
        """Of n-gram one text is a tie."""
        yield from range(1, EXACT_PROMPTS + 1)
        ties = int(config.drafter == "ngram")
        yield Exactness(EXACT_PROMPTS, EXACT_PROMPTS - ties, ties, 6_000, 61.0, 66, 0.65)

    def costs(self, config: RunConfig) -> Costs:
        return COSTS

    def machine(self, config: RunConfig) -> Iterator[Roofline]:
        """Its numbers one after the other, as if they were measured."""
        for done in range(1, MACHINE.of + 1):
            widths, batches = (len(MACHINE.widths), done - 2) if done > 1 else (0, 0)
            yield dataclasses.replace(
                MACHINE, widths=MACHINE.widths[:widths], passes=MACHINE.passes[:widths],
                batches=MACHINE.batches[:batches], done=done,
            )  # fmt: skip

    def equal(self, config: RunConfig) -> Equality:
        """Equal at an even seed; at seed 1 a numerical tie, at any other odd one a bug."""
        trace = MadeUpRun(config)
        texts = tuple(WORDS[token] for step in trace for token in step.tokens)
        if config.seed % 2 == 0:
            return Equality(texts, texts, None, (), 1e-5)
        other = (*texts[:12], " hen", *texts[13:])
        gap = 2e-5 if config.seed == 1 else 0.25
        return Equality(texts, other, 12, ((4.0, 4.0 - gap), (4.0 - gap, 4.0)), 1e-5)


def made_up_trace(words: Sequence[str] = WORDS, **choices: object) -> Trace:
    """A finished trace; choices are RunConfig fields."""
    config = dataclasses.replace(RunConfig(prompt="made up", max_new_tokens=24), **choices)  # type: ignore[arg-type]
    run = MadeUpRun(config, words)
    for _ in run:
        pass
    trace = run.trace()
    return dataclasses.replace(trace, race=made_up_race(trace.rounds, words))
