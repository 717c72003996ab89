"""Twenty openings of the three genres the embedded pair was trained on, plus text it never saw."""

PROMPTS = (
    "Once upon a time there was a miller who had three sons",
    "The fox said to the crow: 'What a fine voice you have",
    "In the middle of the forest stood a little house",
    "'Oh dear!' cried the princess, and she ran",
    "There was once an old king who was so ill that",
    "The wind blew and the snow fell, and the boy",
    "Long ago, when wishes still came true,",
    "KING:\nMy lord, what news from France?\n\nMESSENGER:\n",
    "ROMEO:\nBut soft, what",
    "First Citizen:\nWe are not",
    "To be, or not",
    "DUKE OF YORK:\nThe crown",
    "O, she doth teach the",
    "def read(self, size=-1):\n    ",
    "import os\nimport sys\n\n\nclass ",
    "    if not isinstance(value, int):\n        raise ",
    "for key, value in self.items():\n",
    'def __repr__(self):\n    return "',
    "ζεύς 🙂 naïve",
    "7",
)
