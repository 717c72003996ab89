"""Weights trained on a frozen target, for drafters that read its hidden states."""
