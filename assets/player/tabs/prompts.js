/**
 * prompts.js: the texts that the tabs have models continue with.
 */

/**
 * What the genre sweep decodes: beginnings in the three kinds of text that the embedded pair knows, none
 * from its training text.
 */
export const PROMPTS = {
  code: [
    'def count_words(text):\n    """Return how often each word occurs in the text."""\n    counts = {}\n',
    'class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n',
  ],
  tale: [
    'Once upon a time a miller had three daughters, and the youngest could talk with birds. One morning',
    'There was once a king who had a garden in which stood a tree that bore silver pears. Every night',
  ],
  verse: [
    'ROMEO:\nWhat bell is that which wakes the sleeping street?\n\nJULIET:\n',
    'KING HENRY:\nMy lords, the messenger is come from France.\nWhat says he of the',
  ],
};

/** One text of each kind. */
export const TEXTS = Object.fromEntries(['tale', 'verse', 'code'].map((kind) => [kind, PROMPTS[kind][0]]));

const PARAGRAPH =
  'The lamp in the window was lit every evening, and every evening somebody on the far shore counted ' +
  'the seconds until it went out.';
const FIBONACCI = "def fibonacci(n):\n    '''Calculate the nth Fibonacci number'''\n";

/** The prompts that the presets type, by their names in the words; null for that of the run on stage. */
export const PRESETS = {
  stage: null,
  repeat: `Write the same paragraph three times.\n\n${PARAGRAPH}\n\n${PARAGRAPH}\n\nThe lamp`,
  code: FIBONACCI,
  json: '{"name": "Alice", "age": 30, "address": {',
  poem: 'Write a surreal poem about quantum mechanics.\n\n',
  primes: 'Prove that there are infinitely many primes.\n\n',
  digits: 'Random digits: 7 1 9 4 0 8 2 6 3 5 5 0 8 1 7 3',
};

/** The prompts on which ways to set γ are compared, with a word that tells each. */
export const TRIED = [
  { name: 'France', prompt: 'The capital of France is' },
  { name: 'scientists', prompt: 'In a shocking turn of events, scientists discovered that' },
  { name: 'fibonacci', prompt: FIBONACCI },
];
