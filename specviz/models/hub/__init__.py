"""A model's files, whether two models make a pair, and whether they fit this machine."""
