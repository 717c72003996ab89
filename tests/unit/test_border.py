"""What crosses between NumPy and torch: types, masks, and who needs torch at all."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from specviz.config.words import tell
from specviz.models.border import CPU, crossed, place_of, widened
from specviz.models.hf import HFModel
from specviz.models.weights import labelled
from tests.real.families import random_model

LAZY = (
    "draft.dflash", "draft.eagle", "draft.early_exit", "draft.hydra", "draft.medusa", "draft.mtp",
    "models.heads.files", "models.heads.published", "models.hub.fits", "models.hub.repository",
)  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_what_a_model_says_is_in_main_memory_and_loses_nothing(dtype: torch.dtype) -> None:
    inner = random_model("llama").to(dtype)
    model, text = HFModel(inner), list(range(20))
    assert place_of(model) == (torch.device("cpu"), dtype)
    with torch.inference_mode():
        wanted = inner(torch.tensor([text]), output_hidden_states=True)
    found = model.opened(text, range(20), None, model.new_cache(20), (0, 3))
    for one, other in (
        (found.logits, wanted.logits[0]),
        (found.hidden[3], wanted.hidden_states[3][0]),
        (model.embedded(text), wanted.hidden_states[0][0]),
        (model.spoken(found.hidden[3]), wanted.logits[0]),
    ):
        assert one.dtype == (np.float64 if dtype == torch.float64 else np.float32)
        assert np.array_equal(one, other.double().numpy())


def test_a_mask_is_of_the_last_slots() -> None:
    mask = np.array([[True, False, False], [False, True, True]])
    assert widened(mask, 5).int().tolist() == [[1, 1, 1, 0, 0], [1, 1, 0, 1, 1]]
    assert widened(mask, 3).numpy().tolist() == mask.tolist()


def test_a_model_that_says_nothing_of_its_place_computes_on_the_cpu_in_float32() -> None:
    assert place_of(object()) == CPU
    assert crossed(CPU.tensor(np.arange(3.0))).dtype == np.float32


@pytest.mark.sampled(3)
@pytest.mark.parametrize("module", LAZY)
def test_torch_comes_with_the_first_head_or_model_that_needs_it(module: str) -> None:
    code = f"import sys, specviz.{module}; print(*{{'torch', 'transformers'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize(
    ("size", "said"), [(9.4e6, "9.4 M"), (99.9e6, "100 M"), (134.5e6, "134 M"), (1.71e9, "1.7 B"), (70.6e9, "71 B")]
)
def test_a_models_size_is_a_plain_number(size: float, said: str) -> None:
    assert tell(labelled("llama", 3, int(size))) == f"llama, 3 layers, {said}"
