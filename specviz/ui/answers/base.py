"""What all answers share: a question may be given up."""

from collections import deque

from specviz.ui.limits import GIVEN_UP, PAIR_NAME


class Answers:
    """Answers one kind of question. Each has a name, by which its asker may give it up."""

    def __init__(self) -> None:
        self._given_up: deque[str] = deque(maxlen=GIVEN_UP)

    def leave(self, ask: object) -> None:
        """Nobody waits for the answer any more, whether it is under way or still waits for its turn."""
        if isinstance(ask, str) and len(ask) <= PAIR_NAME:
            self._given_up.append(ask)
