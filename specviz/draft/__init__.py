"""Drafters: how the next tokens are guessed. The registry; it opens without torch.

To add one, write a file here that ends in `SPEC` and put its entry into ENTRIES. The page's
controls, the help texts, the conformance tests and README's table follow from the entry.
"""

import importlib
from typing import TYPE_CHECKING

from specviz.config.settings import Choice, DraftEntry, File, LawKind, Param, Shape, Text, entry_of

if TYPE_CHECKING:
    from specviz.draft.base import DrafterSpec

SHAPE = r"[1-8](,[1-8])*|(\([0-8](,[0-8])*\))+"
"""How many children each guess of a level has, level by level; or how many each single guess has."""

ENTRIES = (
    DraftEntry(
        name="bigram",
        summary="Looks only at the last token: how often did each token follow it in the training text?",
        source="additive smoothing, Laplace 1814; a table, not a model",
        params=(Param("k", 0.0, 10.0, 0.0, "added to every count; 1 is Laplace, 0 the value fitted on held-out text"),),
        family="counts",
        counted=True,
    ),
    DraftEntry(
        name="ngram",
        summary="Looks at up to four tokens, longest known context first, and learns from the text as it grows.",
        source="interpolated absolute discounting, Chen & Goodman 1999",
        family="counts",
        counted=True,
    ),
    DraftEntry(
        name="small-model",
        summary="A small language model with the same vocabulary and its own KV cache.",
        source="Leviathan et al., arXiv:2211.17192; Chen et al., arXiv:2302.01318",
        family="models",
        modelled=True,
    ),
    DraftEntry(
        name="online",
        summary="A small model that learns from every correction during the run.",
        source="Liu et al., Online speculative decoding, arXiv:2310.07177",
        params=(Choice("start", ("shipped", "tales"), "the pair's draft, or one that has only ever read tales"),),
        family="models",
        modelled=True,
    ),
    DraftEntry(
        name="prompt-lookup",
        summary="The last few words occurred earlier in the text: copy what followed them.",
        source="Saxena, prompt lookup decoding, 2023; transformers, prompt_lookup_num_tokens",
        params=(
            Param("min_match", 1, 8, 1, "fewest tokens that must match", whole=True),
            Param("max_match", 1, 8, 3, "most tokens to match, tried first", whole=True),
        ),
        family="copies",
        law=LawKind.POINT,
    ),
    DraftEntry(
        name="suffix",
        summary="Finds where the end of the text occurred before, for every match length, and guesses what followed"
        " most often.",
        source="SuffixDecoding, Oliaro et al., arXiv:2411.04975",
        params=(
            Choice("shape", ("chain", "tree"), "the likeliest continuation, or several of them at once"),
            Param("factor", 0.1, 8, 1, "guesses for each token of the match"),
            Param("min_probability", 0, 1, 0.1, "the least probability, by the counts, of a guess and all before it"),
            Param("nodes", 2, 64, 16, "most guesses in a tree", whole=True),
        ),
        family="copies",
        law=LawKind.POINT,
        shape=Shape.TREE,
    ),
    DraftEntry(
        name="retrieval",
        summary="Finds the longest match of the end of the text in a library of other texts, and copies what followed"
        " there.",
        source="REST, He et al., arXiv:2311.08252",
        params=(
            Param("nodes", 2, 64, 12, "guesses of a tree at most", whole=True),
            File("datastore", "the library, as specviz train --stages datastore makes it; empty: the pair's own"),
        ),
        family="copies",
        law=LawKind.POINT,
        shape=Shape.TREE,
        asset="datastore.npz",
    ),
    DraftEntry(
        name="recycling",
        summary="Remembers for each token the eight the target last ranked highest after it; rejected guesses teach"
        " too.",
        source="Token Recycling, Luo et al., arXiv:2408.08696",
        params=(Param("nodes", 1, 80, 24, "guesses a round at most", whole=True),),
        family="copies",
        law=LawKind.POINT,
        shape=Shape.TREE,
    ),
    DraftEntry(
        name="early-exit",
        summary="The target's own first layers guess; the check goes on where they stopped.",
        source="LayerSkip, Elhoushi et al., arXiv:2404.16710; Kangaroo, Liu et al., arXiv:2404.18911",
        params=(
            Choice("layer", ("3", "6", "9", "12", "15"), "the layers that a guess runs through", "9"),
            File("exits", "what reads a guess off that layer, as specviz train --stages exits makes it; empty: own"),
        ),
        family="target",
        asset="heads/exits.safetensors",
    ),
    DraftEntry(
        name="quantized",
        summary="A copy of the target with its weights rounded to 8 bits, and a KV cache of its own.",
        source="absmax rounding, weights only: LLM.int8(), Dettmers et al., arXiv:2208.07339",
        family="target",
        rounded=True,
    ),
    DraftEntry(
        name="staged",
        summary="A cheap drafter guesses for the small model, which guesses for the target.",
        source="Cascade speculative drafting, Chen et al., arXiv:2312.11462",
        params=(
            Choice("inner", ("ngram", "bigram", "prompt-lookup"), "who guesses for the small model"),
            Param("step", 1, 8, 3, "its guesses for each pass of the small model", whole=True),
        ),
        family="cascades",
        modelled=True,
        counted=True,
    ),
    DraftEntry(
        name="small-tree",
        summary="Several alternatives at each step instead of one: a tree of the small model's guesses,"
        " one pass per level.",
        source="Sequoia, Chen et al., arXiv:2402.12374; EAGLE-2, Li et al., arXiv:2406.16858",
        params=(
            Choice("draw", ("drawn", "top"), "drawn from q, none twice; or the likeliest, as at temperature 0"),
            Param("nodes", 2, 64, 12, "most guesses in a round; a tree pays off from γ = 6 on", whole=True),
            Param("width", 1, 8, 4, "most children of a guess", whole=True),
            Text("shape", SHAPE, "children per level, 4,2,1, or per guess, (2)(2,1)(1)(1); empty: the best, or by q"),
        ),
        family="trees",
        law=LawKind.MIXED,
        shape=Shape.TREE,
        modelled=True,
    ),
    DraftEntry(
        name="ensemble",
        summary="Every drafter adds its own branch.",
        source="SpecInfer, Miao et al., arXiv:2305.09781",
        params=(
            Choice(
                "drafters",
                ("small-model, ngram, bigram", "small-model, ngram", "ngram, bigram"),
                "which drafters; the first one's guess is tested first",
            ),
        ),
        family="trees",
        shape=Shape.TREE,
        modelled=True,
        counted=True,
    ),
    DraftEntry(
        name="medusa",
        summary="Extra heads on the target guess several tokens ahead at once, all from one hidden state.",
        source="Medusa, Cai et al., arXiv:2401.10774",
        params=(
            Choice("shape", ("tree", "chain"), "several guesses at each place, or one"),
            Param("nodes", 2, 64, 12, "guesses in a tree", whole=True),
            File("head", "the heads, as specviz train --stages medusa makes them; empty: the pair's own"),
        ),
        family="heads",
        law=LawKind.MIXED,
        shape=Shape.TREE,
        asset="heads/medusa.safetensors",
    ),
    DraftEntry(
        name="hydra",
        summary="Medusa's heads, but each is also told the guesses before its own.",
        source="Hydra, Ankner et al., arXiv:2402.05109",
        params=(
            Choice("shape", ("tree", "chain"), "several guesses at each place, or one"),
            Param("nodes", 2, 64, 12, "guesses in a tree", whole=True),
            File("head", "the heads, as specviz train --stages hydra makes them; empty: the pair's own"),
        ),
        family="heads",
        law=LawKind.MIXED,
        shape=Shape.TREE,
        asset="heads/hydra.safetensors",
    ),
    DraftEntry(
        name="eagle",
        summary="One extra layer imagines the target's next hidden state, and reads the next token off it.",
        source="EAGLE-3, Li et al., arXiv:2503.01840; its tree: EAGLE-2, arXiv:2406.16858",
        params=(
            Choice("shape", ("chain", "tree"), "one guess after another, or several at each place"),
            Param("nodes", 2, 64, 12, "most guesses in a tree", whole=True),
            Param("width", 1, 8, 4, "most children of a guess in a tree", whole=True),
            File("head", "the layer, as specviz train --stages eagle makes it; empty: the pair's own"),
        ),
        family="heads",
        law=LawKind.MIXED,
        shape=Shape.TREE,
        asset="heads/eagle.safetensors",
    ),
    DraftEntry(
        name="dflash",
        summary="Fills a whole block of blanks in one pass; no blank knows what the others become.",
        source="DFlash, Chen et al., arXiv:2602.06036",
        params=(
            Choice("shape", ("chain", "tree"), "one guess for each blank, or several for some"),
            Param("nodes", 2, 64, 16, "most guesses in a tree", whole=True),
            File("head", "the layers, as specviz train --stages dflash makes them; empty: the pair's own"),
        ),
        family="heads",
        law=LawKind.MIXED,
        shape=Shape.TREE,
        asset="heads/dflash.safetensors",
    ),
    DraftEntry(
        name="jacobi",
        summary="No drafter: the target guesses every place of a window at once, from its own last pass, until the"
        " guesses stand still.",
        source="Santilli et al., arXiv:2305.10427; Song et al., arXiv:2002.03629",
        family="no drafter",
        law=LawKind.POINT,
        settles=True,
    ),
    DraftEntry(
        name="lookahead",
        summary="No drafter: beside each check the target tries several places ahead, and what came up there is"
        " guessed when its first token comes.",
        source="Lookahead decoding, Fu et al., arXiv:2402.02057",
        params=(
            Param("window", 1, 16, 5, "places tried ahead in each pass", whole=True),
            Param("levels", 2, 8, 4, "tokens of a group; so many passes less one make one", whole=True),
            Param(
                "candidates", 1, 16, 5, "groups guessed in a round at most, and kept for each first token", whole=True
            ),
            Choice("pool", ("prompt", "empty"), "groups it begins with: those of the prompt, or none"),
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
