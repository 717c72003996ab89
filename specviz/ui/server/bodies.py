"""Checks a request's body before Gradio reads it.

Gradio answers many malformed bodies with an internal error and a traceback in the log. Whether the run can be made is
checked elsewhere.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, get_type_hints

import gradio as gr

from specviz.config.settings import shortened
from specviz.ui.limits import SESSION_NAME
from specviz.ui.player import SERVED

UNFIT = 422
"""The status of what a Gradio client passes on in our own words."""

_FLAGS = ("batched", "simple_format")
"""What only Gradio's own server side sets."""
_NAMES = ("event_id", "oauth_token")
"""What it reads as text, where it is there."""
_ENDS: Mapping[str, Mapping[str, type]] = {
    "cancel": {"session_hash": str, "fn_index": int, "event_id": str},
    "reset": {"event_id": str},
}
"""The argument that names what each ending call ends."""


class Wrong(NamedTuple):
    """What is wrong with a body, in one line."""

    status: int
    line: str


def wrong(call: str, body: bytes, blocks: gr.Blocks) -> Wrong | None:
    """What is wrong with the body of a POST to that call, such as "queue/join"; None if Gradio may have it."""
    try:
        content = json.loads(body)
        written = json.dumps(content)
    except (ValueError, RecursionError):
        return Wrong(400, "the body is not JSON")
    if not isinstance(content, dict):
        return Wrong(400, "wanted an object, with names")
    if '"path": ' in written:  # Gradio would take it for a file; in a text the quotes are escaped
        return Wrong(400, "no file is taken here")
    session = content.get("session_hash")
    if session is not None and not (isinstance(session, str) and 0 < len(session) <= SESSION_NAME):
        return Wrong(400, f"wanted session_hash as text of 1 to {SESSION_NAME} letters")
    if call in _ENDS:
        return _ending(_ENDS[call], content)
    if call == "component_server":
        return _served(content, session, blocks)
    if call == "call/v2/run":
        return _named(content, blocks)
    return _function(call, content, blocks)


def _ending(wanted: Mapping[str, type], content: Mapping[str, Any]) -> Wrong | None:
    """Checks a call that ends something."""
    if all(type(content.get(name)) is kind for name, kind in wanted.items()):
        return None
    return Wrong(UNFIT, f"wanted {', '.join(wanted)} as they were told")


def _function(call: str, content: Mapping[str, Any], blocks: gr.Blocks) -> Wrong | None:
    """Checks a call of a function by number, or of the run by name, with its values in order."""
    index = content.get("fn_index")
    if call == "call/run":
        index = next(number for number, fn in blocks.fns.items() if fn.api_name == "run")
    fn = blocks.fns.get(index) if type(index) is int else None
    if fn is None or fn.fn is None or (fn.queue is False) != (call == "run/predict"):
        return Wrong(404, f"no function to ask there: {shortened(index)}")
    trigger = content.get("trigger_id")
    if not (trigger is None or (type(trigger) is int and trigger in blocks.blocks)):
        return Wrong(400, f"trigger_id is {shortened(trigger)}; wanted the number of a component")
    if any(content.get(name, False) is not False for name in _FLAGS):
        return Wrong(400, f"{' and '.join(_FLAGS)} are not to be set")
    if not all(isinstance(content.get(name), str | None) for name in _NAMES):
        return Wrong(400, f"wanted {' and '.join(_NAMES)} as text")
    if _asks(fn.fn) and not _question(content.get("event_data")):
        return Wrong(UNFIT, "wanted event_data with a run, or a name")
    data, inputs = content.get("data"), [each for each in fn.inputs if isinstance(each, gr.components.Component)]
    counts = {len(inputs), len(_public(inputs))} if call == "call/run" else {len(inputs)}
    if not isinstance(data, list) or (len(data) not in counts and not fn.cancels):
        many = f"{len(data)} values" if isinstance(data, list) else "no list"
        return Wrong(UNFIT, f"data has {many}; wanted {len(inputs)}")
    return _unfit(inputs if len(data) == len(inputs) else _public(inputs), data)


def _named(content: Mapping[str, Any], blocks: gr.Blocks) -> Wrong | None:
    """Checks a call of the run with its values by name."""
    info = blocks.get_api_info()["named_endpoints"]["/run"]["parameters"]
    inputs = _public(next(fn.inputs for fn in blocks.fns.values() if fn.api_name == "run"))
    components_of = {param["parameter_name"]: component for param, component in zip(info, inputs, strict=True)}
    needed = {param["parameter_name"] for param in info if not param["parameter_has_default"]}
    values = {name: value for name, value in content.items() if name != "oauth_token"}
    if unknown := [name for name in values if name not in components_of]:
        return Wrong(UNFIT, f"there is no {shortened(unknown[0])}; wanted some of: {', '.join(components_of)}")
    if missing := sorted(needed - {*values}):
        return Wrong(UNFIT, f"there is nothing for {missing[0]}")
    return _unfit([components_of[name] for name in values], [*values.values()])


def _served(content: Mapping[str, Any], session: str | None, blocks: gr.Blocks) -> Wrong | None:
    """Checks a call of a component's function by the player."""
    number, name = content.get("component_id"), content.get("fn_name")
    component = blocks.blocks.get(number) if type(number) is int else None
    if name not in SERVED or session is None or "data" not in content or getattr(component, name, None) is None:
        return Wrong(404, f"wanted fn_name as one of: {', '.join(SERVED)}, a component that has it, session_hash, data")
    return None


@cache
def _asks(listener: Callable[..., Any]) -> bool:
    """True if the listener reads its question from the event."""
    return gr.EventData in get_type_hints(listener).values()


def _question(event: object) -> bool:
    return isinstance(event, dict) and any(isinstance(event.get(name), str) for name in ("run", "name"))


def _unfit(components: Sequence[Any], values: Sequence[Any]) -> Wrong | None:
    """The first value that is none of its component's choices. A run's own messages about the others are clearer."""
    for component, value in zip(components, values, strict=False):
        choices = [choice for _, choice in getattr(component, "choices", ())]
        if value is not None and choices and not (isinstance(value, str) and value in choices):
            wanted = ", ".join(map(str, choices))
            return Wrong(UNFIT, f"{component.label or 'a value'} is {shortened(value)}; wanted one of: {wanted}")
    return None


def _public(inputs: Sequence[Any]) -> list[Any]:
    return [each for each in inputs if not each.skip_api]
