"""Every way a trace contradicts itself: the picture's alibi."""
