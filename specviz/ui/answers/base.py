"""What all answers share: a question may be cancelled."""

from collections import deque

from specviz.ui.limits import GIVEN_UP, PAIR_NAME


class Answers:
    """Answers one kind of question. Each question has a name, by which the page may cancel it."""

    def __init__(self) -> None:
        self._given_up: deque[str] = deque(maxlen=GIVEN_UP)

    def leave(self, ask: object) -> None:
        """Cancels a question, whether its answer has begun or it still waits in the queue."""
        if isinstance(ask, str) and len(ask) <= PAIR_NAME:
            self._given_up.append(ask)
