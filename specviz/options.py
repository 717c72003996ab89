"""The options of each command; `__main__` does what they ask for."""

import argparse
from pathlib import Path

from specviz.accept import ENTRIES as RULES
from specviz.draft import ENTRIES as DRAFTERS
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.pairs import KNOWN

Commands = argparse._SubParsersAction
STAGES = ("tokenizer", "target", "draft", "counts", "card")


def run(commands: "Commands[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    """The options of `run`."""
    parser = commands.add_parser("run", help="decode a prompt; print the text coloured by verdict")
    parser.add_argument("prompt", metavar="PROMPT")
    parser.add_argument("--drafter", default="small-model", help=", ".join(entry.name for entry in DRAFTERS))
    parser.add_argument("--rule", default="rejection", help=", ".join(entry.name for entry in RULES))
    parser.add_argument("--param", dest="params", type=_tuning, action="append", metavar="NAME=VALUE", default=[])
    parser.add_argument("--gamma", type=int, default=4, help="tokens drafted a round, 0 to 20; or in the first one")
    parser.add_argument("--gamma-rule", default="fixed", help=", ".join(entry.name for entry in GAMMA_RULES))
    parser.add_argument(
        "--gamma-param", dest="gamma_params", type=_setting, action="append", metavar="NAME=NUMBER", default=[]
    )
    parser.add_argument(
        "--costs", type=Path, metavar="TRACE.json", help="those that trace's throughput rule went by, not measured anew"
    )
    parser.add_argument("--temperature", type=float, default=0.8, help="0 (greedy) or 0.05 to 2")
    parser.add_argument("--top-k", type=int, default=0, help="0: off")
    parser.add_argument("--top-p", type=float, default=1.0, help="1: off")
    parser.add_argument("--max-new-tokens", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pair", default="embedded", help=", ".join(("embedded", *(known.name for known in KNOWN))))
    parser.add_argument("--target", help="a folder or Hugging Face repository, instead of --pair")
    parser.add_argument("--draft", help="its draft, likewise")
    parser.add_argument("--no-chat", dest="chat", action="store_false", help="leave a chat model's template off")
    parser.add_argument("--counts", default="", metavar="FILE", help="text that bigram and ngram count instead")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, ...")
    parser.add_argument("--dtype", default="auto", help="auto (bfloat16 on a GPU, float32 elsewhere), float32, ...")
    parser.add_argument(
        "--race", action="store_true", help="then time it against plain decoding; --out keeps the times"
    )
    parser.add_argument("--out", type=Path, metavar="TRACE.json", help="write the trace here")
    return parser


def check(commands: "Commands[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    """The options of `check`."""
    parser = commands.add_parser("check", help="list every way a trace contradicts itself")
    parser.add_argument("trace", type=Path, metavar="TRACE.json")
    return parser


def bench(commands: "Commands[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    """The options of `bench`."""
    parser = commands.add_parser("bench", help="time it against plain decoding and against transformers' generate")
    parser.add_argument("--pair", default="embedded", help="embedded, or a shape: gpt2-medium-shape, ...")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda, ...")
    parser.add_argument("--quick", action="store_true", help="one γ, few tokens, few laps")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")
    return parser


def load(trials: "Commands[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    """The options of `bench load`."""
    what = "a class at once: how long clients wait, how fairly they are served"
    parser = _trial(trials.add_parser("load", help=what))
    parser.add_argument("--clients", type=_many, default=30)
    return parser


def soak(trials: "Commands[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    """The options of `bench soak`."""
    what = "sessions that come and go, and runs cut off: what the server holds afterwards"
    parser = _trial(trials.add_parser("soak", help=what))
    parser.add_argument("--minutes", type=float, default=10, help="at most")
    parser.add_argument("--sessions", type=_many, default=1000)
    parser.add_argument("--cuts", type=_many, default=200, help="live runs hung up on at random")
    return parser


def _trial(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument("--url", help="a running server; without it app.py is started, as for strangers")
    parser.add_argument("--seed", type=int, default=1, help="of the first live run; the others count on from it")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write everything measured here")
    return parser


def train(commands: "Commands[argparse.ArgumentParser]") -> argparse.ArgumentParser:
    """The options of `train`."""
    parser = commands.add_parser("train", help="make a pair and its count tables from text files")
    parser.add_argument(
        "--corpus", type=Path, required=True, help="a folder of .txt files, one genre each; or one file"
    )
    parser.add_argument("--tokenizer", type=Path, help="any transformers tokenizer, for --stages counts")
    parser.add_argument("--start", type=Path, help="a pair of the same shapes to train on, instead of from nothing")
    parser.add_argument("--out", type=Path, default=Path("assets/pair"))
    parser.add_argument("--work", type=Path, default=Path(".train"), help="where checkpoints are kept")
    parser.add_argument("--stages", nargs="+", choices=(*STAGES, "shape"), default=list(STAGES))
    parser.add_argument("--target-steps", type=int, default=6000)
    parser.add_argument("--deepened-steps", type=int, default=3000)
    parser.add_argument(
        "--retold-steps", type=int, default=50, help="text the target writes for its draft to learn from"
    )
    parser.add_argument("--draft-steps", type=int, default=1500)
    parser.add_argument("--nodes", type=_many, default=12, help="guesses of the tree whose best --stages shape prints")
    parser.add_argument("--depth", type=_many, default=6, help="how deep that one may be, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu")
    return parser


def _many(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted a whole number from 1 to 10,000")
    return int(text)


def _tuning(text: str) -> tuple[str, float | str]:
    """A drafter's parameter: a number, a name or a shape."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted NAME=VALUE, such as nodes=16 or draw=top")
    try:
        return name, float(value)
    except ValueError:
        return name, value


def _setting(text: str) -> tuple[str, float]:
    name, equals, number = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r}; wanted NAME=NUMBER, such as k=1")
    try:
        return name, float(number)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{number!r} in {text!r} is not a number") from None
