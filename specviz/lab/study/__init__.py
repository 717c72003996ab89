"""Studies: many runs over prompts and settings, kept as Parquet. They stop and go on, and lose or repeat none."""
