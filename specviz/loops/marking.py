"""Marks a speculative loop that somebody wrote, on the built-in pair: what it writes is compared with what the target
alone would, and its trace says which step is to blame. No server imports this, because it runs what a person wrote.
"""

import html
import io
import re
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from specviz.check import loops
from specviz.check.run import problems
from specviz.loops import law, taken
from specviz.models import pair as pairs
from specviz.sampling.arrays import Reals
from specviz.sampling.distribution import Sampling, row
from specviz.trace.info import Missing
from specviz.trace.round import CacheSpan
from specviz.trace.run import Trace
from specviz.trace.standalone import frame
from specviz.verify import LanguageModel

PROMPTS = ("Once upon a time", "The king said to his", "def main():\n    ", "My lord, the night", "for i in range(")
GAMMA, NEW, SHORT = 4, 32, 8
WARM, TEXTS = Sampling(0.8), 200
LETTERS = 100_000
"""Who prints more than this prints without end."""
LOOK = {
    r"q before temperature": "look at the draft: ",
    r"above p/q|tested|the walk says|, but u q|token ended|token that ends": "look at the test: ",
    r"resampled|bonus|extra: ": "look at the replacement: ",
    r"cache": "look at the cut: ",
}
"""By what a contradiction of a trace says."""
CUT = "look at the cut: p is not what the target says after this text, so what has it read?"
WHILE = "look at what ends its rounds"
Ask = tuple[list[int], int, int, float, int, int]
"""What a loop is asked for: prompt, gamma, new, temperature, seed, end."""


class Reader:
    """A model as the loop gets it, which remembers what it read. piece: gives a token's text."""

    def __init__(self, model: LanguageModel, piece: Callable[[int], str], reads: int = 10_000) -> None:
        self.vocab_size, self.piece, self._left = model.vocab_size, piece, reads
        self._model, self._cache = model, model.new_cache(model.context)

    def __len__(self) -> int:
        return self._cache.length

    def read(self, tokens: Sequence[int]) -> Reals:
        """Reads these after what it remembers: the logits of what follows each, float32[n, V]."""
        known, self._left = taken.ids("tokens", tokens), self._left - 1
        if bad := [token for token in known if not 0 <= token < self.vocab_size]:
            raise ValueError(f"read() got token {bad[0]}; wanted ids from 0 to {self.vocab_size - 1}")
        if not known:
            raise ValueError("read() got no token: it remembers them all already; look at the cut")
        if self._left < 0:
            raise ValueError("it reads far more than its text needs; when does it end?")
        return self._model.forward(known, range(len(self), len(self) + len(known)), None, self._cache)

    def cut(self, length: int) -> None:
        """Keeps the first so many tokens."""
        self._cache.truncate(min(length, len(self)))


class Printed(io.StringIO):
    """What a loop prints, up to LETTERS."""

    def write(self, text: str) -> int:
        if self.tell() > LETTERS:
            raise ValueError(f"it printed more than {LETTERS:,} letters")
        return super().write(text)


class Fault(Exception):  # noqa: N818 - nothing of ours failed
    """What is wrong; then, if there is one, a trace that shows it and the first round of it that does."""


class Mark(NamedTuple):
    """What was tried, and how much; or if it did not come out right, the arguments of a Fault."""

    what: str
    says: str
    trace: Trace | None = None
    round: int = 0
    right: bool = True

    def __str__(self) -> str:
        return f"{'✓' if self.right else '✕'} {self.what}: {self.says}"


