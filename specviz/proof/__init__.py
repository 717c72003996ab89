"""Is it lossless? What can be asked, and how it is sampled."""
