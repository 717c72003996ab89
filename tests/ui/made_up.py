"""The engine over a small vocabulary of words, free of any model file, and what else a page asks a backend."""

import dataclasses
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from specviz import accept, draft
from specviz.config.costs import Costs
from specviz.config.pairs import Loading, Offer
from specviz.config.settings import ConfigError, DraftEntry, Limits, RuleEntry, RunConfig
from specviz.config.words import because, sentence
from specviz.lab.measured import Advice, Batch, Choice, Roofline
from specviz.lab.measured import Measurement as Sample
from specviz.models.counts.table import CountTable
from specviz.models.hub.generation import Asked
from specviz.models.pair import Pair
from specviz.proof.findings import (
    EXACT_PROMPTS,
    Checked,
    Difference,
    Drawn,
    Equality,
    Exactness,
    Finding,
    Given,
    Question,
    TokenShare,
    Verdict,
    bug_of,
)
from specviz.session import Run
from specviz.trace.metrics import summarize
from specviz.trace.round import Drafting, Round, Timing
from specviz.trace.run import Race, Trace
from tests.tiny import TableModel

IMAGE = "<img src=x onerror=alert(1)>"
OFFERS = (
    Offer("embedded", "embedded", "11 MB, Apache-2.0, any machine", "", True,
          first={"drafter": "small-model", "gamma": 0},
          why={"code": "reasons.plain_pays", "alpha": "0.50", "speedup": "0.87"}),
    Offer("stories", "stories 15M → 110M", "500 MB, MIT, any machine", "", ready=False),
    Offer("endless", "endless 1B → 8B", "16 GB, Apache-2.0, one GPU", "", ready=False),
    Offer("broken", "broken 70M → 410M", "960 MB, Apache-2.0, any machine", "", ready=False),
    Offer("crashing", "crashing 70M → 410M", "960 MB, Apache-2.0, any machine", "", ready=False),
    Offer(
        "huge", "huge 1B → 70B", "140 GB, its own licence, two GPUs",
        "needs 18 GB, this machine has 7.4 GB free", ready=False,
    ),
    Offer("chatty", "chatty 135M → 1.7B", "3.7 GB, Apache-2.0, any machine; answers", "", ready=True, chat=True,
          prompt="Why is <b>the sky</b> blue?", first={"drafter": "ngram", "gamma": 2, "temperature": 0.3}),
    Offer("hostile", f"{IMAGE}\u202egnp" + "w" * 500, "</script><script>alert(1)</script>", "", ready=False),
)  # fmt: skip
STEPS = 10
SIZE = 500_000_000


