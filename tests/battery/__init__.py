"""What must hold of the engine, as checks: each yields one line for everything it finds wrong.

Exact where that is possible: outcomes enumerated, rows recomputed, traces read back.
The tests run them on the engine as it is, and once more on every planted bug.
"""
