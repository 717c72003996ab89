"""Is it lossless? What can be asked, how it is sampled, and every way a trace can contradict itself."""
