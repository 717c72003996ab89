"""What every drafter of the registry must do, whichever it is and however it is shaped, over the embedded pair."""

import dataclasses
import itertools
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from specviz import accept, draft, session
from specviz.check.run import problems
from specviz.config.settings import Budget, Choice, ConfigError, LawKind, RunConfig, Shape, resolve_params
from specviz.draft.base import Committed, Drafter, Resources, Sharer, begin
from specviz.models import pair as pairs
from specviz.models.pair import Pair
from specviz.sampling.chance import Seeded
from specviz.sampling.distribution import Sampling
from specviz.trace.round import Halt
from specviz.trace.run import Stop
from specviz.verify import NOTHING, verify

pytestmark = pytest.mark.sampled(4)

REPEATED = "The red fox ran to the old mill. The red fox ran to the old mill. The red fox ran to"
WARM = Sampling(0.8)
ANYTHING = "(.|\\n)*"
"""A grammar that forces nothing, for a drafter that needs one; test_masked.py has others."""
ROOM = 128
"""Slots behind the text, for a drafter that writes into the target's cache."""


def variants() -> Iterator[tuple[str, dict[str, str]]]:
    """Every drafter by its defaults, and by every option of its choices."""
    for entry in draft.ENTRIES:
        choices = [param for param in entry.params if isinstance(param, Choice)]
        for options in itertools.product(*(param.options for param in choices)):
            yield entry.name, {param.name: option for param, option in zip(choices, options, strict=True)}


VARIANTS = [*variants()]
ANY_RULE = ("small-model", "suffix", "small-tree", "jacobi")
"""Of each kind of law and shape one, tried under every rule in every run; the others under some, which differ."""


