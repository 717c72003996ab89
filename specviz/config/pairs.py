"""The pairs specviz knows by name, and what the page says about them. Plain data; opens without torch.

A pair of your own is named "DRAFT -> TARGET", each a folder or a Hugging Face repository; "-> TARGET" is a target
alone, "DRAFT -> TARGET + HEAD" has a published head for the target.
"""

from dataclasses import dataclass
from typing import NamedTuple

from specviz.config.settings import ConfigError
from specviz.config.words import Sentence, say

ARROW = "->"
PLUS = " + "
BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}


@dataclass(frozen=True, slots=True)
class Model:
    """A repository on the Hugging Face hub.

    Attributes:
        revision: the commit that is downloaded, whatever happens to the repository later.
        licence: as its model card says.
        parameters: their number, embeddings included.
        vocabulary: rows of its output, padding included.
        context: the longest text it can read, in tokens.
    """

    repository: str
    revision: str
    licence: str
    parameters: int
    vocabulary: int
    context: int


@dataclass(frozen=True, slots=True)
class KnownPair:
    """A pair that the page offers by name.

    Attributes:
        tier: the hardware it suits, a word of controls.pairs.
        alpha: the acceptance or speed-up published for such a pair, "" if none was found. source: who published it.
        family, stored: model_type and dtype in both models' config.json.
        prompt: a text that suits it. chat: whether it answers instead of continuing the text.
        heads: published heads for its target: the drafter, and the repository, whose newest commit is taken.
    """

    name: str
    draft: Model
    target: Model
    tier: str
    family: str
    stored: str
    prompt: str
    alpha: str = ""
    source: str = ""
    chat: bool = False
    heads: tuple[tuple[str, str], ...] = ()

    def bytes(self, dtype: str) -> int:
        """The memory both models' weights take."""
        return BYTES[dtype] * (self.draft.parameters + self.target.parameters)


class Offer(NamedTuple):
    """A pair as this machine can offer it.

    about: size, licence and hardware, in one line. refusal: the reason why it does not fit this machine, "" if it does.
    ready: it is in memory now. chat: it has a chat template. prompt: a text that suits it, "" for any. assets: what
    comes with it that some drafters need: files, and "draft", a draft model.
    """

    name: str
    label: Sentence
    about: Sentence
    refusal: Sentence
    ready: bool
    chat: bool = False
    prompt: str = ""
    assets: tuple[str, ...] = ()


class Loading(NamedTuple):
    """How far a pair has been loaded. what: the step. done, total: bytes; total is 0 if none are counted."""

    what: Sentence
    done: int = 0
    total: int = 0
    seconds: float = 0.0


