"""How the embedded pair is made. Not needed to run it."""
