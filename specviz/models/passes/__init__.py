"""Ways to run a forward pass, and the choice of the fastest one that gives the same logits."""
