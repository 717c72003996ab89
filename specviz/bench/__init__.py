"""Speed, measured: ratios from one process, contestants in turns, after a warm-up."""
