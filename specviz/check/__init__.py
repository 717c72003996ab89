"""Every way a trace can contradict itself. A trace without problems shows what really happened."""
