"""Heads as other projects publish them: a folder, or a repository of the hub, with config.json and safetensors."""

from specviz.models.heads.published.reading import PublishedHead, read

__all__ = ["PublishedHead", "read"]
