"""The words of the page's events, on both sides: a test holds the player's to them."""

from enum import StrEnum


class Want(StrEnum):
    """What a button, or Gradio, tells the player."""

    SETTINGS = "settings"
    SHARE = "share"
    HELP = "help"
    MORE = "more"
    RUN = "run"
    STOP = "stop"
    ADOPTED = "adopted"
    RUN_FAILED = "run-failed"
    PROOF_FAILED = "proof-failed"
    RACE_FAILED = "race-failed"
    LAB_FAILED = "lab-failed"
    PAIR_FAILED = "pair-failed"


class Remark(StrEnum):
    """What the server says of a run beside its recording: about a run asked for, then answers to questions."""

    NOTE = "note"
    TURN = "turn"
    REFUSAL = "refusal"
    FAILURE = "failure"
    IDLE = "idle"
    PROOF = "proof"
    RACE = "race"
    LAB = "lab"
