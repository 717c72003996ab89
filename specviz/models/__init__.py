"""Language models and count tables that drafters and targets are made of."""
