"""What a test asks of the files that come from a hub, and of the sentence when none come."""

from collections.abc import Callable
from pathlib import Path

import pytest
from huggingface_hub import constants

from specviz.config.settings import ConfigError
from specviz.models.hub import repository
from tests.real.tiny_hub import REPOSITORY, TinyHub, read_files

CHUNK = 2**14


def refusal(get: Callable[..., object], *arguments: object, **more: object) -> str:
    """The one sentence with which it fails."""
    with pytest.raises(ConfigError) as caught:
        get(*arguments, **more)
    said = str(caught.value)
    assert "\n" not in said
    assert "Traceback" not in said
    assert caught.value.__cause__ is None
    return said


def shards(server: TinyHub) -> dict[str, bytes]:
    return {name: body for name, body in server.files.items() if name.startswith("model-")}


def is_right(folder: Path, server: TinyHub) -> bool:
    """Everything wanted is there, byte for byte, and nothing else."""
    wanted = {name: body for name, body in server.files.items() if name in repository.SMALL} | shards(server)
    return read_files(folder) == wanted


def recovers(server: TinyHub) -> bool:
    server.heal()
    return is_right(repository.weights(REPOSITORY), server)


def leftovers() -> list[Path]:
    return list(Path(constants.HF_HUB_CACHE).rglob("*.incomplete"))
