"""A loop that others wrote: recorded as it says it ran, played back, and its bug named where it has one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from specviz import ConfigError, Recorder, loops
from specviz.check.loops import bugs
from specviz.check.run import problems
from specviz.sampling.arrays import Floats
from specviz.trace.codec import from_json, to_json
from specviz.trace.run import Trace
from tests.tiny import TableModel

V, GAMMA, WARM = 24, 3, 0.6
BUGS = (
    "accepted above p/q",
    "tested after a rejection",
    "one number tests several guesses",
    "resampled from p",
    "q before temperature",
    "bonus from the wrong row",
    "the cache is not rolled back",
)
TARGET, NOISE = TableModel(V, 1), TableModel(V, 2)


def law(text: Sequence[int], noise: float = 0.0, temperature: float = WARM) -> Floats:
    """The target's row behind a text, or one as near to it as a draft model's."""
    weights = np.exp((TARGET.law(text) + noise * NOISE.law(text)) / temperature)
    return weights / weights.sum()


def loop(seed: int, bug: str = "", rounds: int = 80) -> Trace:
    """A loop in plain NumPy, whose author knows nothing of specviz but the Recorder."""
    random, text = np.random.default_rng(seed), [0, 1]
    recorder = Recorder(text, V, temperature=WARM, loop="plain NumPy")
    for _ in range(rounds):
        guesses: list[int] = []
        q: list[Floats] = []
        for _ in range(GAMMA):
            behind = [*text, *guesses]
            guesses.append(int(random.choice(V, p=law(behind, 0.4))))
            q.append(law(behind, 0.4, 1.0 if bug == "q before temperature" else WARM))
        p = [law([*text, *guesses[:place]]) for place in range(GAMMA + 1)]
        accepted: list[bool | None] = [None] * GAMMA
        u: list[float | None] = [None] * GAMMA
        number = 0.0
        for place, guess in enumerate(guesses):
            if not place or bug != "one number tests several guesses":
                number = float(random.random())
            u[place] = number
            won = number < p[place][guess] / q[place][guess] or bug == "accepted above p/q"
            accepted[place] = bool(won)
            if not accepted[place] and bug != "tested after a rejection":
                break
        kept = [guess for guess, won in zip(guesses, accepted, strict=True) if won]
        if False in accepted:
            place = accepted.index(False)
            left = p[place] if bug == "resampled from p" else np.maximum(p[place] - q[place], 0)
            kind = "resampled" if accepted[-1] is not True else None
        else:
            left, kind = p[GAMMA - 1 if bug == "bonus from the wrong row" else GAMMA], "bonus"
        token = int(random.choice(V, p=left / left.sum()))
        before = len(text) - 1
        end = before + 1 + (GAMMA if bug == "the cache is not rolled back" else len(kept))
        recorder.round(
            guesses, q=q, p=p, accepted=accepted, token=token, kind=kind, u=u, cache=(before, before + 1 + GAMMA, end)
        )
        text += [*kept, token]
    return recorder.trace()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(20))
def test_a_sound_loop_has_no_contradiction_and_no_bug(seed: int) -> None:
    trace = loop(seed)
    assert problems(trace) == []
    assert from_json(to_json(trace)) == trace


@pytest.mark.parametrize("bug", BUGS)
def test_each_bug_is_named_in_a_loop_that_has_it(bug: str) -> None:
    for seed in range(6):
        trace = loop(seed, bug)
        found = bugs(trace)
        assert any(line.startswith(f"bug: {bug}: ") for line in found), (seed, found)
        assert problems(trace)[: len(found)] == found


def recorder(**more: Any) -> Recorder:
    return Recorder([1, 2], 4, **more)


@dataclass
class Torch:
    """A tensor of torch's that NumPy does not take: on a GPU, with a gradient, of a type that NumPy lacks."""

    row: Floats
    dtype: str

    def __array__(self, *given: Any, **more: Any) -> Any:
        raise TypeError("can't convert it to numpy")

    def detach(self) -> Any:
        return SimpleNamespace(cpu=lambda: SimpleNamespace(double=lambda: self.row))


