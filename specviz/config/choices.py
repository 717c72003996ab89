"""The settings of a run: one field each, with all that the rest of specviz needs to know about it. Standard
library only."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Annotated, get_type_hints

from specviz.config.costs import Costs
from specviz.config.entry import Group, Kind, Setting

SPARSE = {"sparse": True}
"""Metadata of a field that a file leaves out if it has its default."""


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that determines a run. Only `costs` may be left to timing.

    temperature is 0 (greedy) or 0.05 to 2; top_k 0 and top_p 1 switch those filters off.
    device: auto (a GPU if there is one), cpu, or a torch device. dtype: auto (bfloat16 on
    a GPU, float32 on a CPU), float32, bfloat16 or float16. chat: put the prompt into the
    target's chat template, if it has one. earlier: what was said in the conversation before the prompt, person and
    model in turns, which the target reads too; an answer may be empty. counts: a text file whose n-grams the bigram and
    n-gram drafters use, "" for the pair's own table. stop_strings: the text ends with the token that completes one of
    them. grammar: what the whole text must be, a JSON schema if it begins with a brace, else a regular expression; ""
    for anything. params sets the drafter's parameters,
    rule_params the acceptance rule's and gamma_params the gamma rule's, by name. A rule that moves gamma begins with
    `gamma`.
    costs: what the throughput rule uses. None measures them before the run and stores them
    in the trace's config. A run with the same costs repeats; other costs may lead the rule
    to other drafts and so to another text.

    Beside its type a field has its Setting, all that the rest of specviz needs to know about it.
    """

    prompt: Annotated[str, Setting(Kind.TEXT, 1, group=Group.BAR, key="p")]
    drafter: Annotated[str, Setting(Kind.ENTRY, group=Group.BAR, key="d", help="what guesses")] = "small-model"
    gamma: Annotated[
        int, Setting(Kind.WHOLE, group=Group.BAR, key="g", help="tokens drafted a round, or in the first one")
    ] = 4
    temperature: Annotated[
        float, Setting(Kind.NUMBER, 0.05, 2, group=Group.BAR, key="T", zero=True, step=0.05, help="0: greedy")
    ] = 0.8
    top_k: Annotated[int, Setting(Kind.WHOLE, key="k", help="0: off")] = 0
    top_p: Annotated[float, Setting(Kind.NUMBER, 0, 1, key="tp", above=True, step=0.05, help="1: off")] = 1.0
    max_new_tokens: Annotated[int, Setting(Kind.WHOLE, 1, key="n")] = 64
    seed: Annotated[int, Setting(Kind.WHOLE, 0, 2**63 - 1, key="s")] = 0
    rule: Annotated[str, Setting(Kind.ENTRY, key="r", help="what accepts guesses")] = "rejection"
    params: Annotated[
        Mapping[str, float | str], Setting(Kind.PARAMS, key="dp", of="drafter", help="of the drafter")
    ] = field(default_factory=dict)
    pair: Annotated[str, Setting(Kind.TEXT, group=Group.MODELS, key="m")] = "embedded"
    chat: Annotated[bool, Setting(Kind.FLAG, group=Group.MODELS, key="c", help="leave a chat model's template off")] = (
        True
    )
    gamma_rule: Annotated[str, Setting(Kind.ENTRY, group=Group.LENGTH, key="gr", help="what chooses gamma")] = "fixed"
    gamma_params: Annotated[
        Mapping[str, float],
        Setting(Kind.PARAMS, group=Group.LENGTH, key="gp", of="gamma_rule", help="of the gamma rule"),
    ] = field(default_factory=dict)
    costs: Annotated[
        Costs | None,
        Setting(Kind.COSTS, group=Group.LENGTH, help="use what this trace measured; measure nothing anew"),
    ] = None
    device: Annotated[str, Setting(Kind.TEXT, group=Group.MACHINE, help="auto, cpu, cuda, ...")] = "auto"
    dtype: Annotated[
        str,
        Setting(
            Kind.OPTION,
            group=Group.MACHINE,
            options=("auto", "float32", "bfloat16", "float16"),
            help="auto: bfloat16 on a GPU, float32 elsewhere",
        ),
    ] = "auto"
    counts: Annotated[
        str, Setting(Kind.TEXT, group=Group.MACHINE, help="a text file that bigram and ngram count instead")
    ] = ""
    earlier: Annotated[
        tuple[str, ...],
        Setting(
            Kind.TURNS, many=64, group=Group.MODELS, key="e", help="a turn before the prompt: yours, its answer, ..."
        ),
    ] = field(default=(), metadata=SPARSE)
    stop_strings: Annotated[
        tuple[str, ...],
        Setting(Kind.TEXTS, 1, 200, 16, group=Group.TEXT, key="st", help="the text ends where this is complete"),
    ] = field(default=(), metadata=SPARSE)
    min_p: Annotated[
        float,
        Setting(
            Kind.NUMBER, 0, 1, group=Group.TEXT, key="mp", step=0.05, help="the least share of the likeliest; 0: off"
        ),
    ] = field(default=0.0, metadata=SPARSE)
    typical_p: Annotated[
        float,
        Setting(
            Kind.NUMBER, 0, 1, group=Group.TEXT, key="yp", above=True, step=0.05,
            help="the share of tokens about as likely as expected; 1: off",
        ),
    ] = field(default=1.0, metadata=SPARSE)  # fmt: skip
    repetition_penalty: Annotated[
        float,
        Setting(
            Kind.NUMBER, 0.1, 10, group=Group.TEXT, key="rp", step=0.05, help="divides scores of the text's tokens"
        ),
    ] = field(default=1.0, metadata=SPARSE)
    frequency_penalty: Annotated[
        float,
        Setting(Kind.NUMBER, -2, 2, group=Group.TEXT, key="fp", step=0.1, help="taken each time a token was written"),
    ] = field(default=0.0, metadata=SPARSE)
    presence_penalty: Annotated[
        float,
        Setting(Kind.NUMBER, -2, 2, group=Group.TEXT, key="pp", step=0.1, help="taken once a token was written"),
    ] = field(default=0.0, metadata=SPARSE)
    no_repeat_ngram_size: Annotated[
        int, Setting(Kind.WHOLE, 0, 20, group=Group.TEXT, key="nr", help="tokens in a row never occur twice; 0: off")
    ] = field(default=0, metadata=SPARSE)
    bad_words: Annotated[
        tuple[str, ...],
        Setting(Kind.TEXTS, 1, 200, 64, group=Group.TEXT, key="bw", help="is never written, nor with a space before"),
    ] = field(default=(), metadata=SPARSE)
    min_new_tokens: Annotated[
        int, Setting(Kind.WHOLE, 0, 1_024, group=Group.TEXT, key="mn", help="written before the text may end")
    ] = field(default=0, metadata=SPARSE)
    generation: Annotated[
        str,
        Setting(
            Kind.OPTION, group=Group.TEXT, key="gc", options=("model", "plain"),
            help="obey the model's generation_config.json, or not",
        ),
    ] = field(default="model", metadata=SPARSE)  # fmt: skip
    grammar: Annotated[
        str,
        Setting(Kind.TEXT, group=Group.TEXT, key="gm", help="a JSON schema or a regular expression for the whole text"),
    ] = field(default="", metadata=SPARSE)
    rule_params: Annotated[Mapping[str, float | str], Setting(Kind.PARAMS, key="ap", of="rule", help="of the rule")] = (
        field(default_factory=dict, metadata=SPARSE)
    )


def settings_of(kind: type) -> tuple[Setting, ...]:
    """The settings of a dataclass such as RunConfig, by their fields."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        replace(
            hints[item.name].__metadata__[0],
            name=item.name,
            default=None if item.default is MISSING else item.default,
        )
        for item in fields(kind)
    )


SETTINGS = settings_of(RunConfig)
"""One entry for each thing that a person may choose for a run."""
