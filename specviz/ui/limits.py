"""What visitors may ask of the server, all limits in one place. What one run may ask for is in config.Limits."""

# The queue of the models
WAITING = 60
"""Requests that may wait, all visitors together; at three seconds a run, three minutes."""
ADDRESS_WAITING = 20
"""The share of these that one address may take, however many sessions it names. A class may have one address."""
LAST = 10
"""Places that are kept for addresses that have nothing waiting."""
QUESTIONS = 8
"""Questions a session may have waiting beside its run. The player cancels questions when it asks new ones."""

# One address, each minute. Generous, because a whole class, or everybody behind a proxy, may share an address.
STARTS = 600
"""Requests that need the models."""
CHECKINGS = 60
"""Files that are checked, at 0.2 s each."""

# One request
SENDING = 20.0
"""Seconds for all of a request: its head, and the 64 kB of its body. uvicorn itself waits for ever."""
BODY = 64_000
"""Bytes of its body. Gradio keeps the last one of every session."""
PATH = 255
"""Bytes of its path: no file has a longer name, and looking for one raises an error."""
SESSION_NAME = 64
"""Letters of a session's name."""

# One file to check
PACKED = 128_000
"""Bytes of its gzip; the largest shipped run has 80,000."""
UNPACKED = 1_000_000
"""Bytes it may unpack to."""
CHECKING = 10.0
"""Seconds that reading and checking it may take."""

# One question
LONGEST = 120.0
"""Seconds for which it may occupy the models, unless a run may take even less."""
SWEEP = 64
"""Configurations a sweep may ask for."""
LANES = 4
"""Lanes a comparison may have."""
ADVISED = 24
"""Runs that advice may be made of: prompts times drafters."""
NAME = 200
"""Letters of the name of a run, a pair, or a question."""
LINE = 300
"""Letters of an error message, or of the name of a step of loading a pair."""
GIVEN_UP = 256
"""Cancelled questions that are remembered until their turn comes."""
LETTERS = 400
"""Letters of a parameter that is text."""
COSTS = 4_000
"""Letters of measured costs."""
