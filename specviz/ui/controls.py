"""The left column: what a person can choose, built from the catalog, and the RunConfig it amounts to."""

import json
from dataclasses import dataclass
from typing import Any

import gradio as gr

from specviz.config import Entry, RunConfig
from specviz.ui import words

DEFAULTS = RunConfig(prompt=words.PROMPTS["Tale"])
Number = float | int | None


@dataclass(frozen=True, slots=True)
class Controls:
    """The widgets. inputs are those a run reads, in the order config() takes them."""

    recorded: gr.Dropdown
    inputs: list[gr.components.Component]
    run: gr.Button
    stop: gr.Button


def build(catalog: tuple[Entry, ...], shipped: tuple[str, ...], opened: str | None) -> Controls:
    """Lays the controls out in the current Blocks context."""
    recorded = gr.Dropdown(
        [(words.recorded(name), name) for name in shipped],
        value=opened,
        label=words.RECORDED,
        interactive=True,
        elem_id="sv-recorded",
    )
    drafter = gr.Radio(
        [(words.drafter(entry.name), entry.name) for entry in catalog],
        value=DEFAULTS.drafter,
        label=words.DRAFTER,
        elem_id="sv-drafter",
    )
    params = _params(catalog, drafter)
    prompt = gr.Textbox(DEFAULTS.prompt, label=words.PROMPT, lines=3, max_lines=3, elem_id="sv-prompt")
    with gr.Row(elem_id="sv-presets"):
        for genre, text in words.PROMPTS.items():
            gr.Button(genre, size="sm", min_width=40).click(
                None, None, prompt, js=f"() => {json.dumps(text)}", api_visibility="private"
            )
    gamma = gr.Slider(0, 20, DEFAULTS.gamma, step=1, label=words.GAMMA, buttons=[])
    temperature = gr.Slider(0, 2, DEFAULTS.temperature, step=0.05, label=words.TEMPERATURE, buttons=[])
    with gr.Row():
        top_k = gr.Number(DEFAULTS.top_k, label=words.TOP_K, min_width=80)
        top_p = gr.Number(DEFAULTS.top_p, label=words.TOP_P, min_width=80, step=0.05)
    with gr.Row():
        length = gr.Number(DEFAULTS.max_new_tokens, label=words.MAX_NEW_TOKENS, min_width=80)
        seed = gr.Number(DEFAULTS.seed, label=words.SEED, min_width=80)
    with gr.Row(elem_id="sv-go"):
        run = gr.Button(words.RUN, variant="primary", min_width=80)
        stop = gr.Button(words.STOP, min_width=80)
    return Controls(recorded, [prompt, drafter, gamma, temperature, top_k, top_p, length, seed, *params], run, stop)


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
    *params: Number,
) -> RunConfig:
    """What the widgets hold as a RunConfig, unjudged; params in catalog order, of which the drafter's own are kept."""
    owners = [(entry.name, param.name) for entry in catalog for param in entry.params]
    return RunConfig(
        prompt=prompt,
        drafter=drafter,
        gamma=_plain(gamma),
        temperature=_plain(temperature),
        top_k=_plain(top_k),
        top_p=_plain(top_p),
        max_new_tokens=_plain(max_new_tokens),
        seed=_plain(seed),
        params={name: _plain(value) for (owner, name), value in zip(owners, params, strict=False) if owner == drafter},
    )


def _params(catalog: tuple[Entry, ...], drafter: gr.Radio) -> list[gr.components.Component]:
    """One number per plug-in parameter, on screen while its drafter is chosen."""
    owners: dict[gr.components.Component, str] = {}
    for entry in catalog:
        for param in entry.params:
            label = words.param(param.name, param.low, param.high)
            shown = entry.name == DEFAULTS.drafter
            owners[gr.Number(param.default, label=label, info=param.help or None, visible=shown)] = entry.name

    def show(chosen: str) -> dict[gr.components.Component, gr.Number]:
        return {widget: gr.Number(visible=owner == chosen) for widget, owner in owners.items()}

    if owners:
        drafter.change(show, drafter, [*owners], show_progress="hidden", queue=False, api_visibility="private")
    return [*owners]


def _plain(value: Number) -> Any:
    """A widget's number with whole floats as int; anything else as it is, for check() to judge."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
