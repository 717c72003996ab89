"""The chat model that everybody can have: where it lies once it was fetched."""

from pathlib import Path

from specviz.config.pairs import known
from specviz.models.hub import repository
from specviz.shipped import user_cache

NAME = "smollm2"
"""The pair whose target it is."""


def folder() -> Path | None:
    """The folder with the model, converted or in the hub's cache; None if it was not fetched. Asks no network."""
    converted = user_cache() / NAME / "model"
    if converted.is_dir():
        return converted
    pair = known(NAME)
    return repository.cached(pair.target.repository, pair.target.revision) if pair else None
