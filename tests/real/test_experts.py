"""The experts that a text touches, counted by hooks, beside a count by transformers' own router logits."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM

from specviz.__main__ import main
from specviz.lab import advice
from specviz.lab.study import local
from specviz.models import experts
from specviz.models.hf import HFModel
from tests.real.families import grown, saved
from tests.real.shrunk import shrunk, tiny

TEXT = [5, 17, 200, 3, 44, 44, 91, 250, 8, 120, 33, 6]


@pytest.mark.parametrize("family", ["mixtral", "qwen3_moe"])
def test_the_hooks_count_the_experts_that_the_router_logits_name(family: str) -> None:
    torch.manual_seed(4)
    config = shrunk(family)
    model = grown(AutoModelForCausalLM.from_config(config)).eval()
    hooks = [len(module._forward_hooks) for module in model.modules()]
    layers, of = experts.routed(HFModel(model), TEXT)
    assert hooks == [len(module._forward_hooks) for module in model.modules()]
    with torch.inference_mode():
        logits = model(torch.tensor([TEXT]), output_router_logits=True).router_logits
    assert len(layers) == len(logits) == config.num_hidden_layers
    assert of == logits[0].shape[-1] == 4
    own = [
        set(map(tuple, np.sort(each.topk(config.num_experts_per_tok).indices.numpy(), -1).tolist())) for each in logits
    ]
    assert [set(map(tuple, np.sort(each, -1).tolist())) for each in layers] == own
    found = advice.touched(layers, of, 5)
    assert found is not None
    assert found.touched[0] == config.num_experts_per_tok
    pairs = [
        len({*each[at].topk(2).indices.tolist(), *each[at + 1].topk(2).indices.tolist()})
        for each in logits
        for at in range(len(TEXT) - 1)
    ]
    assert found.touched[1] == pytest.approx(sum(pairs) / len(pairs))
    assert list(found.touched) == sorted(found.touched)


def test_advice_on_a_mixture_says_what_a_check_reads(
    tokenizer: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a thread where a command would start processes."""
    monkeypatch.setattr(local, "processes", lambda count, threads: ThreadPoolExecutor(count))
    target = saved(tmp_path / "target", tokenizer, tiny("mixtral"))
    asked = ["advise", "--target", str(target), "--drafts", "suffix", "--prompt", "a b a b a", "--most", "3"]
    asked += ["--max-new-tokens", "8", "--device", "cpu", "--workers", "1", "--out", str(tmp_path / "out")]
    assert main([*asked, "--json", str(tmp_path / "advice.json")]) == 0
    (said,) = json.loads((tmp_path / "advice.json").read_text())
    experts, gamma = said["experts"], said["choices"][0]["gamma"]
    assert (experts["layers"], experts["of"], experts["touched"][0]) == (3, 4, 2)
    assert len(experts["touched"]) == 4
    told = f"A check of {gamma + 1} tokens reads {experts['touched'][gamma] / 2:.1f} times the experts of one"
    assert told in capsys.readouterr().out
