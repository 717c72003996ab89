"""The widgets of the bar and the drawer, one for each setting, and the RunConfig that their values make."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gradio as gr

from specviz.config.costs import Costs
from specviz.config.settings import SETTINGS, Choice, Entry, File, Group, Kind, Param, RunConfig, Setting, Text
from specviz.config.typed import texts
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.gamma import wants_costs
from specviz.trace.codec import read
from specviz.ui import player, words
from specviz.ui.answers.pairs import Pairs
from specviz.ui.backend import Backend
from specviz.ui.limits import COSTS, LETTERS

Catalog = Mapping[str, Sequence[Entry]]
"""The plug-ins that a setting chooses from, by its name."""
FAR = 2.0**53
"""From here on a browser's numbers cannot represent every whole number."""
_DEFAULTS = {setting.name: setting.default for setting in SETTINGS}
OPTIONAL = (Group.MODELS, Group.LENGTH, Group.TEXT)
"""Settings that programs may leave out, or give as null, when they call /run."""
UNSEEN = ("pair", "costs", "earlier")
"""Settings that the player writes and a run reads, so that nobody sees them. An API client could not set a gr.State."""


@dataclass(slots=True)
class Controls:
    """What a run reads: the widget of each setting, and of each plug-in's parameter, by the names that programs give
    /run. Laid out in the current Blocks context, group by group.
    """

    catalog: Catalog
    settings: Sequence[Setting] = SETTINGS
    widgets: dict[str, gr.components.Component] = field(default_factory=dict)
    params: dict[str, dict[str, gr.components.Component]] = field(default_factory=dict)

    def lay_out(self, group: Group) -> None:
        """Makes a group's widgets. Numbers have no limits, because `config.check` has them."""
        for setting in self.settings:
            if setting.group is group and setting.kind is Kind.PARAMS:
                self.params[setting.name] = self._params(setting.of)
            elif setting.group is group:
                self.widgets[setting.name] = self._widget(setting)

    @property
    def inputs(self) -> dict[str, gr.components.Component]:
        """All of them, in the order of the settings."""
        widgets: dict[str, gr.components.Component] = {}
        for setting in self.settings:
            if setting.name in self.widgets:
                widgets[setting.name] = self.widgets[setting.name]
            widgets |= self.params.get(setting.name, {})
        return widgets

    def _widget(self, setting: Setting) -> gr.components.Component:
        look: dict[str, Any] = {
            "value": setting.default,
            "label": words.widgets()["labels"][setting.name],
            "elem_id": _id(setting.name),
        }
        if setting.name in UNSEEN:
            return gr.Textbox(**look | {"value": setting.default or ""}, visible="hidden")
        if setting.is_number:
            return gr.Number(**look, min_width=60, step=setting.step)
        look["info"] = words.widgets()["help"].get(setting.name)
        if setting.kind is Kind.FLAG:
            return gr.Checkbox(**look)
        if setting.kind is Kind.ENTRY:
            names = [entry.name for entry in self.catalog[setting.name]]
            return gr.Radio([(words.entry(setting.name, name), name) for name in names], **look)
        if setting.options:
            return gr.Radio([(words.entry(setting.name, name), name) for name in setting.options], **look)
        if setting.kind is Kind.TEXTS:
            most = setting.many * (2 * int(setting.high or 0) + 1)  # a backslash before each letter, and newlines
            return gr.Textbox(**look | {"value": ""}, lines=2, max_lines=setting.many, max_length=most)
        # Two lines, because a field of one line drops newlines.
        value, lines = (words.PROMPT, 2) if setting.default is None else (setting.default, 8)
        return gr.Textbox(**look | {"value": value}, lines=2, max_lines=lines)

    def _params(self, chooser: str) -> dict[str, gr.components.Component]:
        """One widget for each parameter of the plug-ins that a setting chooses from, visible while its plug-in is
        chosen."""
        widgets: dict[str, gr.components.Component] = {}
        owners: dict[gr.components.Component, str] = {}
        for entry, param in _parameters(self.catalog[chooser]):
            # Only one of each name is visible.
            elem_id = f"{_id(chooser)}-param-{param.name}"
            widget = _param_widget(entry, param, elem_id, visible=entry.name == _DEFAULTS[chooser])
            widgets[_key(entry, param)], owners[widget] = widget, entry.name

        def show(chosen: str) -> dict[gr.components.Component, gr.components.Component]:
            return {widget: type(widget)(visible=owner == chosen) for widget, owner in owners.items()}

        if owners:
            made: Any = self.widgets[chooser]
            made.change(show, made, [*owners], show_progress="hidden", queue=False, api_visibility="private")
        return widgets


def catalog(backend: Backend) -> Catalog:
    """What this backend offers."""
    return {"drafter": backend.catalog(), "rule": backend.rules(), "gamma_rule": GAMMA_RULES}


def bar(controls: Controls) -> tuple[gr.Button, gr.Button]:
    """Lays out what is always visible: the settings changed most, Run and Stop, which it returns."""
    controls.lay_out(Group.BAR)
    labels = words.widgets()["buttons"]
    run = gr.Button(labels["run"], variant="primary", min_width=60, elem_id="sv-run")
    stop = gr.Button(labels["stop"], min_width=60, elem_id="sv-stop")
    for what in words.BUTTONS:
        gr.Button(labels[what], min_width=60, elem_id=f"sv-{what}").click(
            None, None, None, js=player.want(what), api_visibility="private"
        )
    return run, stop


