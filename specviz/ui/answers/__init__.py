"""What the page asks besides a run: one module a question."""
