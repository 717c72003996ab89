"""specviz train: makes a pair and its count tables from text files."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from specviz.commands.options import fields_of, whole_number
from specviz.config.pairs import KNOWN, known
from specviz.config.settings import ConfigError
from specviz.train import ON_REQUEST, STAGES


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `specviz train`."""
    add = parser.add_argument
    add("--corpus", type=Path, help="a folder of .txt files, one genre each; or one file. A chat pair can do without")
    add("--tokenizer", type=Path, help="any transformers tokenizer, for --stages counts and datastore")
    add("--start", type=Path, help="a pair of the same shapes to train on, instead of from nothing")
    add("--pair", default="", help="the pair whose target gets exits or heads, by name; else the one in --out")
    add("--out", type=Path, help="assets/pair, or assets/NAME for a chat pair, unless you say otherwise")
    add("--work", type=Path, default=Path(".train"), help="where checkpoints are kept")
    add("--stages", nargs="+", default=list(STAGES), help=", ".join((*STAGES, *ON_REQUEST)))
    add("--target-steps", type=int, default=6000)
    add("--deepened-steps", type=int, default=3000)
    add("--retold-steps", type=int, default=50, help="text the target writes for its draft to learn from")
    add("--draft-steps", type=int, default=1500)
    add("--exit-steps", type=int, default=600)
    add("--head-steps", type=int, default=0, help="of each head's training; 0 for what suits it")
    add("--shards", type=whole_number, default=14, help="text that heads learn from, 256 windows each")
    add("--nodes", type=whole_number, default=12, help="guesses of the tree whose best --stages shape prints")
    add("--depth", type=whole_number, default=6, help="how deep that one may be, at most")
    add("--seed", type=int, default=0)
    add("--device", default="auto", help="a GPU if there is one, unless you say cpu")


def train(choices: argparse.Namespace) -> int:
    """Runs the chosen stages. Raises ConfigError: the corpus or a stage cannot be used."""
    from specviz.models.pair import place
    from specviz.train import command

    stages = [stage for each in choices.stages for stage in each.split(",")]
    if unknown := [stage for stage in stages if stage not in (*STAGES, *ON_REQUEST)]:
        raise ConfigError(f"no stage {unknown[0]!r}; there are: {', '.join((*STAGES, *ON_REQUEST))}")
    choices.device = place(choices.device)
    chat = known(choices.pair)
    if choices.corpus is None or (chat and chat.folder):
        _for_chat(choices, stages)
        return 0
    choices.out = choices.out or Path("assets/pair")
    try:
        command.train(command.TrainingJob(**fields_of(command.TrainingJob, choices)), stages)
    except ValueError as error:
        raise ConfigError(str(error)) from error
    return 0


def _for_chat(choices: argparse.Namespace, stages: Sequence[str]) -> None:
    """Trains the drafters of a chat pair, which writes the text itself."""
    from specviz.train import chat_stage

    pair = known(choices.pair)
    if not pair or not pair.folder or not {*stages} <= {*chat_stage.STAGES}:
        chats, able = ", ".join(each.name for each in KNOWN if each.shipped), ", ".join(chat_stage.STAGES)
        raise ConfigError(f"--corpus is missing; only a chat model writes it itself: --pair {chats} --stages {able}")
    work, out = choices.work / pair.name, choices.out or pair.folder
    asked = {"shards": choices.shards, "seed": choices.seed, "corpus": choices.corpus}
    job = chat_stage.opened(pair.name, choices.device, steps=choices.head_steps, out=out, work=work, **asked)
    for stage in stages:
        chat_stage.train(stage, job)
