"""Studies: many runs over prompts and settings, kept as Parquet. A stopped study goes on and repeats no run."""
