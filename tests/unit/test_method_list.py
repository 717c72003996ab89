"""The methods that stand side by side: all of the catalog are among them, and all of them were measured."""

import json

import pytest

from specviz import accept, draft
from specviz.bench import methods as bench
from specviz.bench import methods_report
from specviz.bench.methods import MethodsJob, MethodsReport
from specviz.config.methods import Method, methods, methods_named
from specviz.config.settings import ConfigError, RunConfig, check_together
from specviz.shipped import ASSETS
from specviz.trace.codec import read, to_json

CATALOG = draft.ENTRIES, accept.ENTRIES
METHODS = methods(*CATALOG)


def test_every_drafter_is_one_and_every_one_can_be_run() -> None:
    compared = [entry.name for entry in draft.ENTRIES if not entry.constrained]
    assert [each.drafter for each in METHODS[: len(compared)]] == compared
    assert len({each.name for each in METHODS}) == len(METHODS)
    for each in METHODS:
        check_together(draft.entry(each.drafter), accept.entry(each.rule), RunConfig("Q", temperature=0.8))
    assert methods(draft.ENTRIES[:1], accept.ENTRIES[:1]) == (Method("bigram", "bigram", "rejection", 4),)


def test_they_are_chosen_by_drafter_or_with_a_rule() -> None:
    names = ("small-model:block", "jacobi", "ngram", "ngram:coupled", "ngram")
    assert [(each.name, each.rule, each.gamma) for each in methods_named(names, *CATALOG)] == [
        ("small-model, block", "block", 6),
        ("jacobi", "coupled", 4),
        ("ngram", "rejection", 4),
        ("ngram, coupled", "coupled", 4),
    ]
    for name, said in (("trigram", "drafter is 'trigram'"), ("ngram:luck", "rule is 'luck'")):
        with pytest.raises(ConfigError, match=said):
            methods_named((name,), *CATALOG)


def test_the_page_and_the_readme_have_a_figure_of_each() -> None:
    recorded = json.loads((ASSETS / "labs" / "methods.json").read_text(encoding="utf-8"))["answers"]
    timed = {row["name"] for row in json.loads(methods_report.RECORD.read_text(encoding="utf-8"))["rows"]}
    lacking = [each.name for each in METHODS if "exact" not in recorded.get(each.name, [{}])[-1]]
    assert not lacking, "python app.py --record-labs methods"
    lacking = [each.name for each in METHODS if each.name not in timed]
    assert not lacking, f"specviz bench --json {methods_report.RECORD}"


def test_they_are_timed_and_tried_from_end_to_end() -> None:
    job = MethodsJob(
        methods_named(("bigram", "small-model:block"), *CATALOG), "cpu", prompts=1, tokens=6, laps=1, exact=1
    )
    pieces = []
    made = bench.measure(job, lambda total: lambda: pieces.append(total))
    assert pieces == [3 * 6 * 2 + 2] * (3 * 6 * 2 + 2)
    report = read(MethodsReport, json.loads(to_json(made)), "report")
    assert [row.name for row in report.rows] == ["bigram", "small-model, block", *bench.RIVALS]
    assert [row.exact is not None and row.exact.equal for row in report.rows] == [1, 1, False, False, False]
    told = "\n".join(methods_report.lines(report))
    assert "| `small-model`, block | 6 |" in told
    assert "| 1/1, p 0." in told
    assert "| transformers, assisted generation | 4 |" in told