def shaped(name: str, chosen: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The first variant of that drafter in that shape."""
    own = (chosen.get("shape"), chosen.get("draw"))
    return next(each for each in VARIANTS if each[0] == name and (each[1].get("shape"), each[1].get("draw")) == own)


def params(*found: Any, often: bool) -> Any:
    """A case of a test; those that need not be in every run come with the long ones."""
    return pytest.param(*found, marks=() if often else pytest.mark.long)


every = pytest.mark.parametrize(
    ("name", "chosen"),
    [params(name, chosen, often=shaped(name, chosen) == (name, chosen)) for name, chosen in VARIANTS],
    ids=lambda each: str(each),
)


@cache
def pair() -> Pair:
    return pairs.load("embedded", "cpu", "auto")


def needed(name: str) -> dict[str, str]:
    """What a run with that drafter cannot do without."""
    return {"grammar": ANYTHING} if draft.entry(name).constrained else {}


def made(name: str, chosen: dict[str, str], **changed: Any) -> Drafter:
    own = {"target": pair().target, "asset": pair().asset, "head": pair().head, "model": pair().model}
    sampling = session.sampling_of(RunConfig("", temperature=WARM.temperature, **needed(name)), pair(), 0)
    resources = Resources(sampling, 4096, 600, pair().draft, pair().table, **own)
    resources = dataclasses.replace(resources, make_drafter=lambda other: made(other, {}, **changed), **changed)
    spec = draft.load(name)
    return spec.build(resources, resolve_params(spec.entry, chosen))


def proposed(drafter: Drafter, depth: int = 6, seed: int = 0, halt: Any = None) -> Any:
    return drafter.propose(Budget.chain(depth, "").shaped(drafter.nodes), Seeded(seed), halt)


def begun(drafter: Drafter, text: list[int]) -> Drafter:
    """A run's first step."""
    target = pair().target
    begin(drafter, target, text, target.new_cache(len(text) + (ROOM if isinstance(drafter, Sharer) else 0)))
    return drafter


def heard(drafter: Drafter, text: list[int], proposal: Any, kept: tuple[int, ...]) -> Committed:
    """What the loop would tell it, if these guesses stood from the first on."""
    scores = None
    if drafter.needs != NOTHING:
        cache = pair().target.new_cache(len(text) + len(proposal.tree) + drafter.needs.scouts)
        scores = verify(pair().target, cache, text, proposal.tree, drafter.needs)
    return Committed(kept, tuple(range(len(kept))), scores)


def tokens(text: str) -> list[int]:
    return list(pair().tokenizer.encode(text))


def run(name: str, chosen: dict[str, str], prompt: str = REPEATED, **choices: Any) -> Any:
    trace = session.start(RunConfig(prompt, drafter=name, params=chosen, **needed(name), **choices), pair())
    for _ in trace:
        pass
    return trace.trace()


@every
def test_begin_forgets_everything(name: str, chosen: dict[str, str]) -> None:
    fresh, used = made(name, chosen), made(name, chosen)
    before = tokens("One two three four five one two three four")
    begun(used, before)
    used.commit(heard(used, before, proposed(used), tuple(tokens(" five one two"))))
    for drafter in (fresh, used):
        begun(drafter, tokens(REPEATED))
    one, other = proposed(fresh), proposed(used)
    assert one.tree == other.tree
    assert [guess.source for guess in one.guesses] == [guess.source for guess in other.guesses]
    assert [kept.cache.length for kept in fresh.caches] == [kept.cache.length for kept in used.caches]


@every
def test_its_laws_are_those_it_drew_from(name: str, chosen: dict[str, str]) -> None:
    drafter, other = made(name, chosen), made(name, chosen)
    text = tokens(REPEATED)
    begun(drafter, text)
    for seed in range(12 if drafter.needs.scouts else 3):
        proposal = proposed(drafter, seed=seed)
        assert len(proposal.tree) or drafter.needs.scouts, "there is something to copy, and something to count"
        for law, guess in zip(other.q_of(text, proposal.tree), proposal.guesses, strict=True):
            assert law
            assert law.kind is guess.q.kind
            assert np.allclose(law.dense(4096), guess.q.dense(4096), atol=1e-6)
            assert guess.q.of(guess.token) > 0
        kept = proposal.tree.tokens[:1] or tuple(tokens(" the"))
        if drafter.needs == NOTHING or draft.entry(name).family == "no drafter":
            drafter.commit(heard(drafter, text, proposal, kept))
            text += kept
        else:  # what it saw besides the text in the rounds before, nobody else knows
            text = text[:-1]
            begun(drafter, text)
    assert len(proposal.tree)


@every
def test_its_proposals_are_as_its_entry_says(name: str, chosen: dict[str, str]) -> None:
    entry, drafter = draft.entry(name), made(name, chosen)
    begun(drafter, tokens(REPEATED))
    for depth in (0, 1, 20):
        proposal = proposed(drafter, depth)
        assert max(proposal.tree.depths(), default=-1) < depth
        assert len(proposal.tree) <= (depth if drafter.nodes is None else drafter.nodes)
        assert proposal.tree.is_chain or drafter.nodes is not None
        assert sum(call.nodes for call in proposal.drafting) == len(proposal.tree)
        for guess in proposal.guesses:
            assert guess.source.who in {entry.name for entry in draft.ENTRIES}
            assert entry.law in (guess.q.kind, LawKind.MIXED)
            assert guess.u is None or guess.q.kind is LawKind.ROW
            span = guess.source.span
            assert span is None or tokens(REPEATED)[span[0]] == guess.token
        siblings = [tuple(proposal.tree.tokens[each] for each in proposal.tree.children(at)) for at in range(-1, depth)]
        assert all(len(set(each)) == len(each) for each in siblings) or entry.law is LawKind.ROW
    assert {kept.name for kept in drafter.caches} or not drafter.caches


@every
def test_a_gamma_rule_may_stop_it_at_any_depth(name: str, chosen: dict[str, str]) -> None:
    drafter = made(name, chosen)
    text = np.random.default_rng(51).integers(40, 42, 60).tolist()
    for depth in (1, 2, 3):
        begun(drafter, text)
        proposal = proposed(drafter, halt=lambda glances, depth=depth: Halt("", 1.0) if len(glances) >= depth else None)
        tree = proposal.tree
        assert max(tree.depths(), default=-1) < depth
        assert (proposal.halt is None) == (len(proposal.glances) < depth)
        for node, guess in enumerate(proposal.guesses):
            assert tree.parents[:node].count(guess.parent) >= guess.source.rank, "its elder siblings are there"


SOUND = ((0, 0.8), (1, 0.0), (9, 0.8))
"""γ and temperature of a run under each rule; without guesses every rule does the same, so only the first runs that."""


def judged() -> Iterator[Any]:
    """Every drafter under the first rule, and in each of its shapes under every other: always or with the long ones."""
    for place, (name, chosen) in enumerate(VARIANTS):
        for at, rule in enumerate(accept.ENTRIES):
            if not at or shaped(name, chosen) == (name, chosen):
                often = not at or name in ANY_RULE or (place + at) % 4 == 0
                yield params(name, chosen, rule.name, often=often)


@pytest.mark.parametrize(("name", "chosen", "rule"), [*judged()], ids=lambda each: str(each))
def test_its_runs_are_sound(name: str, chosen: dict[str, str], rule: str) -> None:
    judge = accept.entry(rule)
    settles = draft.entry(name).settles and not judge.plain_text
    if settles and not judge.cold:
        with pytest.raises(ConfigError, match=f"rule is '{rule}'; wanted a rule whose text at temperature 0"):
            run(name, chosen, rule=rule, temperature=0.0)
        return
    ways = SOUND if rule == accept.ENTRIES[0].name else SOUND[1:] if name in ANY_RULE else SOUND[2:]
    for gamma, temperature in ways:
        if settles and temperature:
            with pytest.raises(ConfigError, match=r"temperature is 0.8; wanted 0, or shared noise"):
                run(name, chosen, rule=rule, gamma=gamma)
            temperature = 0.0
        trace = run(name, chosen, rule=rule, gamma=gamma, temperature=temperature, max_new_tokens=8)
        assert problems(trace) == []
        assert len(trace.tokens) == 8
        assert trace.info.traits.lossless == (judge.lossless or (judge.cold and not temperature))
        assert trace.info.traits.rolls is judge.rolls
        assert {each.law for step in trace.rounds for each in step.verdicts} <= {*LawKind} - {LawKind.MIXED}
        chains = all(each.parent == each.node - 1 for step in trace.rounds for each in step.verdicts)
        assert chains or trace.info.traits.shape is Shape.TREE


@every
def test_a_text_that_ends_inside_its_draft(name: str, chosen: dict[str, str]) -> None:
    """Every token that may end a text in turn, until one was accepted as a guess."""
    prompt = "def count_words(text):\n    counts = {}\n" if draft.entry(name).settles else REPEATED
    plain = run(name, chosen, prompt, temperature=0, gamma=6, max_new_tokens=20)
    accepted = [step.verdicts[node].token for step in plain.rounds for node in step.path]
    assert accepted
    ending = dataclasses.replace(pair(), ends=frozenset(accepted[:1]))
    vars(ending)["_table"] = pair().table()  # read once
    trace = session.start(
        RunConfig(prompt, drafter=name, params=chosen, temperature=0, gamma=6, max_new_tokens=20, **needed(name)),
        ending,
    )
    for _ in trace:
        pass
    ended = trace.trace()
    assert ended.stop is Stop.EOS
    assert problems(ended) == []


@every
def test_where_the_targets_context_ends(name: str, chosen: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A shorter one than it has, which costs less to fill; test_pair fills all of it."""
    monkeypatch.setattr(pair().target, "context", 80)
    trace = run(name, chosen, " ".join(["the fox ran to the mill and"] * 9), gamma=8, temperature=0, max_new_tokens=64)
    assert trace.stop is Stop.CONTEXT
    assert len(trace.prompt) + len(trace.tokens) == 80
    assert problems(trace) == []


OWN_WORDS = [
    (name, chosen)
    for name, chosen in VARIANTS
    if draft.entry(name).modelled
    and not draft.entry(name).counted
    and chosen.get("inner", "small-model") == "small-model"
]
"""The others have no vocabulary of their own, or a table that is made for the target's."""


@pytest.mark.parametrize(("name", "chosen"), OWN_WORDS, ids=lambda each: str(each))
def test_a_target_that_pads_its_vocabulary(name: str, chosen: dict[str, str]) -> None:
    """Ids that the drafter's model does not know are never guessed, and do not disturb it where they are written."""
    drafter = made(name, chosen, vocab_size=4100, shared=4000)
    drafter.begin([1, 2, 3])
    drafter.commit(Committed((4050, 4098, 5)))
    proposal = proposed(drafter, 8)
    assert all(guess.token < 4000 for guess in proposal.guesses)
    assert all(len(law.dense(4100)) == 4100 for law in proposal.q)