class Marker:
    """Marks a loop: speculate(target, draft, *Ask), of two Readers, that returns a Trace, or the new tokens alone."""

    def __init__(self, loop: Callable[..., Any]) -> None:
        pair = pairs.load("embedded", "cpu", "float32")
        assert pair.draft, "the built-in pair has a draft model"
        self._loop, self._models, self._piece = loop, (pair.target, pair.draft), pair.tokenizer.piece
        self._prompts, self._end = [pair.tokenizer.encode(text) for text in PROMPTS], min(pair.ends)
        self.printed, self._traces = Printed(), list[Trace]()

    def marks(self) -> Iterator[Mark]:
        """The lines, as they are found; none that only repeats one."""
        said = set[str]()
        for what, attempt in self.tries().items():
            try:
                yield Mark(what, attempt())
            except Fault as fault:
                if fault.args[0] not in said:
                    yield Mark(what, *fault.args)._replace(right=False)
                said.add(fault.args[0])

    def tries(self) -> dict[str, Callable[[], str]]:
        """What is tried, by what it shows. Each says how much it tried, or raises Fault."""
        asks: list[Ask] = [(prompt, GAMMA, NEW, 0.0, 0, self._end) for prompt in self._prompts]
        plain: list[Ask] = [(prompt, 0, SHORT, 0.0, 0, self._end) for prompt in self._prompts]
        found = [(prompt, self._alone(prompt, 2 * SHORT, self._end)) for prompt in self._prompts[:2]]
        ends: list[Ask] = [
            (prompt, GAMMA, 2 * SHORT, 0.0, 0, end) for prompt, text in found for end in {*text} - {*prompt}
        ]
        return {
            "greedy, it writes what the target writes alone": lambda: self._same(asks),
            "an end inside a draft ends the text": lambda: self._same(ends),
            "with γ 0 it decodes plainly": lambda: self._same(plain),
            f"at temperature {WARM.temperature} its tokens have the target's distribution": self._law,
            "every decision in its trace recomputes": self._checked,
        }

    def _written(self, ask: Ask) -> tuple[list[int], list[Trace]]:
        """The new tokens, and the trace if there is one."""
        readers = [Reader(model, self._piece, 100 + 4 * ask[2] * (ask[1] + 2)) for model in self._models]
        try:
            with redirect_stdout(self.printed), redirect_stderr(self.printed):
                given = self._loop(*readers, list(ask[0]), *ask[1:])
            traces = [given] if isinstance(given, Trace) else []
            return [*taken.ids("what the loop returns", traces[0].tokens if traces else given)], traces
        except (Exception, SystemExit) as error:
            raise Fault(f"it stopped{where(error)}") from error

    def _alone(self, prompt: list[int], new: int, end: int) -> list[int]:
        """What the target writes without guesses, at temperature 0."""
        reader, tokens, unread = Reader(self._models[0], self._piece), list[int](), prompt
        while len(tokens) < new and tokens[-1:] != [end]:
            tokens.append(int(reader.read(unread)[-1].argmax()))
            unread = tokens[-1:]
        return tokens

    def _same(self, asks: Sequence[Ask]) -> str:
        """Raises Fault: a text is not what the target writes alone."""
        for ask in asks:
            prompt, new, end = ask[0], ask[2], ask[-1]
            wanted, (tokens, traces) = self._alone(prompt, new, end), self._written(ask)
            if wanted[-1] != end:
                tokens = tokens[:new]  # a loop may write its last round to the end
            if tokens != wanted:
                mine, its = ([*map(self._piece, each), "nothing"] for each in (tokens, wanted))
                at = next(at for at, (one, other) in enumerate(zip(mine, its, strict=False)) if one != other)
                before = "".join([*map(self._piece, prompt), *its[:at]])[-30:]
                says = f"after {before!r} it writes {mine[at]!r}, the target {its[at]!r}"
                raise blamed(says, traces, WHILE if "nothing" in (mine[at], its[at]) else CUT, len(prompt) + at)
        return f"{len(asks)} texts"

    def _law(self) -> str:
        """Raises Fault: many short texts are not drawn from the target's distribution."""
        spans, texts = list[list[law.Span]](), set[tuple[int, ...]]()
        for seed in range(TEXTS):
            prompt, gamma = self._prompts[seed % len(PROMPTS)], 1 + seed // len(PROMPTS) % GAMMA
            tokens, traces = self._written((prompt, gamma, SHORT, WARM.temperature, seed, self._end))
            self._traces += traces
            if len(tokens) < SHORT and tokens[-1:] != [self._end]:
                raise blamed(f"seed {seed} gives {len(tokens)} tokens of {SHORT} and no end", traces, WHILE)
            texts.add((*prompt, *tokens[:SHORT]))
            read = [Reader(each, self._piece).read([*prompt, *tokens])[len(prompt) - 1 :] for each in self._models]
            for token, *logits in zip(tokens[:SHORT], *read, strict=False):
                spans.append(law.rulers(token, *(row(each, WARM) for each in logits)))
        if len(texts) <= GAMMA * len(PROMPTS):
            raise Fault("every seed gives the same text; look at where it takes its random numbers from")
        if wrong := law.wrong_step(self._traces):
            raise Fault(*wrong)
        if (least := min(map(law.p_value, zip(*spans, strict=True)))) < law.LEVEL:
            raise blamed(f"{len(spans):,} tokens, p-value {least:.0e}", self._traces, CUT)
        return f"{len(spans):,} tokens"

    def _checked(self) -> str:
        """Raises Fault: a trace contradicts itself, or many together show a bug."""
        _, traces = self._written((self._prompts[0], GAMMA, 3 * NEW, WARM.temperature, 0, self._end))
        if not traces:
            return "not tried; let it return recorder.trace()"
        traces += self._traces
        if problems(traces[0]):
            raise blamed("", traces, "")
        rounds = tuple(step for trace in traces for step in trace.rounds)
        for line in loops.bugs(replace(traces[0], rounds=rounds)):
            raise Fault(pointed(line), traces[0], 0)
        return f"{len(rounds):,} rounds"


