"""The stage and the pair's control. Each is a gr.HTML whose template never changes and whose script owns its content.

No data ever enters the template, because Gradio evaluates templates as code.
They are made by functions, because Gradio writes a .pyi file beside every subclass.
"""

import dataclasses
import gzip
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

import gradio as gr
from starlette.responses import Response

from specviz import gamma
from specviz.bench.prompts import prompts_of
from specviz.config.methods import CHAT_DRAFTERS, methods
from specviz.config.settings import table
from specviz.shipped import ASSETS
from specviz.trace import standalone
from specviz.trace.run import Trace
from specviz.ui.answers.measurements import Labs
from specviz.ui.answers.pairs import Pairs
from specviz.ui.answers.proofs import CHOICES, Proofs
from specviz.ui.backend import Backend
from specviz.ui.events import Want
from specviz.ui.runs.recording import Delta, Recording
from specviz.ui.runs.recordings import Recordings

_SOURCES = ASSETS / "player"
_SCRIPTS = {
    path.relative_to(_SOURCES).as_posix(): path.read_bytes()
    for path in sorted([*_SOURCES.rglob("*.js"), *_SOURCES.glob("words/*.json")])
    if not path.name.endswith(".test.js")
}
_TYPES = {".js": "text/javascript", ".json": "application/json"}
_CONTENT = hashlib.sha256(b"".join([*_SCRIPTS.values(), version("plotly").encode()]))
SCRIPTS = f"gradio_api/player/{_CONTENT.hexdigest()[:12]}/"
"""The folder of the scripts, below the page. Its name changes with their content, so that browsers may cache them."""
RECORDED = "/gradio_api/recorded/"
"""The folder of the shipped runs. The page fetches each of them whole, without Gradio."""
SHELL = "/gradio_api/shell/"
"""The folder of the page that plays one run, without the run, by language. As text, because nobody should open it as it
is."""
YEAR = 31_536_000
"""Seconds."""
LABS = ("losslessness", "race", "methods", "methods-chat", "article")
"""The tabs that open on recorded answers. The file is null if there are none."""
SERVED = ("messages", "leave", "trace")
"""The functions below that the page may call on the server, by name."""
ROOT = "<script>window.gradio_config.root = location.href.split(/[?#]/)[0].replace(/[/]$/, '');</script>"
"""Tells Gradio where the page came from: behind a proxy the server knows neither scheme and port nor the path."""
_LOADER = """
const page = window.gradio_config.root;
const offered = props.offered ?? {};
const recorded = (run) => fetch(`${page}/gradio_api/recorded/${encodeURIComponent(run)}`).then((found) => found.json());
import(`${page}/${props.scripts}MODULE`)
  .then((player) => player.surroundings(offered.settings).then(() => player))
  .then((player) => player.mount(element.querySelector('section'), {
    read: () => props.value,
    watch: (react) => watch('value', react),
    wants: (react) => window.addEventListener('specviz', (event) => react(event.detail.want)),
    leave: (ask) => server.leave(ask),
    PORT
  }));
"""
# Gradio makes an event of every quoted name that is triggered in a component's script.
STAGE_PORT = """
    fetch: (request) => (
      request.start === 0 && offered.shipped.includes(request.run) ? recorded(request.run) : server.messages(request)
    ),
    recordedLab: (name) => recorded(`lab-${name}`),
    opened: () => trigger('offers', {}),
    prove: (request) => trigger('prove', request),
    race: (request) => trigger('race', request),
    lab: (request) => trigger('lab', request),
    start: () => trigger('start', {}),
    adopt: (config) => trigger('adopt', { ...config, name: 'config' }),
    save: (run) => server.trace({ run }),
    check: (packed) => fetch(`${page}/gradio_api/check`, {
      method: 'POST', headers: { 'content-type': 'application/gzip' }, body: packed,
    }).then((found) => (found.ok ? found.json() : null), () => null),
    shell: () => fetch(`${page}/gradio_api/shell/${document.documentElement.dataset.svLang.slice(0, 2)}`)
      .then((found) => (found.ok ? found.text() : '')),
    alive: () => fetch(`${page}/gradio_api/app_id`, { cache: 'no-store', signal: AbortSignal.timeout(3000) })
      .then(({ ok }) => ok, () => false),
    ...offered,
"""
PAIR_PORT = "bring: (request) => trigger('bring', request),"
_TELL = "window.dispatchEvent(new CustomEvent('specviz', { detail: { want: '%s' } }));"
# Runs in the browser before the server is asked for a run.
BEFORE_RUN = f"(...values) => {{ {_TELL % Want.RUN} return values; }}"


def want(what: Want) -> str:
    """JavaScript for a button whose click goes only to the player."""
    return f"() => {{ {_TELL % what} }}"


