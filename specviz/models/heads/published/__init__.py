"""Heads as other projects publish them: a folder, or a repository of the hub, with config.json and safetensors."""

from specviz.models.heads.published.reading import PublishedHead, read

RATES = ((0.6, 0.15, 0.08, 0.04),)
"""How often the first, the second ... guess at a place is taken to be accepted, as no published file says it."""

__all__ = ["RATES", "PublishedHead", "read"]
