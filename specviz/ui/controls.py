"""The widgets of the bar and the drawer, built from the catalog, and the RunConfig that their values make."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from specviz.config.costs import Costs
from specviz.config.settings import Choice, Entry, File, Param, RunConfig, Text
from specviz.gamma import ENTRIES as GAMMA_RULES
from specviz.gamma import wants_costs
from specviz.trace.codec import read
from specviz.ui import player, words
from specviz.ui.answers.pairs import Pairs
from specviz.ui.events import Want
from specviz.ui.limits import COSTS, LETTERS

DEFAULTS = RunConfig(prompt=words.PROMPTS["Tale"])
Number = float | int | None
FAR = 2.0**53
"""From here on a browser's numbers cannot represent every whole number."""


@dataclass(frozen=True, slots=True)
class TopBar:
    """The widgets that are always visible: those changed most, Run and Stop."""

    prompt: gr.Textbox
    drafter: gr.Radio
    gamma: gr.Number
    temperature: gr.Number
    run: gr.Button
    stop: gr.Button


@dataclass(frozen=True, slots=True)
class Drawer:
    """The widgets that open on demand. choices: those that a run reads, by the names of `config`."""

    pair: gr.HTML
    recorded: gr.Dropdown
    choices: dict[str, gr.components.Component]


def bar(catalog: tuple[Entry, ...]) -> TopBar:
    """Lays out the bar in the current Blocks context. The fields have no limits, because `config.check` has them."""
    # Two lines, because a field of one line drops newlines.
    prompt = gr.Textbox(DEFAULTS.prompt, label=words.PROMPT, lines=2, max_lines=2, elem_id="sv-prompt")
    drafter = gr.Radio(
        [(words.drafter(entry.name), entry.name) for entry in catalog],
        value=DEFAULTS.drafter,
        label=words.DRAFTER,
        elem_id="sv-drafter",
    )
    gamma = gr.Number(DEFAULTS.gamma, label=words.GAMMA, min_width=60, step=1, elem_id="sv-gamma")
    temperature = gr.Number(
        DEFAULTS.temperature, label=words.TEMPERATURE, min_width=60, step=0.05, elem_id="sv-temperature"
    )
    run = gr.Button(words.RUN, variant="primary", min_width=60, elem_id="sv-run")
    stop = gr.Button(words.STOP, min_width=60, elem_id="sv-stop")
    for label, what in words.BUTTONS.items():
        gr.Button(label, min_width=60, elem_id=f"sv-{what}").click(
            None, None, None, js=player.want(what), api_visibility="private"
        )
    return TopBar(prompt, drafter, gamma, temperature, run, stop)


def drawer(
    catalog: tuple[Entry, ...],
    rules: tuple[Entry, ...],
    pairs: Pairs,
    above: TopBar,
    shipped: tuple[str, ...],
    opened: str | None,
    unread: Sequence[str] = (),
) -> Drawer:
    """Lays out the drawer in the current Blocks context.

    Args:
        unread: a line for each recorded run that could not be read.
    """
    pair = player.pairs(pairs)
    # The player writes the pair's name here and a run reads it. An API client could not set a gr.State.
    name = gr.Textbox(DEFAULTS.pair, label=words.PAIR, visible="hidden", elem_id="sv-pair-name")
    chat = gr.Checkbox(DEFAULTS.chat, label=words.CHAT, info=words.CHAT_HELP, elem_id="sv-chat")
    recorded = _texts(above, shipped, opened, unread)
    gamma_rule = gr.Dropdown(
        [(words.gamma_rule(entry.name), entry.name) for entry in GAMMA_RULES],
        value=DEFAULTS.gamma_rule,
        label=words.GAMMA_RULE,
        info=words.GAMMA_RULE_HELP,
        elem_id="sv-gamma-rule",
    )
    tuning = _params("gamma", GAMMA_RULES, gamma_rule, DEFAULTS.gamma_rule)
    # Likewise the costs of the run on stage, so that it can be repeated exactly. JSON, as in a trace's config.
    costs = gr.Textbox("", label=words.COSTS, visible="hidden", elem_id="sv-costs")
    top_k = gr.Number(DEFAULTS.top_k, label=words.TOP_K, elem_id="sv-top-k")
    top_p = gr.Number(DEFAULTS.top_p, label=words.TOP_P, step=0.05, elem_id="sv-top-p")
    length = gr.Number(DEFAULTS.max_new_tokens, label=words.MAX_NEW_TOKENS, elem_id="sv-length")
    seed = gr.Number(DEFAULTS.seed, label=words.SEED, elem_id="sv-seed")
    rule = gr.Radio(
        [(words.rule(entry.name), entry.name) for entry in rules],
        value=DEFAULTS.rule,
        label=words.RULE,
        info=words.RULE_HELP,
        elem_id="sv-rule",
    )
    params = _params("drafter", catalog, above.drafter, DEFAULTS.drafter)
    return Drawer(
        pair=pair,
        recorded=recorded,
        choices={
            "top_k": top_k,
            "top_p": top_p,
            "max_new_tokens": length,
            "seed": seed,
            "rule": rule,
            **params,
            "pair": name,
            "chat": chat,
            "gamma_rule": gamma_rule,
            **tuning,
            "costs": costs,
        },
    )


