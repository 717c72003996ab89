"""Loops that others wrote, recorded so that the page plays them and the checks judge them."""
