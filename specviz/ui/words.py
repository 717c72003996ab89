"""Every sentence the Python side shows. The player's own are in assets/player/words."""

from collections.abc import Mapping

from specviz.config.words import Sentence, sentence
from specviz.ui.events import Want
from specviz.ui.limits import LINE

TITLE = "specviz"
RECORDED = "Recorded examples"
OPEN = "Open a trace from a file"
LABELS = {
    "prompt": "Prompt",
    "drafter": "Draft model",
    "gamma": "\N{GREEK SMALL LETTER GAMMA}",
    "temperature": "T",
    "top_k": "Top-k (0 = off)",
    "top_p": "Top-p (1 = off)",
    "max_new_tokens": "Length (tokens)",
    "seed": "Seed",
    "rule": "Acceptance rule",
    "pair": "Models",
    "chat": "Chat template",
    "gamma_rule": "\N{GREEK SMALL LETTER GAMMA} rule",
    "costs": "costs",
}
"""Of the controls, by setting."""
GAMMA = LABELS["gamma"]
HELP = {
    "chat": "The prompt as a question to the model, in its own format. Off: the model continues the bare text.",
    "gamma_rule": f"How many tokens to guess in a round. Adaptive rules start from the {GAMMA} set above.",
    "rule": (
        "All keep the target's distribution. With shared noise, the output equals plain decoding with the same seed."
    ),
}
RUN = "Run"
STOP = "Stop"
BUTTONS = {
    "Settings": Want.SETTINGS,
    "Share": Want.SHARE,
    "Help": Want.HELP,
    "Dark": Want.DARK,
    "Present": Want.PRESENT,
    "More": Want.MORE,
}
STARTING = sentence("controls.notes.starting")
TIMING = sentence("controls.notes.timing")
PRESETS = "Presets"


NOSCRIPT = (
    "A small model guesses ahead. The big model checks every guess in one pass."
    " Playing it needs JavaScript; this is a recorded run as a table."
)
WRITTEN_COLUMNS = ("round", "after", "token", "what became of it", "target p", "draft q")
PROMPTS = {
    "Tale": "Once upon a time a miller had three daughters, and the youngest could talk with birds. One morning",
    "Verse": "ROMEO:\nWhat bell is that which wakes the sleeping street?\n\nJULIET:\n",
    "Code": 'def count_words(text):\n    """Return how often each word occurs in the text."""\n    counts = {}\n',
    "Repeat": (
        '"Little pig, little pig, let me come in."\n"No, no, not by the hair of my chin."\n\n'
        '"Little pig, little pig, let me come in."\n"No, no, not by the hair of my chin."\n\n"Little pig,'
    ),
    "JSON": (
        '{"name": "Ada", "born": 1815, "city": "London"}\n{"name": "Emmy", "born": 1882, "city": "Erlangen"}\n'
        '{"name": "Grace", "born": 1906, "city": "New York"}\n{"name":'
    ),
    "Random digits": "7 0 4 9 2 2 8 1 5 3 9 6 0 8 7 1 4 4 6 2 9 5 3 0 1 8 5 7",
}
PROMPTS["Slower than none"] = PROMPTS["Random digits"]
PRESET_METHODS = {"Repeat": ("ngram", 4), "Slower than none": ("small-model", 16)}
"""What makes the point of a preset: a way to guess, and how much. The others take those that are chosen."""


def cut(sentence: Sentence, most: int = LINE) -> Sentence:
    """The sentence with no text longer than that."""
    if isinstance(sentence, str):
        return sentence[:most]
    return {name: cut(value, most) if isinstance(value, str | Mapping) else value for name, value in sentence.items()}


def broke(error: Exception) -> Sentence:
    """What broke a run."""
    if out_of_memory(error):
        return sentence("refusals.memory")
    return f"{type(error).__name__}: {error}".splitlines()[0].rstrip(": ")[:LINE]


def unready(error: Exception, prompt: str) -> Sentence:
    """Why a run did not come to its first round."""
    if out_of_memory(error):
        return sentence("refusals.prompt_memory", name="prompt", length=f"{len(prompt):,}")
    return sentence("refusals.not_ready")


def out_of_memory(error: Exception) -> bool:
    """Whether memory ran out."""
    """Whether memory ran out."""
    return isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError"  # torch's own is no MemoryError


def unread(name: str, error: Exception) -> str:
    """Why a recorded run is not offered."""
    return f"{name} could not be read ({str(error)[:120]})."


def written_run(name: str, target: str, prompt: str) -> str:
    """The title of a run shown as a table."""
    return f"{drafter(name)}, checked by {target}, after: {prompt}"


def entry(setting: str, name: str) -> str:
    """A plug-in's name as people read it."""
    return {"drafter": drafter, "rule": rule, "gamma_rule": gamma_rule}[setting](name)


def rule(name: str) -> str:
    """A rule's name as people read it, with what is special about it."""
    names = {
        "rejection": "Rejection sampling (standard)",
        "block": "Block verification: weigh a round's guesses together",
        "traversal": "Traversal verification: weigh a tree of guesses together",
        "coupled": "Shared noise: accept if both models pick the same token",
        "typical": "Typical acceptance (lossy): accept what is not too improbable",
    }
    return names.get(name, name)


def gamma_rule(name: str) -> str:
    """A gamma rule's name as people read it."""
    return {"ema": "moving average"}.get(name, name.replace("-", " "))


def recorded(name: str) -> str:
    """A recording's file name as people read it: tale-small-model -> tale · small model."""
    genre, _, kind = name.partition("-")
    return f"{genre} · {drafter(kind)}" if kind else genre


def drafter(name: str) -> str:
    """A drafter's name as people read it."""
    return {"ngram": "n-gram"}.get(name, name.replace("-", " "))


def param(name: str, low: float, high: float) -> str:
    """The label of a plug-in's parameter."""
    return f"{name}, {low:g} to {high:g}"
