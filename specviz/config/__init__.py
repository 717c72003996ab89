"""Settings, their limits, and pairs by name."""
