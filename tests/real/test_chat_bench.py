"""`specviz bench` on a chat pair of one's own, from end to end: what stands in its report and its tables."""

import json
from pathlib import Path

import pytest

from specviz import accept, draft
from specviz.bench import chat
from specviz.bench.chat import ChatReport
from specviz.bench.methods import MethodsJob
from specviz.config.methods import methods_named
from specviz.config.pairs import pair_name
from specviz.config.settings import ConfigError
from specviz.trace.codec import read, to_json
from tests.real.families import random_model, saved

TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<me>"
KINDS = ["question", "code", "summary", "json"]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory, tokenizer: Path) -> Path:
    folder = tmp_path_factory.mktemp("chat") / "target"
    saved(folder, tokenizer, random_model("llama", max_position_embeddings=1024))
    (folder / "chat_template.jinja").write_text(TEMPLATE)
    return folder


def job(target: Path, *drafters: str) -> MethodsJob:
    methods = methods_named(drafters, draft.ENTRIES, accept.ENTRIES)
    return MethodsJob(methods, "cpu", prompts=1, tokens=4, laps=1, exact=0, pair=pair_name("", str(target)))


@pytest.mark.long
def test_its_tables_have_both_temperatures_the_passes_and_every_goal(target: Path) -> None:
    pieces: list[int] = []
    made = chat.measure(job(target, "suffix", "medusa", "small-model"), lambda total: lambda: pieces.append(total))
    assert pieces == [4 * 4 * 2] * (4 * 4 * 2 * 2), "plain, two of transformers' own and suffix"
    report = read(ChatReport, json.loads(to_json(made)), "report")
    assert [each.job.temperature for each in report.measured] == [0, 0.8]
    for each in report.measured:
        assert [row.name for row in each.rows] == ["suffix", "generate", "lookup"]
        assert [*each.plain] == [*each.rows[0].kinds_per_pass] == KINDS
        assert {*each.lacking} == {"medusa", "small-model", "assisted"}
    assert {*report.passes} == {"5", "9"}
    lines = [*chat.lines(report)]
    assert lines.count("| | question | code | summary | json |") == 2
    assert "left out: small-model: this pair has no draft model; choose another drafter" in lines
    assert any(line.startswith("| best drafter over it | ") and line.count("`suffix`, γ 6") == 4 for line in lines)
    assert any("over 5 tokens" in line and "over 9 tokens" in line for line in lines)
    assert [line.partition(":")[0] for line in lines[-2:]] == ["not measured"] * 2
    assert all(line.startswith(("met: ", "missed: ")) for line in lines[-5:-2])


def test_a_pair_that_runs_none_of_the_methods_is_refused(target: Path) -> None:
    with pytest.raises(ConfigError, match="runs none of the methods: this pair has no draft model"):
        chat.measure(job(target, "small-model"), lambda total: lambda: None)
