"""Makes a head from its file: the shape that its training noted, and a tensor of the right size for every part."""

from collections.abc import Callable
from dataclasses import fields
from typing import TypeVar, get_args, get_origin

from torch import nn

from specviz.config import ConfigError
from specviz.models.heads.files import Head
from specviz.verify import OpenModel

Shape = TypeVar("Shape")
Module = TypeVar("Module", bound=nn.Module)


def filled(head: Head, kind: type[Shape], new: Callable[[Shape], Module], target: OpenModel) -> Module:
    """A module of the shape that the file notes, with its weights.

    Args:
        kind: a dataclass of numbers, truths and tuples of numbers, that has `width` and `layers`.

    Raises:
        ConfigError: it does not fit the target, or a part is missing or of another size.
    """
    noted = head.facts.get("shape")
    found = dict(noted) if isinstance(noted, dict) else {}
    for each in fields(kind):  # type: ignore[arg-type] - a dataclass
        found[each.name] = _value(head, each.name, each.type, found.get(each.name))
    if found["width"] != target.width:
        raise ConfigError(
            f"{head.path} is for states of {found['width']:,} numbers, this target's have {target.width:,}"
        )
    if unknown := [layer for layer in found["layers"] if layer > target.layers]:
        raise ConfigError(f"{head.path} reads layer {unknown[0]}, this target has {target.layers}")
    module = new(kind(**{each.name: found[each.name] for each in fields(kind)}))  # type: ignore[arg-type]
    module.load_state_dict({name: head.take(name, *each.shape) for name, each in module.state_dict().items()})
    return module.eval().requires_grad_(requires_grad=False)


def _value(head: Head, name: str, kind: object, value: object) -> object:
    if get_origin(kind) is tuple and isinstance(value, list) and value:
        return tuple(_value(head, name, get_args(kind)[0], each) for each in value)
    if isinstance(kind, type) and type(value) is kind and (kind is bool or value >= 0):  # type: ignore[operator]
        return value
    raise ConfigError(f"{head.path} does not say its shape ({name}); make it with specviz train")