class MadeUpOffers:
    """The half of an engine that knows pairs."""

    loaded = ""

    def offers(self) -> tuple[Offer, ...]:
        """Always the same but for the one that was loaded last. Each has a draft."""
        return tuple(
            offer._replace(ready=offer.ready or offer.name == self.loaded, assets=("draft",)) for offer in OFFERS
        )

    def ready(self, name: str) -> Iterator[Loading]:
        """Ten steps; the endless pair and the hostile one, whose size is unknown, are stuck half-way.

        The pair before is gone at once, so that what was loaded in one test is to be loaded again in the next.
        """
        self.loaded = ""
        for step in itertools.count(1):
            if name == "broken" and step > STEPS // 2:
                raise ConfigError("the disk is full")
            if name == "crashing" and step > STEPS // 2:
                raise RuntimeError("the made-up engine broke")
            stuck = name in ("endless", "hostile")
            if step > STEPS and not stuck:
                self.loaded = name
                return
            what = IMAGE if name == "hostile" else "downloading" if step < STEPS else "placing in memory"
            at = STEPS // 2 if stuck else step
            yield Loading(what, at * SIZE // STEPS, 0 if name == "hostile" else SIZE, at / 4)


MACHINE = Roofline(
    "a made-up machine", "cpu", "float32", 1, 32 << 20, 40_000_000, 20_000_000, 20e9, 25e9, 50e9, 128,
    (1, 2, 4, 8, 16, 32),
    ((2.0, 2.0, 2.4), (2.0, 2.1, 2.2), (2.0, 2.0, 2.2), (2.1, 2.2, 2.3), (3.9, 4.0, 4.1), (7.6, 7.8, 8.0)),
    4, tuple(Batch(rows, (2.0 + rows,), (2.0 + 3 * rows,), (0.2 + 0.1 * rows,)) for rows in (1, 2, 4, 8, 16, 32)), 8, 8,
)  # fmt: skip

TIMES = (2.0, 0.1, 0.1, 0.1)
"""Milliseconds of a round: its pass, accepting, trimming and the rest."""


def made_up_race(rounds: Sequence[Round], words: Sequence[str]) -> Race:
    """Two lanes on one clock: the run's own times, and a plain pass of 2 ms for each of its tokens."""
    timings = tuple(step.timing for step in rounds)
    total = sum(each.whole for each in timings)
    tokens = tuple(index % len(words) for index in range(sum(len(step.tokens) for step in rounds)))
    passes = (2.0,) * len(tokens)
    plain = sum(passes)
    return Race(
        timings, passes, tokens, tuple(words[token] for token in tokens),
        (total, total * 1.05, total * 0.95), (plain * 1.1, plain, plain * 0.9),
    )  # fmt: skip


WORDS = tuple(f" {one}{two}" for one in ("cat", "dog", "hen", "ox") for two in ("", "s", "ling", "'s", "-like"))
HOSTILE = ("<img src=x onerror=alert(1)>", "${alert(1)}", "{{value}}", "\u202egnp", "\u200b", "\x1b[31m", " ", "\n",
           "`\\`", "</script><script>alert(1)</script>", "a\u0301\ufffd", "\U0001f600",
           "w" * 500, *WORDS[:5])  # fmt: skip
ENTRIES = tuple(entry for entry in draft.ENTRIES if entry.name in ("bigram", "ngram", "small-model"))
COSTS = Costs(0.2, 0.1, (1, 5, 9, 21), (2.0, 2.2, 3.0, 6.0))


class WordTokenizer:
    """Whatever the prompt, it is the first two words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words

    def prompt(self, text: str, *, chat: bool) -> list[int]:
        return [0, 1]

    def marks(self, turns: Sequence[str], ids: Sequence[int], *, chat: bool) -> Any:
        return (), ()

    def piece(self, token: int) -> str:
        return self.words[token]

    def decode(self, tokens: Sequence[int]) -> str:
        return "".join(map(self.piece, tokens))


class ChatTokenizer(WordTokenizer):
    """Every turn is the first two words, after three tokens of the chat template and before one; the first turn's
    second is a control token."""

    def prompt(self, text: str, *, chat: bool) -> list[int]:
        return self.conversation([text], chat=chat)

    def conversation(self, turns: Sequence[str], *, chat: bool) -> list[int]:
        return [2, 3, 4, *([0, 1, 5] * len(turns))] if chat else [0, 1] * len(turns)

    def marks(self, turns: Sequence[str], ids: Sequence[int], *, chat: bool) -> Any:
        return (((0, 3), *((5 + 3 * turn, 6 + 3 * turn) for turn in range(len(turns)))), (4,)) if chat else ((), ())


class MadeUpModel(TableModel):
    def __init__(self, label: str, vocab_size: int, seed: int) -> None:
        super().__init__(vocab_size, seed, context=1024)
        self.label = label

    def law(self, text: Sequence[int]) -> Any:
        """The draft's law and the target's have most in common."""
        shared = TableModel(self.vocab_size, -1).law(text)
        return 0.6 * shared + 0.8 * super().law(text)


ASKED = Asked({"repetition_penalty": 9.0}, {"temperature": 0.6}, {"guidance_scale": 1.5, "new": IMAGE})


class MadeUpPair(Pair):
    def table(self) -> CountTable:
        text = np.random.Generator(np.random.Philox(key=1)).integers(0, self.target.vocab_size, 2_000)
        return CountTable.fit([text], self.target.vocab_size)


@cache
def pair(words: Sequence[str], seed: int = 1, name: str = "") -> Pair:
    """seed: that of the target, of which there is more than one. The one that tells stories has a file that asks."""
    target: Any = MadeUpModel("made-up target", len(words), seed)
    small: Any = MadeUpModel("small-model", len(words), 0)
    tokenizer: Any = (ChatTokenizer if name == "chatty" else WordTokenizer)(words)
    asked = ASKED if name == "stories" else Asked()
    return MadeUpPair("made up", target, small, tokenizer, frozenset(), None, "cpu", "float64", generation=asked)


class MadeUpRun(Run):
    """A run over made-up words, at made-up times."""

    def __init__(self, config: RunConfig, words: Sequence[str] = WORDS, seed: int = 1) -> None:
        super().__init__(dataclasses.replace(config, costs=config.costs or COSTS), pair(words, seed, config.pair))
        self.prefill = 1.0
        self.info = dataclasses.replace(self.info, config=config, versions={}, recorded="2026-01-01T00:00:00+00:00")

    def __iter__(self) -> Iterator[Round]:
        for step in super().__iter__():
            self._recorded[-1] = dataclasses.replace(
                step, timing=Timing((Drafting(1, 1.0),) * len(step.verdicts), *TIMES)
            )
            yield self._recorded[-1]


class MadeUpBackend(MadeUpOffers):
    """An engine whose pair is made up. It counts the runs it was asked to start."""

    limits = Limits()

    def __init__(self) -> None:
        self.started = 0

    def rules(self) -> tuple[RuleEntry, ...]:
        return accept.ENTRIES[:1]

    def catalog(self) -> tuple[DraftEntry, ...]:
        return ENTRIES

    def start(self, config: RunConfig) -> Iterator[Trace | Round]:
        if "too long" in config.prompt:
            raise ConfigError("the prompt has 2,000 tokens; wanted 1 to 1,023")
        self.started += 1
        return MadeUpRun(config).stream()

    def prove(self, question: Question) -> Iterator[Drawn | Finding]:
        """Ten reports, then shares that lie near p, or, under a harmful bug, near a level law."""
        if question.bug and question.config.drafter == "ngram":
            raise ConfigError("the bugs are planted in another rule")
        words = HOSTILE if question.config.seed == 2 else WORDS
        draw = random.Random(len(question.text))
        weights = [draw.random() ** 5 for _ in words]
        law = [weight / sum(weights) for weight in weights]
        bug = bug_of(question)
        level = 1.0 if bug and not bug.harmless else 0.01
        shares = [level / len(law) + (1 - level) * share for share in law]
        top = sorted(range(len(law)), key=lambda token: -law[token])[:12]
        cells = [cell(token, words[token], law[token], shares[token], question.n) for token in top]
        left, came = 1 - sum(law[token] for token in top), 1 - sum(shares[token] for token in top)
        cells.append(cell(None, "", left, came, question.n))
        for tenth in range(1, 11):
            yield Drawn(question.n * tenth // 10, tuple(cells))
        tvd = sum(abs(a - b) for a, b in zip(law, shares, strict=True)) / 2
        chi2 = question.n * sum((a - b) ** 2 / a for a, b in zip(law, shares, strict=True))
        given = "" if question.token == "first" else words[top[0]]
        yield Finding(
            question, tuple(cells), given, 2 * question.n, 0.63, 0.64, tvd, 0.02, 0.03, chi2, 13,
            0.0 if bug and not bug.harmless else 0.41, 0,
        )  # fmt: skip

    def race(self, config: RunConfig, expected: Sequence[Round]) -> Iterator[Race | None]:
        """The recorded times again; seed 5 went differently here."""
        if config.seed == 5:
            raise ConfigError("race_differs")
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

    def advised(self, configs: Sequence[RunConfig]) -> Iterator[int | Advice]:
        """The small model pays; others do not, and alone they are advised against."""
        drafters = list(dict.fromkeys(config.drafter for config in configs))
        yield from range(1, len(configs) + len(drafters) + 1)
        choices = [
            Choice(
                name, 3, (2, 4), 1.42 if name == "small-model" else 0.82, 1.31 if name == "small-model" else 0.75,
                1.53 if name == "small-model" else 0.9, 2.1, 1.5, 0.6, 0.7, 0.5, 0.2, (1.1, 1.2, 1.3),
            )
            for name in drafters
        ]  # fmt: skip
        yield Advice("all", len(configs) // len(drafters), tuple(sorted(choices, key=lambda each: -each.speedup)))

    def exact(self, config: RunConfig) -> Iterator[int | Exactness]:
        """Of n-gram one text is a tie."""
        yield from range(1, EXACT_PROMPTS + 1)
        ties = int(config.drafter == "ngram")
        yield Exactness(EXACT_PROMPTS, EXACT_PROMPTS - ties, ties, 6_000, 61.0, 66, 0.65)

    def differ(self, config: RunConfig, given: Sequence[Given]) -> Difference:
        """A tie at the second of four tokens, and whatever was given; of tokens only those below 100."""
        for each in given:
            if not isinstance(each.text, str) and max(each.text) > 99:
                raise ConfigError(
                    "differ_vocabulary", file=each.name, token=max(each.text), pair=config.pair, size="100"
                )
        said = {"names": [each.name for each in given]}
        return Difference("tie", (sentence("common.differ.sampled", **said),), 1, (2.0, 0.1, math.inf, 0.5), 0.2)

    def model(self, config: RunConfig) -> Iterator[tuple[int, int] | Checked]:
        """A use tried, one refused, one method that is tied at an even seed and differs at any other."""
        yield Checked(sentence("common.model.chain"), Verdict.SAME, sentence("common.model.off", error="3e-07"))
        reason = because("tried.differs", error="0.5", most="0.0002")
        yield Checked(sentence("common.model.branch"), Verdict.REFUSED, reason)
        for done in range(1, 5):
            yield done, 4
        numbers = {"prompt": "<img src=x>", "at": 3, "gap": "2e-05", "size": "9.1"}
        verdict = Verdict.OTHER if config.seed % 2 else Verdict.TIE
        method = sentence("common.model.greedy", drafter=config.drafter, gamma=config.gamma)
        yield Checked(method, verdict, sentence("common.model.differs", **numbers))

    def costs(self, config: RunConfig, behind: int = 0) -> Costs:
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
            return Equality(texts, texts, None, (), 1e-5, 1e-3)
        other = (*texts[:12], " hen", *texts[13:])
        gap = 2e-5 if config.seed == 1 else 0.25
        return Equality(texts, other, 12, ((4.0, 4.0 - gap), (4.0 - gap, 4.0)), 1e-5, 1e-3)


def cell(token: int | None, text: str, p: float, share: float, n: int) -> TokenShare:
    reach = 1.96 * (p * (1 - p) / n) ** 0.5
    return TokenShare(token, text, p, share, max(0.0, p - reach), p + reach)


def made_up_trace(words: Sequence[str] = WORDS, **choices: object) -> Trace:
    """A finished trace; choices are RunConfig fields."""
    config = dataclasses.replace(RunConfig(prompt="made up", max_new_tokens=24), **choices)  # type: ignore[arg-type]
    run = MadeUpRun(config, words)
    for _ in run:
        pass
    trace = run.trace()
    return dataclasses.replace(trace, race=made_up_race(trace.rounds, words))