class Marks(tuple[Mark, ...]):
    """All marks of a loop. A notebook shows them as lines, and the first run that went wrong, at its round."""

    def __repr__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>" + next((frame(*shown) for shown in wrong(self)), "")


def mark(loop: Callable[..., Any]) -> Marks:
    """Marks a loop in this process, see Marker. `specviz exercise mark` gives it a process of its own."""
    return Marks(Marker(loop).marks())


def blamed(says: str, traces: Sequence[Trace], otherwise: str, at: int = 0) -> Fault:
    """The fault with what its trace contradicts, else with what else is to blame and the round of token `at`."""
    if not traces:
        return Fault(says)
    trace, lines = traces[0], problems(traces[0])
    found = re.search(r"round (\d+)", lines[0]) if lines else None
    first = next((each.index for each in trace.rounds if each.position + len(each.tokens) > at), 0)
    reason = pointed(lines[0]) if lines else otherwise
    return Fault("; ".join(filter(None, (says, reason))), trace, int(found[1]) if found else first)


def pointed(line: str) -> str:
    """A contradiction of a trace, after where to look."""
    return next((look for says, look in LOOK.items() if re.search(says, line)), "") + line.removeprefix("bug: ")


def where(error: BaseException) -> str:
    """The line of a person's own file that an error comes from, and the error in one line."""
    ours = ("<frozen", str(Path(__file__).parent))
    frames = [each for each in traceback.extract_tb(error.__traceback__) if not each.filename.startswith(ours)]
    own = [frame.lineno for frame in frames if frame.filename == frames[0].filename]
    return f"{f' in line {own[-1]}' if own else ''}: {type(error).__name__}: {' '.join(str(error).split())[:200]}"


def page(marks: Sequence[Mark], path: Path) -> str:
    """Writes a page of the first trace that shows what is wrong: its address, on the round; "" if none can be drawn."""
    for shown, place in wrong(marks):
        path.write_text(shown.to_html(), encoding="utf-8")
        return path.absolute().as_uri() + place
    return ""


def wrong(marks: Sequence[Mark]) -> Iterator[tuple[Trace, str]]:
    """What a page can draw of what is wrong, and at which place, as a link says it."""
    for mark in marks:
        if mark.trace and (shown := drawable(mark.trace)):
            yield shown, f"#v=1&at={mark.round + 1}.verify"


def drawable(trace: Trace) -> Trace | None:
    """The trace as a page opens it; None: no page can. Wrong lengths of a cache are left out."""
    if any(step.path != tuple(range(len(step.path))) for step in trace.rounds):
        return None
    spans = [
        CacheSpan(each.position - 1, each.position + len(each.verdicts), each.position + len(each.path))
        for each in trace.rounds
    ]
    if all(each.target_cache == span for each, span in zip(trace.rounds, spans, strict=True)):
        return trace
    rounds = tuple(replace(each, target_cache=span) for each, span in zip(trace.rounds, spans, strict=True))
    info = replace(trace.info, missing=tuple(sorted({*trace.info.missing, Missing.CACHE})))
    return replace(trace, info=info, rounds=rounds)
