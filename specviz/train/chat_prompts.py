"""How conversations begin, from which drafters of a chat model learn: the kinds of question that people ask it.

Most are a few words, and the target writes the rest of the question. The others are whole: an order and a text, a piece
of code or some facts, because an answer that repeats what was asked is guessed otherwise than a free one.
"""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

OPENINGS = (
    "", "", "", "What is the", "What are the benefits of", "How do I", "How does", "Why is", "Why do", "Explain how",
    "Explain why", "Tell me about", "What is the difference between", "Give me some ideas for",
    "Give me three tips for", "List", "Can you help me with", "I want to", "I am", "Is it true that", "Who was",
    "When did", "Where is",
    "Write a short story about", "Write an email to", "Write a letter to", "Write a poem about", "Write a review of",
    "Write a Python function that", "Write a Python class", "Fix the bug in this code:\n\n```python\ndef",
    "Add comments to this function:\n\n```python\ndef", "Rename the variables in this code:\n\n```python\nfor",
    "Add type hints to this code:\n\n```python\nclass", "What does this code do?\n\n```python\n",
    "Summarize the following text:\n\n", "Summarize this paragraph in one sentence.\n\n",
    "Summarize the main points of this text.\n\n", "Rewrite this text in simple words:\n\n",
    "Write a JSON object that describes a", "Convert this text to JSON:\n\n", "Turn this into JSON with the keys",
    "Correct the mistakes in this text:\n\n", "Translate into", "Make this sentence shorter:",
)  # fmt: skip
"""How a question begins that the target ends."""
ABOUT = (
    "Tell me about the {}.", "What is a {}?", "Why is the {} so important?", "Write a short story about a {}.",
    "Give me three tips about the {}.", "How does a {} work?", "Write a short letter to a friend about a {}.",
    "Explain the word {} to a child.", "What should I know about {}?", "Write a Python function about a {}.",
    "Write a JSON object that describes a {}.", "Make a list of things that go with {}.",
)  # fmt: skip
ON_TEXT = (
    "Summarize this text in one sentence.", "Summarize this text in two sentences.", "Summarize the following text.",
    "Summarize the main points of this text.", "Rewrite this text in simple words.", "Correct this text.",
    "What is this text about?", "Repeat this text, and put it into the present tense.", "Write a title for this text.",
)  # fmt: skip
ON_CODE = (
    "Add a docstring to this function:", "Add comments to this code:", "Add type hints to this code:",
    "Add type hints and leave the rest as it is.", "Explain this code:", "Find the bug in this code:",
    "Write a test for this function:", "Make this code shorter:", "Rename the variables in this code:",
)  # fmt: skip
ON_FACTS = (
    "Turn this into JSON with the keys {}.", "Turn this list into a JSON array of objects with the keys {}.",
    "Write this as JSON with the keys {}.", "Make a table of this with the columns {}.",
)  # fmt: skip
FIELDS = {
    "name": ("Anna Brown", "Tom Fischer", "Lucia Rossi", "Ali Demir", "Mei Chen", "John Smith", "Eva Novak", "Sam Lee"),
    "city": ("Paris", "Berlin", "Oslo", "Rome", "Tokyo", "Boston", "Lima", "Cairo", "Madrid", "Vienna"),
    "item": ("apples", "bottles of milk", "loaves of bread", "eggs", "pens", "books", "chairs", "lamps", "shirts"),
    "hobby": ("chess", "climbing", "painting", "swimming", "reading", "cooking", "football", "music"),
    "weather": ("sunny", "rain", "cloudy", "snow", "wind", "fog"),
    "colour": ("red", "blue", "green", "black", "white", "yellow"),
    "job": ("teacher", "doctor", "baker", "engineer", "pilot", "farmer", "nurse"),
}
COUNTED = {"age": (18, 80), "amount": (1, 12), "price": (1, 90), "degrees": (-10, 35), "year": (1950, 2024)}
SHARES = (0.4, 0.2, 0.15, 0.15, 0.1)
"""Shares of openings, questions about a word, and orders about a text, about code and about facts."""
WORDS = (30, 110)
"""Words of a text that is asked about."""
LINES, LETTERS = (4, 14), 600
"""Most letters of a piece of code."""
USUAL = 4
"""How often a word is in the texts that is asked about."""


@dataclass(frozen=True)
class Beginnings:
    """What conversations may begin with. texts, code: paragraphs and functions of a corpus; words: of its texts."""

    texts: tuple[str, ...]
    code: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def read(cls, corpus: Path | None) -> "Beginnings":
        """From a folder of .txt files: code.txt is Python, the others are texts. None: no such questions."""
        if corpus is None:
            return cls((), (), ())
        texts, code = [], []
        for path in sorted(corpus.glob("*.txt")):
            text = path.read_text(encoding="utf-8")
            if path.stem == "code":
                found = re.findall(r"^(?:def|class) .*\n(?:(?:[ \t].*)?\n)+", text, re.MULTILINE)
                blocks = [each.rstrip() for each in found]
                code = [each for each in blocks if LINES[0] <= each.count("\n") < LINES[1] and len(each) < LETTERS]
            else:
                paragraphs = (" ".join(each.split()) for each in text.split("\n\n"))
                texts += [each for each in paragraphs if WORDS[0] <= len(each.split()) <= WORDS[1]]
        counted = Counter(word for text in texts for word in re.findall(r"\b(?:the|a|an) ([a-z]{4,11})\b", text))
        return cls(tuple(texts), tuple(code), tuple(sorted(word for word, count in counted.items() if count >= USUAL)))

    def draw(self, dice: np.random.Generator) -> tuple[str, bool]:
        """How a conversation begins, and whether that is its whole question."""
        shares = np.array(SHARES) * (True, bool(self.words), bool(self.texts), bool(self.code), True)
        kind = int(dice.choice(len(SHARES), p=shares / shares.sum()))
        if kind == 0:
            return _one(dice, OPENINGS), False
        if kind == 1:
            return _one(dice, ABOUT).format(_one(dice, self.words)), True
        if kind == 2:
            return f"{_one(dice, ON_TEXT)}\n\n{_one(dice, self.texts)}", True
        if kind == 3:
            return f"{_one(dice, ON_CODE)}\n\n```python\n{_one(dice, self.code)}\n```", True
        return _facts(dice), True


def _one(dice: np.random.Generator, choices: tuple[str, ...]) -> str:
    return choices[int(dice.integers(len(choices)))]


def _facts(dice: np.random.Generator) -> str:
    """An order to put some made-up facts in order."""
    keys = [str(key) for key in dice.permutation([*FIELDS, *COUNTED])[: int(dice.integers(2, 5))]]

    def value(key: str) -> str:
        return str(int(dice.integers(*COUNTED[key]))) if key in COUNTED else _one(dice, FIELDS[key])

    way, rows = int(dice.integers(3)), []
    for _ in range(int(dice.integers(1, 5))):
        facts = [(key, value(key)) for key in keys]
        if way == 0:
            rows.append(", ".join(f"{key}: {each}" for key, each in facts))
        elif way == 1:
            rows.append(", ".join(each for _, each in facts))
        else:
            rows.append(" and ".join(f"the {key} is {each}" for key, each in facts).capitalize() + ".")
    named = ", ".join(keys[:-1]) + f" and {keys[-1]}"
    return f"{_one(dice, ON_FACTS).format(named)}\n\n" + "\n".join(rows)
