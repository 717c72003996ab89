"""A comparison of methods as text, the fastest first.

`python -m specviz.bench.methods_report` puts it into the READMEs.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from specviz.bench.clock import Spread
from specviz.bench.methods import GAMMA, RIVALS, MethodsReport, Timed
from specviz.config.methods import Method
from specviz.proof.findings import Exactness
from specviz.shipped import ASSETS
from specviz.trace.codec import read
from specviz.trace.info import Forward

RECORD = ASSETS / "bench" / "methods-cpu.json"
"""What `specviz bench --json` wrote, whose tables are in the READMEs."""
BLOCK = re.compile(r"(?<=<!-- specviz bench -->\n).*?(?=\n<!-- /specviz bench -->)", re.DOTALL)


def lines(report: MethodsReport) -> Iterator[str]:
    """Everything that was found."""
    yield "Speed-up over specviz's own plain decoding; median (lowest to highest lap)"
    yield from table(report)
    yield ""
    plain = ", ".join(
        f"{kind} {each.median:.0f} ({each.low:.0f} to {each.high:.0f})" for kind, each in report.plain.items()
    )
    yield f"plain decoding, tokens a second: {plain}"
    yield made_on(report)
    yield f"target {report.target} ({_way(report.target_forward)})" + ("," if report.draft_forward else "")
    if report.draft_forward:
        yield f"draft {report.draft} ({_way(report.draft_forward)})"
    for name, reason in report.lacking.items():
        yield f"left out: {name}: {reason}"


def table(report: MethodsReport) -> Iterator[str]:
    """Markdown: each method with its ranges."""
    yield f"| method | γ | all | {' | '.join(report.plain)} | tokens per pass | α | exact |"
    yield "|---|---|---|" + "---|" * (len(report.plain) + 3)
    for method, row in _fastest_first(report):
        speedups = " | ".join(_range(each) for each in (row.overall, *row.speedups.values()))
        counts = " | ".join("–" if each is None else f"{each:.2f}" for each in (row.tokens_per_pass, row.alpha))
        gamma = method.gamma if method else GAMMA
        yield f"| {_name(method, row)} | {gamma} | {speedups} | {counts} | {exact(row.exact)} |"


def brief(report: MethodsReport) -> Iterator[str]:
    """Markdown, for the top README: the three fastest methods and transformers' own, by kind of text."""
    yield f"| method | {' | '.join(report.plain)} | exact |"
    yield "|---|---|" + "---|" * len(report.plain)
    rows = _fastest_first(report)
    for method, row in [*[row for row in rows if row[0]][:3], *[row for row in rows if not row[0]]]:
        speedups = " | ".join(f"{each.median:.2f}" for each in row.speedups.values())
        yield f"| {_name(method, row)} | {speedups} | {exact(row.exact)} |"


def exact(result: Exactness | None) -> str:
    """Texts that equal plain decoding's, of how many, and p of the sampled tokens; ✕ if it is not exact."""
    if result is None:
        return "–"
    tied = f" ({result.ties} tied)" if result.ties else ""
    p = "" if result.p_value is None else f", p {result.p_value:.2f}"
    return f"{'' if result.holds else '✕ '}{result.equal}/{result.prompts}{tied}{p}"


def made_on(report: MethodsReport) -> str:
    """Where and how the figures were measured."""
    machine, job = report.machine, report.job
    return (
        f"{machine.name}, {machine.device}, {report.dtype}, torch {machine.torch}; temperature {job.temperature:g},"
        f" {job.tokens} tokens, {job.prompts} prompt{'s' * (job.prompts > 1)} a kind of text, {job.laps} laps"
    )


def _fastest_first(report: MethodsReport) -> list[tuple[Method | None, Timed]]:
    """The method of a row, None of transformers' own."""
    known = {each.name: each for each in report.job.methods}
    return [(known.get(row.name), row) for row in sorted(report.rows, key=lambda row: -row.overall.median)]


def _name(method: Method | None, row: Timed) -> str:
    return named(method) if method else f"transformers, {RIVALS[row.name]}"


def named(method: Method) -> str:
    """A method in Markdown, without its γ."""
    names = [f"`{method.drafter}`", *([] if method.rule == "rejection" else [method.rule])]
    return ", ".join([*names, *(str(value) for value in method.params.values() if isinstance(value, str))])


def _way(forward: Forward) -> str:
    return f"{forward.name}, {forward.threads} threads"


def _range(spread: Spread) -> str:
    return f"{spread.median:.2f}× ({spread.low:.2f} to {spread.high:.2f})"


def pages() -> dict[Path, str]:
    """The two READMEs with the tables that RECORD gives."""
    report = read(MethodsReport, json.loads(RECORD.read_text(encoding="utf-8")), RECORD.name)
    texts = {}
    for path, rows in ((ASSETS.parent / "README.md", brief), (RECORD.parent / "README.md", table)):
        block = "\n".join([*rows(report), "", made_on(report) + "."])
        before, *_, after = BLOCK.split(path.read_text(encoding="utf-8"))
        texts[path] = before + block + after
    return texts


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
