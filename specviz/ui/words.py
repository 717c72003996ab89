"""Every sentence the Python side shows. The player's own are in assets/player/words.js."""

TITLE = "specviz"
TAGLINE = "Small model guesses, large one judges"
RECORDED = "Recorded runs"
PROMPT = "Prompt"
DRAFTER = "Drafter"
_GAMMA = "\N{GREEK SMALL LETTER GAMMA}"
GAMMA = f"{_GAMMA}, guesses per round"
TEMPERATURE = "Temperature (0: greedy)"
TOP_K = "top-k (0: off)"
TOP_P = "top-p (1: off)"
MAX_NEW_TOKENS = "New tokens"
SEED = "Seed"
RUN = "Run"
STOP = "Stop"
KV_CHART = "KV-cache length"
GAMMA_CHART = f"{_GAMMA} and accepted tokens"
STARTING = "getting the models ready"
FAILED = "the models could not be loaded; the server's log says why"

ROUND = "round"
SLOTS = "slots in the cache"
TOKENS = "tokens"
TARGET = "target"
DRAFTER_CACHE = "drafter"
ROLLED_BACK = "rolled back"
GUESSED = f"{_GAMMA}, guessed"
ACCEPTED = "accepted"
OWN = "from the target itself"

PROMPTS = {
    "Tale": "Once upon a time a miller had three daughters, and the youngest could talk with birds. One morning",
    "Verse": "ROMEO:\nWhat bell is that which wakes the sleeping street?\n\nJULIET:\n",
    "Code": 'def count_words(text):\n    """Return how often each word occurs in the text."""\n    counts = {}\n',
}


def recorded(name: str) -> str:
    """A recording's file name as people read it: tale-small-model -> tale · small model."""
    genre, _, drafter = name.partition("-")
    return f"{genre} · {drafter.replace('-', ' ')}" if drafter else genre


def drafter(name: str) -> str:
    """A drafter's name as people read it."""
    return {"ngram": "n-gram"}.get(name, name.replace("-", " "))


def param(name: str, low: float, high: float) -> str:
    """The label of a drafter's parameter."""
    return f"{name}, {low:g} to {high:g}"
