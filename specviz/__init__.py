"""specviz: speculative decoding, run for real and recorded round by round."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from specviz.config.pairs import drafter_for, pair_name
from specviz.config.settings import ConfigError, RunConfig
from specviz.trace.round import Round
from specviz.trace.run import Trace

if TYPE_CHECKING:
    from specviz.config.costs import Costs
    from specviz.loops.marking import mark
    from specviz.loops.recorder import Recorder
    from specviz.loops.watch import watch
    from specviz.session import Run

__version__ = "0.1.0"
__all__ = ["ConfigError", "Recorder", "Round", "RunConfig", "Trace", "__version__", "mark", "run", "stream", "watch"]


def __getattr__(name: str) -> Any:
    """What needs NumPy or torch is imported when it is first used, because a trace can be read without."""
    if name == "Recorder":
        from specviz.loops.recorder import Recorder

        return Recorder
    if name == "mark":
        from specviz.loops.marking import mark

        return mark
    if name == "watch":
        from specviz.loops.watch import watch

        return watch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def run(
    prompt: str,
    pair: str = "embedded",
    drafter: str = "",
    gamma: int = 4,
    temperature: float = 0.8,
    top_k: int = 0,
    top_p: float = 1.0,
    max_new_tokens: int = 64,
    seed: int = 0,
    device: str = "auto",
    params: Mapping[str, float | str] | None = None,
    rule: str = "rejection",
    dtype: str = "auto",
    *,
    gamma_rule: str = "fixed",
    gamma_params: Mapping[str, float] | None = None,
    costs: "Costs | None" = None,
    chat: bool = True,
    counts: str = "",
    target: str = "",
    draft: str = "",
    **others: Any,
) -> Trace:
    """Decodes speculatively and returns the whole recorded run.

    Args:
        prompt: the text to continue.
        pair: embedded, or one of pairs.KNOWN by name, which is downloaded on first use.
        drafter: one of draft.ENTRIES by name; small-model unless given, or suffix for a target without a draft, ngram
            if `counts` are given too. params sets its parameters, by name.
        gamma: tokens drafted a round, 0 to 20. A gamma_rule other than fixed only begins with it; gamma_params sets
            that rule's parameters, by name.
        temperature: 0 (greedy) or 0.05 to 2; top_k 0 and top_p 1 switch those filters off.
        device: auto, cpu, or a torch device.
        dtype: auto (bfloat16 on a GPU, float32 elsewhere), float32, bfloat16 or float16.
        rule: rejection, block, traversal or coupled; or typical, static-ensemble or relaxed, which are lossy.
        costs: what the throughput rule uses. Those of another trace, trace.info.config.costs, repeat its run; None
            measures them again.
        chat: whether the prompt goes into the target's chat template, if it has one.
        counts: a text file whose n-grams the bigram and n-gram drafters use instead of the pair's own table.
        target, draft: a pair of your own instead of `pair`, each a folder or a Hugging Face repository; or a target
            alone.
        others: settings of RunConfig that have no parameter here, such as `earlier`, the turns before the prompt.

    Raises:
        ConfigError: a choice that cannot be run; it says what was wanted. Where the model's logits ended the run, its
            `trace` holds the rounds before.
    """
    choices = locals()  # the parameters have the names that _config takes
    decoding = _start(_config(**choices.pop("others"), **choices))
    for _ in decoding:
        pass
    return decoding.trace()


def stream(prompt: str, **choices: Any) -> Iterator[Round]:
    """The same run, round by round as it is decoded. Choices and errors as in `run`; errors are raised at once."""
    return iter(_start(_config(prompt, **choices)))


def _config(
    prompt: str,
    *,
    pair: str = "embedded",
    target: str = "",
    draft: str = "",
    drafter: str = "",
    counts: str = "",
    params: Mapping[str, float | str] | None = None,
    gamma_params: Mapping[str, float] | None = None,
    **choices: Any,
) -> RunConfig:
    """The config of these choices; see `run`."""
    if target or draft:
        pair = pair_name(draft or "", target)
    choices |= {"pair": pair, "drafter": drafter or drafter_for(pair, counted=bool(counts)), "counts": counts}
    return RunConfig(prompt, params=params or {}, gamma_params=gamma_params or {}, **choices)


def _start(config: RunConfig) -> "Run":
    from specviz.session import start  # not at the top, because a trace can be read without torch

    return start(config)
