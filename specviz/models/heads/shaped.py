"""Makes a head from its file: the shape that its training noted, and a tensor of the right size for every part."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar, get_args, get_origin

from torch import nn

from specviz.config.settings import ConfigError
from specviz.models.heads.files import IDS, Head
from specviz.verify import HeadedModel

Shape = TypeVar("Shape")
Module = TypeVar("Module", bound=nn.Module)


def filled(head: Head, kind: type[Shape], new: Callable[[Shape], Module], target: HeadedModel) -> Module:
    """A module of the shape that the file notes, with its weights.

    Args:
        kind: a dataclass of numbers, truths and tuples of numbers, that has `width` and `layers`.

    Raises:
        ConfigError: it does not fit the target, or a part is missing or of another size.
    """
    noted = head.facts.get("shape")
    values = dict(noted) if isinstance(noted, dict) else {}
    parts = fields(_a_dataclass(kind))
    for each in parts:
        values[each.name] = _value(head, each.name, each.type, values.get(each.name))
    if values["width"] != target.width:
        raise ConfigError(
            f"{head.path} is for states of {values['width']:,} numbers, this target's have {target.width:,}"
        )
    if unknown := [layer for layer in values["layers"] if layer > target.layers]:
        raise ConfigError(f"{head.path} reads layer {unknown[0]}, this target has {target.layers}")
    module = new(kind(**{each.name: values[each.name] for each in parts}))
    module.load_state_dict({name: head.take(name, *each.shape) for name, each in module.state_dict().items()})
    head.emptied(IDS.__eq__)
    return module.eval().requires_grad_(requires_grad=False)


def _a_dataclass(kind: Any) -> Any:
    return kind


def _value(head: Head, name: str, kind: Any, value: Any) -> Any:
    if get_origin(kind) is tuple and isinstance(value, list) and value:
        return tuple(_value(head, name, get_args(kind)[0], each) for each in value)
    if type(value) is kind and value >= 0:
        return value
    raise ConfigError(f"{head.path} does not say its shape ({name}); make it with specviz train")
