"""What was recorded: a run, its rounds, and what became of every guess. Standard library only."""