def stage(
    recordings: Recordings,
    proofs: Proofs,
    labs: Labs,
    backend: Backend,
    value: Delta | None,
    unread: Sequence[str] = (),
    given: Sequence[str] = (),
) -> gr.HTML:
    """The player. Its value is the newest delta; it fetches missed deltas from the recordings.

    Args:
        unread: a line for each recorded run that could not be read.
        given: the names of those that a person opened the page with.
    """
    functions = [_messages(recordings), _leave(proofs.leave, labs.leave), _trace(recordings)]
    offered = _offered(backend) | {
        "shipped": recordings.shipped,
        "unread": unread,
        "given": given,
        "shared": backend.limits.shared,
    }
    return _html("stage", "main.js", STAGE_PORT, functions, elem_id="sv-stage", value=value, offered=offered)


def pairs(answers: Pairs) -> gr.HTML:
    """The control that offers pairs. Its value is the newest report."""
    return _html("pair", "page/pairs.js", PAIR_PORT, [_leave(answers.leave)], elem_id="sv-pairs")


def _html(part: str, module: str, port: str, functions: Sequence[Callable[..., Any]], **more: Any) -> gr.HTML:
    """A component whose content a script makes. port: what the script may do on the page, as lines of an object."""
    return gr.HTML(
        html_template=f'<section data-sv="{part}" class="s-{part}"></section>',
        css_template="",
        js_on_load=_LOADER.replace("MODULE", module).replace("PORT", port),
        apply_default_css=False,
        server_functions=[*functions],
        scripts=SCRIPTS,
        **more,
    )


def _offered(backend: Backend) -> dict[str, object]:
    """What a person may choose from, for the player."""
    drafters, rules = backend.catalog(), backend.rules()
    lists = {"rules": gamma.ENTRIES, "drafters": drafters, "acceptance": rules}
    lists |= {"methods": methods(drafters, rules), "chat_methods": CHAT_DRAFTERS}
    entries = {name: [dataclasses.asdict(each) for each in every] for name, every in lists.items()}
    texts = {kind: prompts[0] for kind, prompts in prompts_of("smollm2").items()}
    return {**entries, "chat_texts": texts, "proofs": CHOICES, "settings": table(backend.limits)}


def preloads() -> str:
    """Links that make a browser fetch all scripts at once, together with Gradio's own; only the page's language, which
    the server does not know, and Plotly come later."""
    at_once = [name for name in _SCRIPTS if not name.endswith(".json")]
    return "".join(f'<link rel="modulepreload" href="{SCRIPTS}{name}">' for name in at_once)


def responses(traces: Mapping[str, Trace], labs: Mapping[str, str]) -> dict[str, Callable[[], Response]]:
    """What makes the player's scripts, each trace's messages and what each lab opens on, by the path where the page
    fetches it."""
    lasting = {"Cache-Control": f"max-age={YEAR}, immutable"}
    scripts = {**_SCRIPTS, "page/plotly.js": files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()}

    def run(trace: Trace) -> Response:
        return _gzipped(json.dumps([delta["j"] for delta in Recording.of("", trace).deltas()]).encode())

    def shell(language: str) -> Response:
        return Response(standalone.shell(language), media_type="text/plain")

    return {
        **{f"{SHELL}{name}": partial(shell, name) for name in standalone.LANGUAGES},
        **{f"/{SCRIPTS}{name}": partial(_gzipped, each, Path(name).suffix, lasting) for name, each in scripts.items()},
        **{f"{RECORDED}lab-{name}": partial(_gzipped, labs.get(name, "null").encode()) for name in LABS},
        **{f"{RECORDED}{name}": partial(run, trace) for name, trace in traces.items()},
    }


def _gzipped(body: bytes, kind: str = ".json", headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    """What is compressed once for all pages that fetch it; there is no browser that cannot read it."""
    return Response(gzip.compress(body, 6, mtime=0), 200, {"Content-Encoding": "gzip", **headers}, _TYPES[kind])


def _messages(recordings: Recordings) -> Callable[[Any], list[str]]:
    def messages(request: Any) -> list[str]:
        """Messages start..stop-1 of a run; none when the request makes no sense or the run is forgotten."""
        match request:
            case {"run": str(run), "start": int(start), "stop": int(stop)}:
                recording = recordings.get(run)
                return [] if recording is None else recording.messages(start, stop)
        return []

    return messages


def _trace(recordings: Recordings) -> Callable[[Any], str]:
    def trace(request: Any) -> str:
        """A run that is over as the JSON a file of it holds; "" when it is not, or is forgotten."""
        match request:
            case {"run": str(run)}:
                recording = recordings.get(run)
                return "" if recording is None else recording.json()
        return ""

    return trace


def _leave(*given_up: Callable[[object], None]) -> Callable[[Any], None]:
    def leave(ask: Any) -> None:
        """Cancels a question, live or recorded."""
        for cancel in given_up:
            cancel(ask)

    return leave
