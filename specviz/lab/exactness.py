"""Is a method exact? Its greedy texts beside plain decoding's, and the tokens it samples beside the distribution."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from specviz import session
from specviz.config.settings import HOME, ConfigError, Limits, RunConfig
from specviz.lab import baseline
from specviz.lab.study import prompts
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.proof import statistic
from specviz.proof.findings import EXACT_PROMPTS, Exactness, Finding, Question, SampledToken
from specviz.proof.sampled import prove

LENGTH = 32
CONTEXTS = 4
"""Texts after which tokens are sampled."""
SAMPLES = {SampledToken.FIRST: 1_000, SampledToken.SECOND: 500}
BATCHES = 24
"""A sample that takes more batches of rounds is left out: the token it must follow hardly ever comes."""
TEMPERATURE = 0.8
"""The samples' temperature, where the run's is 0."""


def texts(count: int = EXACT_PROMPTS) -> tuple[str, ...]:
    """How many of the standard prompts are used, from all tasks."""
    prompt_texts = [prompt.turns[0] for prompt in prompts.read(prompts.STANDARD)]
    return tuple(prompt_texts[place * len(prompt_texts) // count] for place in range(count))


def exactness(
    config: RunConfig,
    pair: Pair | None = None,
    wanted: Sequence[str] = (),
    limits: Limits = HOME,
    plain: dict[str, list[int]] | None = None,
) -> Iterator[int | Exactness]:
    """Yields the number of texts so far, again and again, and at last what was found.

    Args:
        wanted: prompts; none means `texts()`.
        plain: the texts of plain decoding by prompt. What it lacks is decoded and kept there.

    Raises:
        ConfigError: the config cannot be run.
    """
    pair = pair or pairs.load(config.pair, config.device, config.dtype)
    plain = {} if plain is None else plain
    wanted = wanted or texts()
    greedy = replace(config, temperature=0.0, max_new_tokens=LENGTH, costs=None)
    equal = ties = 0
    for done, prompt in enumerate(wanted, 1):
        prompted = replace(greedy, prompt=prompt, earlier=())
        run = session.start(prompted, pair, limits=limits, shown=False)
        written = [token for step in run for token in step.tokens]
        if prompt not in plain:
            plain[prompt] = _plain(prompted, pair, run.prompt)
        if written == plain[prompt]:
            equal += 1
        else:
            ties += baseline.equal(prompted, pair, limits).tie
        yield done
    drawn = replace(config, temperature=config.temperature or TEMPERATURE)
    findings: list[Finding] = []
    for finding in _sampled(drawn, pair, wanted, plain):
        findings += [finding] if finding else []
        yield len(wanted)
    chi2, freedom = sum(each.chi2 for each in findings), sum(each.bins - 1 for each in findings)
    impossible = any(each.impossible for each in findings)
    yield Exactness(
        prompts=len(wanted),
        equal=equal,
        ties=ties,
        samples=sum(each.question.n for each in findings),
        chi2=chi2,
        freedom=freedom,
        p_value=None if not findings else 0.0 if impossible else statistic.p_value(chi2, freedom),
    )


def _plain(config: RunConfig, pair: Pair, prompt: Sequence[int]) -> list[int]:
    """Plain decoding's text, which ends where a run's does."""
    tokens: list[int] = []
    stops = session.stops_of(config, pair)
    for token, _ in baseline.decode(config, pair, prompt, LENGTH):
        ended = token in pair.ends or stops.by([*prompt, *tokens], token)
        tokens.append(token)
        if ended:
            break
    return tokens


def _sampled(
    config: RunConfig, pair: Pair, wanted: Sequence[str], plain: dict[str, list[int]]
) -> Iterator[Finding | None]:
    """Samples after the first CONTEXTS texts where the drafter guesses; None where it does not, or none came."""
    contexts = 0
    for seed, prompt in enumerate(wanted):
        if contexts == CONTEXTS:
            return
        for token, n in SAMPLES.items():
            question = Question(replace(config, prompt=prompt, earlier=()), tuple(plain[prompt]), token, n, seed)
            try:
                finding = _finding(question, pair)
            except ConfigError:  # nothing is guessed there
                finding = None
            contexts += token is SampledToken.FIRST and finding is not None
            yield finding


def _finding(question: Question, pair: Pair) -> Finding | None:
    for batches, item in enumerate(prove(question, pair)):
        if isinstance(item, Finding):
            return item
        if batches == BATCHES:
            return None
    return None