EVEN = np.full(4, 0.25)
FIRST = {"q": [EVEN, EVEN], "p": [EVEN] * 3, "accepted": 2, "token": 3, "u": [0.1, 0.2]}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"guesses": [1, 4]}, "guess 1 is 4; wanted an id from 0 to 3"),
        ({"parents": [-1, 2]}, "node 1 has parent 2; wanted -1 to 0"),
        ({"p": [EVEN] * 2}, "p has 2 rows; wanted 3"),
        ({"p": [EVEN, EVEN * 1.003, EVEN]}, r"p\[1\] sums to 1.003, .* if 16 bits have rounded them, take .* float32"),
        ({"p": [EVEN, EVEN.astype(np.float16), EVEN]}, r"p\[1\] is float16, whose rounding decides .*float\(\)"),
        ({"q": [EVEN, Torch(EVEN, "torch.bfloat16")]}, r"q\[1\] is bfloat16, whose rounding decides"),
        ({"p": [EVEN, "even", EVEN]}, r"p\[1\] is str; wanted float32 or float64, in main memory"),
        ({"p": [EVEN, EVEN * np.nan, EVEN]}, r"p\[1\] holds NaN or infinity; wanted finite numbers"),
        ({"noise": [EVEN, EVEN * np.inf, EVEN]}, r"noise\[1\] holds NaN or infinity"),
        ({"p": [EVEN, EVEN * 2, EVEN]}, r"p\[1\] sums to 2, its least entry is 0.5; wanted probabilities"),
        ({"p": [EVEN, EVEN[:3], EVEN]}, r"p\[1\] has shape \(3,\); wanted \(4,\)"),
        ({"p": [EVEN, ([0], [1.0]), EVEN]}, "make the Recorder with top=True"),
        ({"q": [EVEN]}, "q has 1 rows; wanted one for each of 2 guesses"),
        ({"q": [np.eye(4)[3], EVEN]}, r"guess 0, token 0, has probability 0 in q\[0\]"),
        ({"accepted": 3}, "accepted is 3 of 2 guesses"),
        ({"accepted": [True]}, "accepted has 1 verdicts for 2 guesses"),
        ({"u": None}, "u of guess 0 is missing; wanted the number that tested it"),
        ({"u": [0.5]}, "u has 1 numbers for 2 guesses"),
        ({"u": [0.5, 1.5]}, "wanted numbers from 0 to 1"),
        ({"token": None}, "there is no token, and no accepted guess is one of the ends"),
        ({"kind": "resampled"}, "kind is resampled, but no guess was rejected behind the accepted ones; wanted bonus"),
        ({"accepted": 1, "kind": "bonus"}, "kind is bonus, but guess 1 was rejected there; wanted resampled"),
        ({"ms": {"nap": 3.0}}, "wanted milliseconds of draft, verify, accept, trim"),
        ({"ms": {"draft": np.nan}}, "wanted milliseconds of draft, verify, accept, trim"),
        ({"cache": (1, 2)}, "cache is .1, 2.; wanted three lengths"),
        ({"guesses": 1}, "guesses is 1; wanted a list of token ids"),
        ({"token_u": np.nan}, "token_u is .nan.; wanted numbers from 0 to 1"),
    ],
    ids=repr,
)
def test_numbers_that_contradict_each_other_are_refused_and_what_was_recorded_stays(
    changes: dict[str, Any], says: str
) -> None:
    made = recorder()
    made.round([0, 1], **FIRST)
    with pytest.raises(ConfigError, match=says):
        made.round(**{"guesses": [0, 1], **FIRST, **changes})
    assert made.trace().tokens == (0, 1, 3)


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        ({"temperature": np.nan}, "temperature is nan; wanted a number from 0 to 2"),
        ({"temperature": "warm"}, "temperature is 'warm'; wanted a number from 0 to 2"),
        ({"max_new_tokens": 0}, "max_new_tokens is 0; wanted a whole number from 1 to 1,000,000,000"),
        ({"ends": 2}, "ends is 2; wanted a list of token ids"),
        ({"piece": "<{}>"}, "piece is '<{}>'; wanted a function that gives a token's text"),
        ({"draft": None}, "draft is None; wanted text"),
    ],
    ids=repr,
)
def test_what_no_trace_can_hold_is_refused_before_a_round_is_recorded(choice: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        recorder(**choice)


def test_what_a_loop_does_not_tell_is_said() -> None:
    made = recorder(top=True)
    made.round([0, 1], q=[([0, 1], [0.6, 0.2]), EVEN], p=[([0], [0.7]), EVEN, EVEN], accepted=2, token=3, u=[0.1, 0.2])
    trace = made.trace()
    assert problems(trace) == []
    assert trace.info.missing == ("cache", "draws", "rows", "times")
    assert trace.info.vocab_size == 5
    (others,) = [bar for bar in trace.rounds[0].verdicts[0].view.bars if bar.token == 4]
    assert (others.text, others.p, others.q) == ("other tokens", pytest.approx(0.3), pytest.approx(0.2))


def test_a_tree_with_a_rejected_sibling_and_a_chosen_guess() -> None:
    made = recorder(ends=[2], piece=["a", "b", "<98><80>", "<F0><9F>"].__getitem__)
    p = [np.array([0.1, 0.2, 0.3, 0.4])] * 4
    made.round([0, 3, 2], [-1, -1, 1], q=[EVEN, None, EVEN], p=p, accepted=[False, True, True], u=[0.9, 0.1, 0.2])
    trace = made.trace()
    assert problems(trace) == []
    assert (trace.tokens, trace.stop, trace.rounds[0].extra) == ((3, 2), "eos", None)
    assert trace.text == "\U0001f600", "a character of two tokens"
    sibling = trace.rounds[0].verdicts[1]
    assert sibling.p == pytest.approx(0.75), "its share of what the rejected one left of p"


@pytest.mark.parametrize("kind", ["torch.float32", "torch.float16", "torch.bfloat16"])
def test_a_greedy_loop_needs_no_numbers_and_may_count_in_any_type(kind: str) -> None:
    made = recorder(temperature=0.0)
    one = [Torch(row, kind) for row in np.eye(4)]
    raw = [Torch(EVEN * 1.006, kind)] * 3
    made.round([0, 1], q=one[:2], p=[one[0], one[3], one[2]], accepted=np.int64(1), token=3, raw_p=raw, raw_q=raw[:2])
    trace = made.trace()
    assert problems(trace) == []
    assert trace.info.missing == ("cache", "draws", "times")
    assert trace.rounds[0].verdicts[0].view.raw[0].p == 0.25


def test_a_loop_that_knows_its_longest_text_may_end_inside_accepted_guesses() -> None:
    made = recorder(max_new_tokens=2)
    more: dict[str, Any] = {"q": [EVEN] * 3, "p": [EVEN] * 4, "u": [0.1, 0.2, None], "accepted": [True, True, None]}
    made.round([0, 1, 3], **more, cache=(1, 5, 3))
    trace = made.trace()
    assert problems(trace) == []
    assert (trace.tokens, trace.stop, trace.rounds[0].extra) == ((0, 1), "length", None)
    with pytest.raises(ConfigError, match="there is no token, and no accepted guess is one of the ends"):
        recorder(max_new_tokens=3).round([0, 1, 3], **more)


def test_a_target_that_draws_its_own_token_is_judged_by_its_noise() -> None:
    made = recorder()
    noise = [np.array([0.0, 2.0, 1.0, 0.0])] * 3
    made.round([1, 0], q=None, p=[EVEN] * 3, accepted=1, token=1, noise=noise)
    trace = made.trace()
    assert problems(trace) == []
    made.round([1, 0], q=None, p=[EVEN] * 3, accepted=1, token=2, noise=noise)
    assert any("node 1: " in line for line in problems(made.trace())), "the noise takes token 1"


def test_the_example_of_the_documentation_runs_and_is_sound() -> None:
    torch = pytest.importorskip("torch", reason="there is no torch here")
    readme = (Path(loops.__file__).parent / "README.md").read_text(encoding="utf-8")
    scope: dict[str, Any] = {}
    exec(readme.split("```python\n")[1].split("```")[0], scope)

    def model(noise: float) -> Any:
        def forward(ids: Any) -> Any:
            text = ids[0].tolist()
            logits = [TARGET.law(text[: end + 1]) + noise * NOISE.law(text[: end + 1]) for end in range(len(text))]
            return SimpleNamespace(logits=torch.from_numpy(np.stack(logits))[None])

        forward.config = SimpleNamespace(vocab_size=V)  # type: ignore[attr-defined]
        return forward

    trace = scope["speculate"](model(0.0), model(0.4), [0, 1], new=40)
    assert problems(trace) == []
    assert len(trace.tokens) >= 40
    assert "<!doctype html>" in trace.to_html()[:200].lower()
