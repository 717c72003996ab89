"""The page: reads traces and drives runs through a Backend; never imports torch."""
