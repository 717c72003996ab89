"""What a loop of one's own gives, in the types of its framework, as numbers and texts that a trace can hold."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from specviz.config.entry import Range
from specviz.config.settings import ConfigError, check_number, check_whole, wrong
from specviz.sampling.arrays import Floats

EXACT = "take the softmax in float32, logits.float().softmax(-1), and test the guesses with that"


def ids(name: str, given: Iterable[int]) -> tuple[int, ...]:
    """Token ids as ints. Raises ConfigError: they are none."""
    try:
        return tuple(int(token) for token in given)
    except (TypeError, ValueError):
        raise wrong(name, given, "a list of token ids") from None


def number(name: str, given: Any, allowed: Range) -> float:
    """A number of any framework. Raises ConfigError: it is none of these."""
    found: float = given.item() if hasattr(given, "item") else given
    (check_whole if allowed.whole else check_number)(name, found, allowed)
    return found


def text(name: str, given: str) -> str:
    """Half a character of UTF-16, which no file can hold, becomes �. Raises ConfigError: it is no text."""
    if not isinstance(given, str):
        raise wrong(name, given, "text")
    return given.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def array(name: str, given: Any, *, rough: bool = True) -> Floats:
    """float64[...], from an array or tensor of any framework.

    Args:
        rough: whether types of 16 bits will do. A loop that tests guesses in one decides some by its rounding.

    Raises:
        ConfigError: it is none, not finite, or too rough.
    """
    kind = str(getattr(given, "dtype", type(given).__name__)).removeprefix("torch.")
    if kind in ("float16", "bfloat16") and not rough:
        raise ConfigError(f"{name} is {kind}, whose rounding decides about guesses; {EXACT}")
    if hasattr(given, "detach"):  # torch's: on a GPU, with a gradient, or of a type that NumPy lacks
        given = given.detach().cpu().double()
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise ConfigError(f"{name} is {kind}; wanted float32 or float64, in main memory: {error}") from None
    if not np.isfinite(found).all():
        raise ConfigError(f"{name} holds NaN or infinity; wanted finite numbers")
    return found


def numbers(name: str, given: Sequence[float | None] | None, count: int) -> list[float | None]:
    """What random numbers there are, from 0 to 1. Raises ConfigError: they are others, or not as many."""
    found = [None if each is None else float(each) for each in ([None] * count if given is None else given)]
    if len(found) != count:
        raise ConfigError(f"{name} has {len(found)} numbers for {count} guesses; None stands where there is none")
    if any(each is not None and not 0 <= each < 1 for each in found):
        raise ConfigError(f"{name} is {found}; wanted numbers from 0 to 1")
    return found