def _texts(above: TopBar, shipped: tuple[str, ...], opened: str | None, unread: Sequence[str]) -> gr.Dropdown:
    """Lays out the recorded runs, the button that opens a file, and the ready-made prompts. Returns the runs."""
    recorded = gr.Dropdown(
        [(words.recorded(name), name) for name in shipped],
        value=opened,
        label=words.RECORDED,
        info=" ".join(unread) or None,
        interactive=True,
        elem_id="sv-recorded",
    )
    gr.Button(words.OPEN, elem_id="sv-open").click(
        None, None, None, js=player.want(Want.OPEN), api_visibility="private"
    )
    gr.Markdown(f"### {words.PRESETS}", elem_id="sv-presets-title")
    with gr.Row(elem_id="sv-presets"):
        for name, text in words.PROMPTS.items():
            values = [text, *words.PRESET_METHODS.get(name, ())]
            written = [above.prompt, above.drafter, above.gamma][: len(values)]
            chosen = json.dumps(values if values[1:] else text)
            button = gr.Button(name, size="sm", min_width=40)
            button.click(None, None, written, js=f"() => ({chosen})", api_visibility="private")
    return recorded


def config(
    catalog: tuple[Entry, ...],
    prompt: str,
    drafter: str,
    gamma: Number,
    temperature: Number,
    top_k: Number,
    top_p: Number,
    max_new_tokens: Number,
    seed: Number,
    rule: str,
    *,
    pair: str | None = None,
    chat: bool | None = None,
    gamma_rule: str | None = None,
    costs: str | None = None,
    **params: Any,
) -> RunConfig:
    """The widgets' values as a RunConfig, unchecked.

    Args:
        costs: JSON, used if the gamma rule needs costs; empty to measure them.
        params: of all drafters and gamma rules, such as small_tree_nodes. Those of the chosen two are used.
    """
    gamma_rule = DEFAULTS.gamma_rule if gamma_rule is None else gamma_rule
    return RunConfig(
        prompt=prompt,
        drafter=drafter,
        rule=rule,
        gamma=_whole(gamma),
        temperature=_whole(temperature),
        top_k=_whole(top_k),
        top_p=_whole(top_p),
        max_new_tokens=_whole(max_new_tokens),
        seed=_whole(seed),
        pair=DEFAULTS.pair if pair is None else pair,
        chat=DEFAULTS.chat if chat is None else chat,
        gamma_rule=gamma_rule,
        gamma_params=_chosen(GAMMA_RULES, gamma_rule, params),
        costs=_costs(costs) if costs and wants_costs(gamma_rule) else None,
        params=_chosen(catalog, drafter, params),
    )


