"""Count tables: how often each token followed each short context."""