def drawer(controls: Controls, pairs: Pairs) -> gr.HTML:
    """Lays out what opens on demand; the player adds examples and looks. Returns the control of pairs."""
    pair = player.pairs(pairs)
    controls.lay_out(Group.MODELS)
    controls.lay_out(Group.LENGTH)
    controls.lay_out(Group.DECODING)
    with gr.Column(elem_id=_id("text")):  # the player folds it
        controls.lay_out(Group.TEXT)
    return pair


def config(catalog: Catalog, settings: Sequence[Setting] = SETTINGS, kind: Any = RunConfig, **choices: Any) -> Any:
    """The widgets' values as a RunConfig, unchecked. What is missing has its default.

    Args:
        kind: RunConfig, or a class with more settings.
        choices: also the parameters of all drafters and gamma rules, such as small_tree_nodes. Those of the chosen
            two are used. costs is JSON, used if the gamma rule needs costs; empty to measure them. earlier is JSON too,
            a list of turns. Several texts have one line each.
    """
    values: dict[str, Any] = {}
    for setting in settings:
        if setting.kind is Kind.PARAMS:
            chosen = choices.get(setting.of, _DEFAULTS[setting.of])
            values[setting.name] = {
                param.name: _whole(choices[key])
                for entry, param in _parameters(catalog[setting.of])
                if entry.name == chosen and (key := _key(entry, param)) in choices
            }
        elif setting.kind is Kind.COSTS:
            text = choices.get(setting.name)
            values[setting.name] = _costs(text) if text and wants_costs(choices.get("gamma_rule", "")) else None
        elif setting.kind is Kind.TURNS:
            values[setting.name] = _turns(choices.get(setting.name) or "[]")
        elif setting.kind is Kind.TEXTS:
            values[setting.name] = texts(choices.get(setting.name) or "")
        elif setting.name in choices and (choices[setting.name] is not None or setting.group not in OPTIONAL):
            values[setting.name] = _whole(choices[setting.name])
    return kind(**values)


def values_of(controls: Controls, fields: Mapping[str, Any]) -> dict[gr.components.Component, Any]:
    """The values that set the widgets to a run's config. The player fills in the fields that can be typed; a widget
    keeps its value where it could not show the run's, and a parameter that the run does not name has its default.

    Args:
        fields: a RunConfig's fields, from a page: of any type, and some may be missing.
    """
    values: dict[gr.components.Component, Any] = {}
    for setting in controls.settings:
        value = fields.get(setting.name)
        offered = [entry.name for entry in controls.catalog.get(setting.name, ())] or setting.options
        if setting.name in controls.widgets and value in offered:
            values[controls.widgets[setting.name]] = value
        elif setting.kind is Kind.PARAMS and isinstance(value, Mapping):
            for entry, param in _parameters(controls.catalog[setting.of]):
                if entry.name == fields.get(setting.of):
                    given = value.get(param.name)
                    widget = controls.params[setting.name][_key(entry, param)]
                    values[widget] = given if _fits(param, given) else param.default
    return values


def _id(name: str) -> str:
    """The id of a setting's widget. The page's scripts and style sheets know it."""
    return f"sv-{name.replace('_', '-')}"


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < FAR


def _costs(text: str) -> Any:
    """Costs out of JSON. Anything else is left as it is, for `check` to report."""
    try:
        return read(Costs, json.loads(text), "costs") if len(text) <= COSTS else text
    except (ValueError, RecursionError):
        return text


def _turns(text: Any) -> Any:
    """Turns out of JSON. Anything else is left as it is, for `check` to report."""
    try:
        turns = json.loads(text)
    except (ValueError, RecursionError, TypeError):
        return text
    return tuple(turns) if isinstance(turns, list) else text


def _parameters(entries: Sequence[Entry]) -> list[tuple[Entry, Param | Choice | Text]]:
    """The parameters that a page can set, with their plug-ins: all but files, which would be files of the server."""
    return [(entry, param) for entry in entries for param in entry.params if not isinstance(param, File)]


def _fits(param: Param | Choice | Text, value: object) -> bool:
    if isinstance(param, Text):
        return isinstance(value, str)
    return value in param.options if isinstance(param, Choice) else _finite(value)


def _param_widget(
    entry: Entry, param: Param | Choice | Text, elem_id: str, *, visible: bool
) -> gr.Number | gr.Slider | gr.Dropdown | gr.Textbox:
    """The class names the plug-in, to put its words into another language (assets/controls.js). A share is
    moved from 0 to 1."""
    look: dict[str, Any] = {"info": entry.help(param.name), "elem_id": elem_id, "visible": visible}
    look["elem_classes"] = [f"sv-of-{entry.name}"]
    if isinstance(param, Choice):
        return gr.Dropdown([*param.options], value=param.default, label=param.name, **look)
    if isinstance(param, Text):
        return gr.Textbox(param.default, label=param.name, max_length=LETTERS, **look)
    look["label"] = words.param(param.name, param.low, param.high)
    if (param.low, param.high, param.whole) == (0, 1, False):
        return gr.Slider(0, 1, param.default, step=0.01, buttons=[], **look)
    return gr.Number(param.default, **look)


def _key(entry: Entry, param: Param | Choice | Text) -> str:
    """A parameter's name among those of all drafters and gamma rules, such as small_tree_nodes."""
    return f"{entry.name}_{param.name}".replace("-", "_")


def _whole(value: object) -> Any:
    """A widget's number with whole floats as int. Anything else is left as it is, for `check` to report."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
