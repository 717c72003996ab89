"""Live and recorded runs on their way to the page."""
