"""What a round decided, and what is kept of it."""
