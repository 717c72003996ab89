"""Numbers: which token a random number falls on."""
