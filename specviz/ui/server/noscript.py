"""What a browser without JavaScript shows: what the page is, and a recorded run as a table."""

from collections.abc import Iterator
from html import escape

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from specviz.config.words import tell
from specviz.styles import PALETTE
from specviz.trace.run import Trace
from specviz.trace.standalone import LANGUAGES
from specviz.trace.terminal import prompt, visible
from specviz.ui import words

APP = b"<gradio-app"
STYLE = (
    "<style>noscript{padding:16px}noscript table{border-collapse:collapse}"
    "noscript :is(th,td){padding:2px 12px;text-align:left;border-bottom:1px solid}</style>"
)


class NoScript:
    """Inserts markup before Gradio's app while the page is sent. Gradio's head= needs a script to take effect."""

    def __init__(self, app: ASGIApp, markup: str) -> None:
        self._app = app
        self._markup = markup.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}

        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)  # sent later, because its content-length changes
                return
            body = message["body"].replace(APP, self._markup + APP, 1)
            MutableHeaders(scope=start)["content-length"] = str(len(body))
            await send(start)
            await send({**message, "body": body})

        is_page = scope["type"] == "http" and scope["path"] == "/"
        await self._app(scope, receive, add if is_page else send)


def markup(trace: Trace | None) -> str:
    """What the page is and that it needs JavaScript, in every language, then a run.

    Token text is hostile, so every cell is escaped.
    """
    paragraphs = "".join(f"<p lang={tag}>{words.widgets(name)['noscript']}</p>" for name, tag in LANGUAGES.items())
    return f"<noscript>{STYLE}<h1>{words.TITLE}</h1>{paragraphs}{_table(trace) if trace else ''}</noscript>"


def _table(trace: Trace) -> str:
    title = words.written_run(trace.info.config.drafter, tell(trace.info.target), prompt(trace, visible))
    rows = [words.WRITTEN_COLUMNS, *_rows(trace)]
    if all(verdict.parent == verdict.node - 1 for step in trace.rounds for verdict in step.verdicts):
        rows = [(*row[:1], *row[2:]) for row in rows]  # each guess follows the one above it
    head = "".join(f"<th scope=col>{name}</th>" for name in rows[0])
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[1:])
    return f"<p>{escape(title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _rows(trace: Trace) -> Iterator[tuple[str, ...]]:
    """A row for each guess, with the token it follows, and one for the target's own token."""
    last = trace.prompt_texts[-1]
    for step in trace.rounds:
        texts = [*(verdict.text for verdict in step.verdicts), last]  # a parent of -1 is the text so far
        for verdict in step.verdicts:
            numbers = f"{verdict.p:.3g}", f"{verdict.q:.3g}"
            yield _row(step.index, texts[verdict.parent], verdict.text, verdict.verdict, *numbers)
        last = texts[step.path[-1] if step.path else -1]
        if step.extra:
            yield _row(step.index, last, step.extra.text, step.extra.emission, f"{step.extra.p:.3g}", "")
            last = step.extra.text


def _row(index: int, after: str, text: str, state: str, p: str, q: str) -> tuple[str, ...]:
    look = PALETTE["states"][state]
    return str(index + 1), visible(after), visible(text), f"{look['glyph']} {look['word']}", p, q