_PYTHIA = Model(
    "EleutherAI/pythia-70m", "a39f36b100fe8a5377810d56c3f4789b9c53ac42", "Apache-2.0", 70_426_624, 50_304, 2048
)
_BEGINNING = "In the beginning of the twentieth century, physicists believed that"
KNOWN = (
    KnownPair(
        "distilgpt2-gpt2-medium",
        draft=Model(
            "distilbert/distilgpt2", "2290a62682d06624634c1f46a6ad5be0f47f38aa", "Apache-2.0", 81_912_576, 50_257, 1024
        ),
        target=Model(
            "openai-community/gpt2-medium", "6dcaa7a952f72f9298047fd5137cd6e4f05f41da", "MIT", 354_823_168, 50_257, 1024
        ),
        tier="laptop",
        family="gpt2",
        stored="float32",
        prompt="The old lighthouse keeper had not spoken to anyone for",
    ),
    KnownPair(
        "pythia-70m-410m",
        draft=_PYTHIA,
        target=Model(
            "EleutherAI/pythia-410m",
            "9879c9b5f8bea9051dcb0e68dff21493d67e9d4f",
            "Apache-2.0",
            405_334_016,
            50_304,
            2048,
        ),
        tier="laptop",
        family="gpt_neox",
        stored="float16",
        prompt=_BEGINNING,
    ),
    KnownPair(
        "pythia-70m-1.4b",
        draft=_PYTHIA,
        target=Model(
            "EleutherAI/pythia-1.4b",
            "fedc38a16eea3bd36a96b906d78d11d2ce18ed79",
            "Apache-2.0",
            1_414_647_808,
            50_304,
            2048,
        ),
        tier="desktop",
        alpha="1.36× plain decoding for 70m → 2.8b",
        source="DynaTree's README, for transformers' assisted generation",
        family="gpt_neox",
        stored="float16",
        prompt=_BEGINNING,
    ),
    KnownPair(
        "smollm2-135m-1.7b",
        draft=Model(
            "HuggingFaceTB/SmolLM2-135M-Instruct",
            "12fd25f77366fa6b3b4b768ec3050bf629380bac",
            "Apache-2.0",
            134_515_008,
            49_152,
            8192,
        ),
        target=Model(
            "HuggingFaceTB/SmolLM2-1.7B-Instruct",
            "31b70e2e869a7173562077fd711b654946d38674",
            "Apache-2.0",
            1_711_376_384,
            49_152,
            8192,
        ),
        tier="desktop",
        family="llama",
        stored="bfloat16",
        prompt="Explain in three sentences why the sky is blue.",
        chat=True,
    ),
    KnownPair(
        "qwen2.5-0.5b-7b",
        draft=Model(
            "Qwen/Qwen2.5-0.5B-Instruct",
            "7ae557604adf67be50417f59c2c2f167def9a775",
            "Apache-2.0",
            494_032_768,
            151_936,
            32_768,
        ),
        target=Model(
            "Qwen/Qwen2.5-7B-Instruct",
            "a09a35458c702b33eeacc393d103063234e8bc28",
            "Apache-2.0",
            7_615_616_512,
            152_064,
            32_768,
        ),
        tier="gpu",
        alpha="1.72× plain decoding for the Coder models of these sizes",
        source="vLLM #13849, RTX 4090",
        family="qwen2",
        stored="bfloat16",
        prompt="Write a Python function that checks whether a word is a palindrome.",
        chat=True,
    ),
    KnownPair(
        "qwen3-0.6b-8b",
        draft=Model(
            "Qwen/Qwen3-0.6B", "c1899de289a04d12100db370d81485cdf75e47ca", "Apache-2.0", 596_049_920, 151_936, 40_960
        ),
        target=Model(
            "Qwen/Qwen3-8B", "b968826d9c46dd6066d109eabc6255188de91218", "Apache-2.0", 8_190_735_360, 151_936, 40_960
        ),
        tier="zerogpu",
        alpha="slower than plain decoding where each layer is launched by itself, 28 of them against 36",
        source="vLLM #15025",
        family="qwen3",
        stored="bfloat16",
        prompt="What is speculative decoding, in two sentences?",
        chat=True,
        heads=(("eagle", "RedHatAI/Qwen3-8B-speculator.eagle3"), ("dflash", "z-lab/Qwen3-8B-DFlash-b16")),
    ),
)
"""None needs a login. The draft and the target of each pair share a tokenizer."""


def pair_name(draft: str, target: str, head: str = "") -> str:
    """The name of a pair of your own; draft "" is a target alone. Raises ConfigError: there is no target."""
    if not target:
        raise ConfigError("--draft and --head go with --target, the model that they guess for")
    return f"{draft} {ARROW} {target}".strip() + (PLUS + head if head else "")


def split(name: str) -> tuple[str, str] | None:
    """Draft, "" for none, and target of a pair of your own, with a head or without; None for any other name."""
    draft, arrow, target = (part.strip() for part in name.partition(PLUS)[0].partition(ARROW))
    return (draft, target) if arrow and target else None


def drafter_for(name: str, *, counted: bool = False) -> str:
    """The drafter of a run with that pair that names none. counted: it has a text to count."""
    alone = (parts := split(name)) and not parts[0]
    return ("ngram" if counted else "suffix") if alone else "small-model"


def head_of(name: str) -> str:
    """The published head in the name of a pair of your own; "" if there is none."""
    return name.partition(PLUS)[2].strip() if split(name) else ""


def table() -> list[str]:
    """The known pairs as a table for the README."""
    rows = ["| name | draft → target | vocabulary, context | memory | licences | suits | reported |"]
    rows.append("|" + "---|" * 7)
    for known in KNOWN:
        draft, target = known.draft, known.target
        vocabularies = dict.fromkeys(f"{model.vocabulary:,}" for model in (draft, target))
        licences = dict.fromkeys(model.licence for model in (draft, target))
        memory = ", ".join(f"{known.bytes(dtype) / 1e9:.2g} GB {dtype}" for dtype in ("float32", "bfloat16"))
        reported = f"{known.alpha} ({known.source})" if known.alpha else "nothing found"
        names = f"`{draft.repository}` → `{target.repository}`"
        cells = [f"`{known.name}`", names, f"{' / '.join(vocabularies)}, {target.context:,}"]
        rows.append(
            f"| {' | '.join([*cells, memory, ', '.join(licences), say(f'controls.pairs.{known.tier}'), reported])} |"
        )
    return rows
