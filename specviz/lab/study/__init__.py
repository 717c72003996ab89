"""Studies: many runs over prompts and settings, kept as Parquet. A stopped study continues without repeating runs."""
