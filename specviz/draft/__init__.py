"""Drafters: how the next tokens are guessed. The registry; it opens without torch.

To add one, write a file here that ends in `SPEC` and put its entry into ENTRIES. The page's
controls, the conformance tests and README's table follow from the entry; what it does is said by the words.
"""

import importlib
from typing import TYPE_CHECKING

from specviz.config.settings import Choice, DraftEntry, File, LawKind, Param, Shape, Text, entry_of

if TYPE_CHECKING:
    from specviz.draft.base import DrafterSpec

SHAPE = r"[1-8](,[1-8])*|(\([0-8](,[0-8])*\))+"
"""How many children each guess of a level has, level by level; or how many each single guess has."""
CHAINED = ("chain", "tree")
WIDTH = Param("width", 1, 8, 4, whole=True)


def _head(name: str, source: str, shapes: tuple[str, ...], *more: Param, nodes: int = 12) -> DraftEntry:
    """One that was trained on the target's states."""
    return DraftEntry(
        name=name,
        source=source,
        params=(Choice("shape", shapes), Param("nodes", 2, 64, nodes, whole=True), *more, File("head")),
        family="heads",
        law=LawKind.MIXED,
        shape=Shape.TREE,
        asset=f"heads/{name}.safetensors",
    )


ENTRIES = (
    DraftEntry(
        name="bigram",
        source="additive smoothing, Laplace 1814; a table, not a model",
        params=(Param("k", 0.0, 10.0, 0.0),),
        family="counts",
        counted=True,
    ),
    DraftEntry(
        name="ngram",
        source="interpolated absolute discounting, Chen & Goodman 1999",
        family="counts",
        counted=True,
    ),
    DraftEntry(
        name="small-model",
        source="Leviathan et al., arXiv:2211.17192; Chen et al., arXiv:2302.01318",
        family="models",
        modelled=True,
    ),
    DraftEntry(
        name="online",
        source="Liu et al., Online speculative decoding, arXiv:2310.07177",
        params=(Choice("start", ("shipped", "tales")),),
        family="models",
        modelled=True,
    ),
    DraftEntry(
        name="prompt-lookup",
        source="Saxena, prompt lookup decoding, 2023; transformers, prompt_lookup_num_tokens",
        params=(
            Param("min_match", 1, 8, 1, whole=True),
            Param("max_match", 1, 8, 3, whole=True),
        ),
        family="copies",
        law=LawKind.POINT,
    ),
    DraftEntry(
        name="suffix",
        source="SuffixDecoding, Oliaro et al., arXiv:2411.04975",
        params=(
            Choice("shape", ("chain", "tree")),
            Param("factor", 0.1, 8, 1),
            Param("min_probability", 0, 1, 0.1),
            Param("nodes", 2, 64, 16, whole=True),
        ),
        family="copies",
        law=LawKind.POINT,
        shape=Shape.TREE,
    ),
    DraftEntry(
        name="retrieval",
        source="REST, He et al., arXiv:2311.08252",
        params=(
            Param("nodes", 2, 64, 12, whole=True),
            File("datastore"),
        ),
        family="copies",
        law=LawKind.POINT,
        shape=Shape.TREE,
        asset="datastore.npz",
    ),
    DraftEntry(
        name="recycling",
        source="Token Recycling, Luo et al., arXiv:2408.08696",
        params=(Param("nodes", 1, 80, 24, whole=True),),
        family="target",
        law=LawKind.POINT,
        shape=Shape.TREE,
    ),
    DraftEntry(
        name="early-exit",
        source="LayerSkip, Elhoushi et al., arXiv:2404.16710; Kangaroo, Liu et al., arXiv:2404.18911",
        params=(
            Choice("layer", ("3", "6", "9", "12", "15"), "9"),
            File("exits"),
        ),
        family="target",
        asset="heads/exits.safetensors",
    ),
    DraftEntry(
        name="quantized",
        source="absmax rounding, weights only: LLM.int8(), Dettmers et al., arXiv:2208.07339",
        family="target",
        rounded=True,
    ),
    DraftEntry(
        name="window",
        source="StreamingLLM, Xiao et al., arXiv:2309.17453; as a drafter: MagicDec, arXiv:2408.11049",
        params=(
            Param("sinks", 0, 64, 4, whole=True),
            Param("window", 1, 4096, 32, whole=True),
        ),
        family="target",
    ),
    DraftEntry(
        name="staged",
        source="Cascade speculative drafting, Chen et al., arXiv:2312.11462",
        params=(
            Choice("inner", ("ngram", "bigram", "prompt-lookup")),
            Param("step", 1, 8, 3, whole=True),
        ),
        family="cascades",
        modelled=True,
        counted=True,
    ),
    DraftEntry(
        name="grammar",
        source="jump-forward decoding, SGLang, Zheng et al., arXiv:2312.07104; masks: llguidance",
        params=(Choice("inner", ("auto", "small-model", "ngram", "suffix")),),
        family="cascades",
        law=LawKind.MIXED,
        constrained=True,
    ),
    DraftEntry(
        name="copy-first",
        source="prompt lookup before a draft model: llama.cpp; vLLM #18633, #24344",
        params=(
            Choice("inner", ("small-model", "eagle", "ngram")),
            Param("guesses", 1, 20, 4, whole=True),
        ),
        family="cascades",
        law=LawKind.MIXED,
        modelled=True,
    ),
    DraftEntry(
        name="small-tree",
        source="Sequoia, Chen et al., arXiv:2402.12374; EAGLE-2, Li et al., arXiv:2406.16858",
        params=(
            Choice("draw", ("drawn", "top")),
            Param("nodes", 2, 64, 12, whole=True),
            Param("width", 1, 8, 4, whole=True),
            Text("shape", SHAPE),
        ),
        family="trees",
        law=LawKind.MIXED,
        shape=Shape.TREE,
        modelled=True,
    ),
    DraftEntry(
        name="ensemble",
        source="SpecInfer, Miao et al., arXiv:2305.09781",
        params=(
            Choice(
                "drafters",
                ("small-model, ngram, bigram", "small-model, ngram", "ngram, bigram"),
            ),
        ),
        family="trees",
        shape=Shape.TREE,
        modelled=True,
        counted=True,
    ),
    _head("eagle", "EAGLE-3, Li et al., arXiv:2503.01840; its tree: EAGLE-2, arXiv:2406.16858", CHAINED, WIDTH),
    _head("mtp", "multi-token prediction, DeepSeek-V3, arXiv:2412.19437", CHAINED, WIDTH),
    _head("medusa", "Medusa, Cai et al., arXiv:2401.10774", CHAINED[::-1]),
    _head("hydra", "Hydra, Ankner et al., arXiv:2402.05109", CHAINED[::-1]),
    _head("dflash", "DFlash, Chen et al., arXiv:2602.06036", CHAINED, nodes=16),
    DraftEntry(
        name="jacobi",
        source="Santilli et al., arXiv:2305.10427; Song et al., arXiv:2002.03629",
        family="no drafter",
        law=LawKind.POINT,
        settles=True,
    ),
    DraftEntry(
        name="lookahead",
        source="Lookahead decoding, Fu et al., arXiv:2402.02057",
        params=(
            Param("window", 1, 16, 5, whole=True),
            Param("levels", 2, 8, 4, whole=True),
            Param("candidates", 1, 16, 5, whole=True),
            Choice("pool", ("prompt", "empty")),
        ),
        family="no drafter",
        law=LawKind.POINT,
        shape=Shape.TREE,
        sized=False,
    ),
)


def entry(name: str) -> DraftEntry:
    """The entry of the drafter with that name.

    Raises:
        ConfigError: no such drafter.
    """
    return entry_of("drafter", name, ENTRIES)


def load(name: str) -> "DrafterSpec":
    """The drafter with that name, ready to be built.

    Raises:
        ConfigError: no such drafter.
    """
    entry(name)
    module = importlib.import_module(f"specviz.draft.{name.replace('-', '_')}")
    spec: DrafterSpec = module.SPEC
    return spec