def adopted(
    catalog: tuple[Entry, ...], rules: tuple[Entry, ...], above: TopBar, drawer: Drawer, fields: Mapping[str, Any]
) -> dict[gr.components.Component, Any]:
    """The values that set the widgets to a run's config. The player fills in the fields that can be typed; a widget
    keeps its value where it could not show the run's.

    Args:
        fields: a RunConfig's fields, from a page: of any type, and some may be missing. The gamma rule may be named
            by its label, which is all that the page has. Its `recorded` names the recorded run on stage.
    """
    labels = {words.gamma_rule(entry.name): entry.name for entry in GAMMA_RULES}
    if isinstance(label := fields.get("gamma_rule"), str):
        fields = {**fields, "gamma_rule": labels.get(label, label)}
    widgets = {"drafter": above.drafter, **drawer.choices}
    found: dict[gr.components.Component, Any] = {}
    for field, entries in (("drafter", catalog), ("rule", rules), ("gamma_rule", GAMMA_RULES)):
        if fields.get(field) in [entry.name for entry in entries]:
            found[widgets[field]] = fields[field]
    for entries, chosen, values in (
        (catalog, fields.get("drafter"), fields.get("params")),
        (GAMMA_RULES, fields.get("gamma_rule"), fields.get("gamma_params")),
    ):
        known = values if isinstance(values, Mapping) else {}
        for entry in entries:
            for param in _tunable(entry) if entry.name == chosen else ():
                if _fits(param, known.get(param.name)):
                    found[widgets[_key(entry, param)]] = known[param.name]
    if fields.get("recorded") in [name for _, name in drawer.recorded.choices]:
        found[drawer.recorded] = fields["recorded"]
    return found


def _chosen(entries: tuple[Entry, ...], name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of the chosen plug-in."""
    return {
        param.name: _whole(params[key])
        for entry in entries
        for param in _tunable(entry)
        if entry.name == name and (key := _key(entry, param)) in params
    }


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < FAR


def _costs(text: str) -> Any:
    """Costs out of JSON. Anything else is left as it is, for `check` to report."""
    try:
        return read(Costs, json.loads(text), "costs") if len(text) <= COSTS else text
    except (ValueError, RecursionError):
        return text


def _tunable(entry: Entry) -> tuple[Param | Choice | Text, ...]:
    """The parameters that a page can set: all but files, which would be files of the server."""
    return tuple(param for param in entry.params if not isinstance(param, File))


def _fits(param: Param | Choice | Text, value: object) -> bool:
    if isinstance(param, Text):
        return isinstance(value, str)
    return value in param.options if isinstance(param, Choice) else _finite(value)


def _widget(param: Param | Choice | Text, elem_id: str, *, visible: bool) -> gr.Number | gr.Dropdown | gr.Textbox:
    look: dict[str, Any] = {"info": param.help or None, "elem_id": elem_id, "visible": visible}
    if isinstance(param, Choice):
        return gr.Dropdown([*param.options], value=param.default, label=param.name, **look)
    if isinstance(param, Text):
        return gr.Textbox(param.default, label=param.name, max_length=LETTERS, **look)
    return gr.Number(param.default, label=words.param(param.name, param.low, param.high), **look)


def _key(entry: Entry, param: Param | Choice | Text) -> str:
    """A parameter's name among those of all drafters and gamma rules, such as small_tree_nodes."""
    return f"{entry.name}_{param.name}".replace("-", "_")


def _params(
    kind: str, entries: tuple[Entry, ...], chooser: gr.Radio | gr.Dropdown, first: str
) -> dict[str, gr.components.Component]:
    """One widget for each plug-in parameter, by its key, visible while its plug-in is chosen. `first` is chosen at
    first."""
    found: dict[str, gr.components.Component] = {}
    owners: dict[gr.components.Component, str] = {}
    for entry in entries:
        for param in _tunable(entry):
            elem_id = f"sv-{kind}-param-{param.name}"  # only one of each name is visible
            widget = _widget(param, elem_id, visible=entry.name == first)
            found[_key(entry, param)], owners[widget] = widget, entry.name

    def show(chosen: str) -> dict[gr.components.Component, gr.components.Component]:
        return {widget: type(widget)(visible=owner == chosen) for widget, owner in owners.items()}

    if owners:
        chooser.change(show, chooser, [*owners], show_progress="hidden", queue=False, api_visibility="private")
    return found


def _whole(value: Number) -> Any:
    """A widget's number with whole floats as int. Anything else is left as it is, for `check` to report."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
