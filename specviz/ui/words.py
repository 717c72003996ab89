"""What the page's own Python shows. The words are in assets/player/words."""

from collections.abc import Mapping
from typing import Any

from specviz.config.words import Sentence, sentence, table
from specviz.ui.events import Want
from specviz.ui.limits import LINE

TITLE = "specviz"
BUTTONS = (Want.SETTINGS, Want.SHARE, Want.HELP, Want.MORE)
STARTING = sentence("controls.notes.starting")
TIMING = sentence("controls.notes.timing")
NO_SCRIPT = f"<noscript>{TITLE} plays runs of speculative decoding, and needs JavaScript for it.</noscript>"
PROMPT = "Once upon a time a miller had three daughters, and the youngest could talk with birds. One morning"
"""What the page comes with where it has no recorded run."""


def widgets() -> Mapping[str, Any]:
    """The words of the controls, by what they are for."""
    texts: Mapping[str, Any] = table("en")["controls"]["widgets"]
    return texts


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
    """True if memory ran out."""
    return isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError"  # torch's own is no MemoryError


def unread(name: str, error: Exception) -> str:
    """Why a recorded run is not offered."""
    return f"{name} could not be read ({str(error)[:120]})."


def entry(setting: str, name: str) -> str:
    """A plug-in's name as people read it."""
    named = {"drafter": drafter, "rule": rule, "gamma_rule": gamma_rule, "generation": generation}
    return named[setting](name)


def rule(name: str) -> str:
    """A rule's name as people read it, with what is special about it."""
    return str(widgets()["rules"].get(name, name))


def gamma_rule(name: str) -> str:
    """A gamma rule's name as people read it."""
    return str(widgets()["gamma_rules"].get(name, name))


def generation(name: str) -> str:
    """True if generation_config.json is obeyed, as people read it."""
    return str(widgets()["generations"][name])


def drafter(name: str) -> str:
    """A drafter's name as people read it."""
    return {"ngram": "n-gram"}.get(name, name.replace("-", " "))


def param(name: str, low: float, high: float) -> str:
    """The label of a plug-in's parameter, in every language."""
    return f"{name}, {low:g}\N{EN DASH}{high:g}"
