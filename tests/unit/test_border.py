"""What crosses between NumPy and torch: types, masks, and who needs torch at all."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from specviz.models.border import place_of
from specviz.models.hf import HFModel
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


@pytest.mark.sampled(3)
@pytest.mark.parametrize("module", LAZY)
def test_torch_comes_with_the_first_head_or_model_that_needs_it(module: str) -> None:
    code = f"import sys, specviz.{module}; print(*{{'torch', 'transformers'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
