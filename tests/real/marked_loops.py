"""Loops to be marked: the one of the exercise, the same written otherwise, and bugs with the line that names each."""

from collections.abc import Callable
from typing import Any

from specviz.shipped import ASSETS

SOLVED = (ASSETS / "exercise" / "loop.py").read_text(encoding="utf-8")
GREEDY, END, PLAIN, LAW, CHECK = range(5)
"""The lines of the marks."""
Changes = tuple[tuple[str, str], ...]


def part(first: str, last: str) -> str:
    """What stands in the exercise from one text up to another."""
    return SOLVED[SOLVED.index(first) : SOLVED.index(last, SOLVED.index(first))]


DRAFT = part("        for _ in range(gamma):", "        # END")
TEST = part("        for place, guess in", "        # END")
WON = "u[place] * q[place][guess] < p[place][guess]"
GUESSED = "guesses.append(int(random.choice(len(q[-1]), p=q[-1])))"
LEFT = "left = np.maximum(left - q[len(accepted)], 0)"
DRAWN = "int(random.choice(len(left), p=left / left.sum()))"
RANDOM = "random = np.random.default_rng(seed)"
READ = part("        p = rows(", "        written")
WHILE = "while len(text) < len(prompt) + new and text[-1] != end:"

LATE = """
        for _ in range(gamma):
            logits = draft.read([*text, *guesses][len(draft) :])[-1:]
            drawn = rows(logits, temperature)[-1]
            q.append(rows(logits, 1)[-1] if temperature else drawn)
            guesses.append(int(random.choice(len(drawn), p=drawn)))
"""
AT_ONCE = """
        at = np.arange(gamma)
        numbers = random.random(gamma)
        passes = numbers * np.array(q)[at, guesses] < p[at, guesses] if gamma else at
        end_at = np.append([not each or guess == end for each, guess in zip(passes, guesses)], True).argmax()
        for place in range(min(gamma, end_at + 1)):
            won[place], u[place] = bool(passes[place]), float(numbers[place])
"""
SHORTCUT = """
        for place, guess in enumerate(guesses):
            if temperature == 0:
                won[place] = bool(p[place].argmax() == guess)
            else:
                u[place] = random.random()
                won[place] = bool(u[place] * q[place][guess] < p[place][guess])
            if not won[place] or guess == end:
                break
"""
CHOSEN = """
        for _ in range(gamma):
            logits = draft.read([*text, *guesses][len(draft) :])[-1:]
            q.append(rows(logits, 0)[0])
            guesses.append(int(q[-1].argmax()))
"""
ONE_BY_ONE = """
        for place, guess in enumerate(guesses):
            u[place] = random.random()
            won[place] = bool(u[place] * q[place][guess] < p[place][guess])
            if not won[place]:
                break
            p.append(rows(target.read([guess]), temperature)[0])
            if guess == end:
                break
        p += [p[-1]] * (gamma + 1 - len(p))
"""

SOUND: dict[str, Changes] = {
    "as it is": (),
    "all tests at once": ((TEST, AT_ONCE),),
    "by argmax at temperature 0": ((TEST, SHORTCUT),),
    "guesses that are chosen": ((DRAFT, CHOSEN), ("q=q,", "q=None,")),
    "one guess a pass": (
        (READ, "        p = [rows(target.read([text[-1]]), temperature)[0]]\n"),
        ("        written = len(target)\n", ""),
        (TEST, ONE_BY_ONE),
        (", cache=(before, written, len(target))", ""),
    ),
    "no trace": (("return recorder.trace()", "return text[len(prompt) :]"),),
}

BUGS: dict[str, tuple[Changes, int, str]] = {
    # those that `specviz check` names
    "accepts always": (((WON, "True"),), CHECK, "the test: accepted above p/q"),
    "tests after a rejection": ((("not won[place] or guess ==", "guess =="),), CHECK, "the test: tested after"),
    "one number for a round": (
        (("u[place] = random.random()", "u[place] = u[0] or random.random()"),),
        CHECK,
        "the test: one number",
    ),
    "draws the replacement from p": (((LEFT, "pass"),), CHECK, "the replacement: resampled from p"),
    "tests with q before temperature": (((DRAFT, LATE),), CHECK, "the draft: q before temperature"),
    "draws the bonus from the row before": (
        (("left = p[len(accepted)]", "left = p[min(len(accepted), max(0, gamma - 1))]"),),
        CHECK,
        "the replacement: bonus from the wrong row",
    ),
    "never cuts the target": ((("target.cut(len(text) - 1)", ""),), CHECK, "the cut: the cache is not rolled back"),
    # others
    "writes on after an end": (
        ((" or guess == end:", ":"), ("if end not in accepted:", "if True:")),
        END,
        "the test: the text goes on after",
    ),
    "cuts one too few": ((("target.cut(len(text) - 1)", "target.cut(len(text))"),), CHECK, "the cut: the cache is not"),
    "cuts one too many": ((("target.cut(len(text) - 1)", "target.cut(len(text) - 2)"),), CHECK, "the cut: round 0"),
    "accepts with q/p": (((WON, "u[place] * p[place][guess] <= q[place][guess]"),), CHECK, "the test: "),
    "accepts by p alone": (((WON, "u[place] < p[place][guess]"),), CHECK, "the test: "),
    "takes the likeliest replacement": (((DRAWN, "int(left.argmax())"),), LAW, "the replacement: after a rejection"),
    "takes what q has more than p": (
        (("left - q[len(accepted)]", "q[len(accepted)] - left"),),
        CHECK,
        "the replacement: ",
    ),
    "guesses the likeliest as if drawn": (((GUESSED, "guesses.append(int(q[-1].argmax()))"),), LAW, "the draft: "),
    "needs a guess": ((("left = p[len(accepted)]", "left = p[len(accepted) or 1]"),), PLAIN, "IndexError"),
    "ignores its seed": ((("default_rng(seed)", "default_rng(0)"),), LAW, "every seed gives the same text"),
    "stops early": ((("+ new and", "+ new - 5 and"),), GREEDY, "look at what ends its rounds"),
    "never ends": (((WHILE, "while True:"),), GREEDY, "it reads far more than its text needs"),
    "prints without end": (((RANDOM, "while True:\n        print('x' * 99)"),), GREEDY, "it printed more than"),
    "exits": (((RANDOM, "exit(3)"),), GREEDY, "SystemExit: 3"),
}


def written(*changes: tuple[str, str]) -> Callable[..., Any]:
    """The exercise's loop, changed so."""
    text = SOLVED
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    scope: dict[str, Any] = {}
    exec(compile(text, "loop.py", "exec"), scope)
    loop: Callable[..., Any] = scope["speculate"]
    return loop
