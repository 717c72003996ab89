"""The pairs specviz knows by name, and what the page says about them. Plain data; opens without torch.

A pair of your own is named "DRAFT -> TARGET", each a folder or a Hugging Face repository; "-> TARGET" is a target
alone, "DRAFT -> TARGET + HEAD" has a published head for the target.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from specviz.config.settings import ConfigError
from specviz.config.words import Sentence, say
from specviz.shipped import ASSETS

BUILT_IN = {"embedded": ASSETS / "pair", "hybrid": ASSETS / "hybrid"}
"""The folders of the pairs that every installation has. What the hybrid's lacks is the embedded pair's."""
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
        draft: None: the target alone, or with what ships for it.
        tier: the hardware it suits, a word of controls.pairs.
        alpha: the acceptance or speed-up published for such a pair, "" if none was found. source: who published it.
        family, stored: model_type and dtype in both models' config.json.
        prompt: a text that suits it. chat: whether it answers instead of continuing the text.
        heads: published heads for its target: the drafter, and the repository, whose newest commit is taken.
        shipped: the folder below assets/ with what was trained here for its target: a draft model (draft/), heads,
            counts. Its heads name this folder, because they fit the target's weights in every precision. It is then
            had by `specviz fetch` alone.
        first: the settings that the page turns to when the pair is chosen: the drafter and γ that are fastest over its
            kinds of text (assets/bench), the sampling that its makers advise; None: it stays with what is chosen.
    """

    name: str
    draft: Model | None
    target: Model
    tier: str
    family: str
    stored: str
    prompt: str
    alpha: str = ""
    source: str = ""
    chat: bool = False
    heads: tuple[tuple[str, str], ...] = ()
    shipped: str = ""
    first: Mapping[str, str | float] | None = None

    @property
    def models(self) -> tuple[Model, ...]:
        """The target, then its draft if it has one."""
        return (self.target, self.draft) if self.draft else (self.target,)

    @property
    def folder(self) -> Path | None:
        """Where that lies which ships for the target; None: nothing does."""
        return ASSETS / self.shipped if self.shipped else None

    def bytes(self, dtype: str) -> int:
        """The memory the models' weights take."""
        return BYTES[dtype] * sum(model.parameters for model in self.models)


class Offer(NamedTuple):
    """A pair as this machine can offer it.

    about: size, licence and hardware, in one line. refusal: the reason why it does not fit this machine, "" if it does.
    ready: it is in memory now. chat: it has a chat template. prompt: a text that suits it, "" for any. assets: what
    comes with it that some drafters need: files, and "draft", a draft model. there: nothing of it must be fetched.
    first: see KnownPair; of the built-in pair, once it was chosen, by costs measured here. why: the reason for that.
    """

    name: str
    label: Sentence
    about: Sentence
    refusal: Sentence
    ready: bool
    chat: bool = False
    prompt: str = ""
    assets: tuple[str, ...] = ()
    there: bool = True
    first: Mapping[str, str | float] | None = None
    why: Sentence = ""


class Loading(NamedTuple):
    """How far a pair has been loaded. what: the step. done, total: bytes; total is 0 if none are counted."""

    what: Sentence
    done: int = 0
    total: int = 0
    seconds: float = 0.0


_PYTHIA = Model(
    "EleutherAI/pythia-70m", "a39f36b100fe8a5377810d56c3f4789b9c53ac42", "Apache-2.0", 70_426_624, 50_304, 2048
)
_SMOLLM2 = Model(
    "HuggingFaceTB/SmolLM2-135M-Instruct",
    "12fd25f77366fa6b3b4b768ec3050bf629380bac",
    "Apache-2.0",
    134_515_008,
    49_152,
    8192,
)
_BEGINNING = "In the beginning of the twentieth century, physicists believed that"
KNOWN = (
    KnownPair(
        "smollm2",
        draft=None,
        target=_SMOLLM2,
        tier="laptop",
        family="llama",
        stored="bfloat16",
        prompt="What is the capital of France?",
        chat=True,
        shipped="smollm2",
        first={"drafter": "copy-first", "gamma": 8, "temperature": 0.2, "top_p": 0.9},
    ),
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
        draft=_SMOLLM2,
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


def known(name: str) -> KnownPair | None:
    """The known pair of that name, None if there is none."""
    return next((each for each in KNOWN if each.name == name), None)


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
    pair, parts = known(name), split(name)
    if pair and pair.folder:
        drafts = (pair.folder / "draft").is_dir()
    else:
        drafts = bool(pair.draft if pair else not parts or parts[0])
    return "small-model" if drafts else "ngram" if counted else "suffix"


def head_of(name: str) -> str:
    """The published head in the name of a pair of your own; "" if there is none."""
    return name.partition(PLUS)[2].strip() if split(name) else ""


def table() -> list[str]:
    """The known pairs as a table for the README."""
    rows = ["| name | draft → target | vocabulary, context | memory | licences | suits | reported |"]
    rows.append("|" + "---|" * 7)
    for pair in KNOWN:
        drafts_first = pair.models[::-1]
        vocabularies = dict.fromkeys(f"{model.vocabulary:,}" for model in drafts_first)
        licences = dict.fromkeys(model.licence for model in drafts_first)
        memory = ", ".join(f"{pair.bytes(dtype) / 1e9:.2g} GB {dtype}" for dtype in ("float32", "bfloat16"))
        reported = f"{pair.alpha} ({pair.source})" if pair.alpha else "nothing found"
        names = " → ".join(f"`{model.repository}`" for model in drafts_first)
        cells = [f"`{pair.name}`", names, f"{' / '.join(vocabularies)}, {pair.target.context:,}"]
        rows.append(
            f"| {' | '.join([*cells, memory, ', '.join(licences), say(f'controls.pairs.{pair.tier}'), reported])} |"
        )
    return rows
