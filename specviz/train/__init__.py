"""Trains a pair, as the embedded one was trained. Not needed to run it."""
