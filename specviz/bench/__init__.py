"""Measures speed: all contestants take turns in one process, after a warm-up, and are compared by ratios."""
