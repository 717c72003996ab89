"""The prompts that a pair is timed on, by kind of text. None is from the embedded pair's training text."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from specviz.lab.study.prompts import read
from specviz.shipped import ASSETS

CHAT = ASSETS / "prompts" / "chat.jsonl"

PROMPTS = {
    "tales": (
        "Once upon a time a miller had three daughters, and the youngest could talk with birds. One morning",
        "There was once a king who had a garden in which stood a tree that bore silver pears. Every night",
        'The old woman looked at the soldier and said: "If you will fetch me the lamp from the bottom of the well,',
        "Far away in the forest there lived a poor woodcutter with his wife and two children. When the winter came",
    ),
    "verse": (
        "ROMEO:\nWhat bell is that which wakes the sleeping street?\n\nJULIET:\n",
        "KING HENRY:\nMy lords, the messenger is come from France.\nWhat says he of the",
        "Shall I compare thy patience to the sea,\nThat",
        "FIRST SERVANT:\nThe guests are come, the tables are not laid.\n\nSECOND SERVANT:\n",
    ),
    "code": (
        'def count_words(text):\n    """Return how often each word occurs in the text."""\n    counts = {}\n',
        "class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n",
        "import os\nimport sys\n\n\ndef main():\n    args = sys.argv[1:]\n    if not args:\n",
        "    def test_empty(self):\n        self.assertEqual(len(self.items), 0)\n\n    def test_",
    ),
}
"""The embedded pair's prompts, in its three genres."""


def prompts_of(pair: str) -> Mapping[str, Sequence[str]]:
    """The prompts of the pair with that name: those in CHAT for every pair but the embedded one."""
    if pair == "embedded":
        return PROMPTS
    kinds = defaultdict(list)
    for prompt in read(CHAT):
        kinds[prompt.category].append(prompt.turns[0])
    return kinds
