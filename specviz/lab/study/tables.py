"""What a study came to: its runs by method and by category of prompt, as plain rows and as text."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from specviz.lab.measured import Studied, StudiedGroup
from specviz.lab.study import store
from specviz.lab.study.plan import AXES

CHOICES = ("pair", "method", *(setting.name for setting in AXES), "gamma_rule")
COUNTS = ("emitted", "target_passes", "tested", "accepted", "drafted")
PROMPT = ("set", "set_hash", "question_id")
LABELS = (
    "run",
    *PROMPT,
    "category",
    "turn",
    "seed",
    "stop",
    "error",
    "text",
    "plain_text",
    "lossless",
)
SURE = 1.96
"""Standard errors to either side that hold 95 %."""


def summed(folder: Path) -> Studied:
    """What the study in that folder came to so far."""
    columns = (*CHOICES, *COUNTS, *store.MILLISECONDS, *LABELS, *store.VERSIONS, "machine")
    table = store.runs(folder, columns)
    sets = table.group_by(["set", "set_hash"], use_threads=False).aggregate([]).to_pylist()
    versions = table.group_by(list(store.VERSIONS), use_threads=False).aggregate([]).to_pylist()
    return Studied(
        sets=tuple(f"{each['set']} ({each['set_hash']})" for each in sets),
        machines=tuple(pc.unique(table["machine"]).to_pylist()),
        versions=tuple(", ".join(f"{name} {each[name]}" for name in store.VERSIONS) for each in versions),
        runs=len(table),
        by_method=tuple(_groups(table, CHOICES)),
        by_category=tuple(_groups(table, (*CHOICES, "category"))),
        same=_same(table),
        errors=tuple(each for each in pc.unique(table["error"]).to_pylist() if each),
    )


def lines(study: Studied) -> Iterator[str]:
    """The results as text: two tables, where they come from, and whether the texts agree."""
    shown = study.varied
    yield f"{study.runs:,} runs of {', '.join(study.sets)}"
    yield ""
    names = [*shown, "runs", "tokens per pass", "α", "accepted of guessed", "ms per token"]
    yield from aligned(
        names, [[*(_cell(each.choices[name]) for name in shown), *_figures(each)] for each in study.by_method]
    )
    categories = list(dict.fromkeys(str(each.choices["category"]) for each in study.by_category))
    if len(categories) > 1:
        yield ""
        yield "tokens per pass, by category of prompt"
        yield ""
        yield from aligned([*shown, *categories], _crossed(study, shown, categories))
    yield ""
    if study.same[1]:
        yield f"texts that must be plain decoding's: {study.same[0]:,} of {study.same[1]:,} the same under every method"
    failed = sum(each.failed for each in study.by_method)
    if failed:
        yield f"{failed:,} runs failed: {'; '.join(study.errors[:3])}"
    yield f"made on {', '.join(study.machines)}; {'; '.join(study.versions)}"
    yield "times are those of runs side by side; specviz bench compares speeds"


def _groups(table: pa.Table, names: Sequence[str]) -> Iterator[StudiedGroup]:
    passes = pc.if_else(pc.equal(table["target_passes"], 0), None, table["target_passes"])
    extended = table.append_column("per_pass", pc.divide(pc.cast(table["emitted"], "float64"), passes))
    extended = extended.append_column("ms", _sum([table[name] for name in store.MILLISECONDS]))
    extended = extended.append_column("failed", pc.cast(pc.equal(table["stop"], "failed"), "int64"))
    spread = _over_prompts(extended, names)
    wanted = [("run", "min"), ("turn", "count"), *((name, "sum") for name in ("failed", "ms", *COUNTS))]
    grouped = extended.group_by(list(names), use_threads=False).aggregate(wanted).sort_by("run_min")
    for row in grouped.to_pylist():
        per_pass, error = spread[tuple(row[name] for name in names)]
        yield StudiedGroup(
            choices={name: row[name] for name in names},
            runs=row["turn_count"],
            failed=row["failed_sum"],
            per_pass=per_pass,
            error=error,
            alpha=_ratio(row["accepted_sum"], row["tested_sum"]),
            used=_ratio(row["accepted_sum"], row["drafted_sum"]),
            token_ms=_ratio(row["ms_sum"], row["emitted_sum"]),
        )


def _over_prompts(table: pa.Table, names: Sequence[str]) -> dict[tuple[Any, ...], tuple[float | None, float | None]]:
    """Tokens per pass of each group, and half its interval. A prompt counts once: its seeds may all write the same."""
    by_prompt = table.group_by([*names, *PROMPT], use_threads=False).aggregate([("per_pass", "mean")])
    wanted = [("per_pass_mean", "mean"), ("per_pass_mean", "stddev", pc.VarianceOptions(ddof=1))]
    wanted.append(("per_pass_mean", "count"))
    found = {}
    for row in by_prompt.group_by(list(names), use_threads=False).aggregate(wanted).to_pylist():
        deviation, count = row["per_pass_mean_stddev"], row["per_pass_mean_count"]
        error = SURE * deviation / count**0.5 if count > 1 else None
        found[tuple(row[name] for name in names)] = row["per_pass_mean_mean"], error
    return found


def _same(table: pa.Table) -> tuple[int, int]:
    """Counts the prompts whose text must be plain decoding's (temperature 0, or shared noise) and that several runs
    wrote: for how many all wrote the same, and how many there are."""
    plain = table.filter(pc.and_(pc.and_(table["plain_text"], table["lossless"]), pc.equal(table["error"], "")))
    names = ["pair", *PROMPT, "turn", "temperature", "seed"]
    counted = plain.group_by(names, use_threads=False).aggregate([("text", "count_distinct"), ("text", "count")])
    several = counted.filter(pc.greater(counted["text_count"], 1))
    return pc.sum(pc.equal(several["text_count_distinct"], 1)).as_py() or 0, len(several)


def _sum(columns: Sequence[Any]) -> Any:
    total = columns[0]
    for each in columns[1:]:
        total = pc.add(total, each)
    return total


def _ratio(part: float, total: float) -> float | None:
    return part / total if total else None


def _crossed(study: Studied, shown: Sequence[str], categories: Sequence[str]) -> Iterator[list[str]]:
    cells: dict[tuple[Any, ...], dict[str, str]] = {}
    for each in study.by_category:
        key = tuple(each.choices[name] for name in shown)
        cells.setdefault(key, {})[str(each.choices["category"])] = _number(each.per_pass)
    for key, found in cells.items():
        yield [*map(_cell, key), *(found.get(category, "") for category in categories)]


def _figures(group: StudiedGroup) -> list[str]:
    error = "" if group.error is None else f" ± {group.error:.2f}"
    per_pass = _number(group.per_pass) + error
    return [f"{group.runs:,}", per_pass, _number(group.alpha), _number(group.used), _number(group.token_ms)]


def aligned(names: Sequence[str], rows: Any) -> Iterator[str]:
    """Markdown, its columns aligned."""
    cells = [list(names), *rows]
    widths = [max(len(row[place]) for row in cells) for place in range(len(names))]
    for number, row in enumerate(cells):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        if not number:
            yield "|" + "|".join("-" * (width + 2) for width in widths) + "|"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return "-" if value is None else str(value).replace("|", "\\|")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
