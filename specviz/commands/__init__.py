"""The commands of the command line, one module each: its options, and what it does with them."""
