"""Speculative decoding with four holes. Put a few lines of your own in the place of each `raise`, then run

    specviz exercise mark loop.py

target and draft remember what they read. model.read(tokens) reads tokens after that, and returns for each of them the
logits of what follows it, float32[n, V]. len(model) says how many it remembers, model.cut(n) keeps the first n.
"""

import numpy as np

from specviz import Recorder


def rows(logits, temperature):
    """The distributions of these logits, float64[n, V]. At temperature 0 the largest logit has all of it."""
    if temperature == 0:
        one_hot = np.zeros(logits.shape)
        one_hot[np.arange(len(logits)), logits.argmax(1)] = 1
        return one_hot
    weights = np.exp((logits - logits.max(1, keepdims=True)).astype(np.float64) / temperature)
    return weights / weights.sum(1, keepdims=True)


def speculate(target, draft, prompt, gamma, new, temperature, seed, end):
    """Writes at least `new` tokens after the prompt, or up to the token `end`, gamma guesses a round."""
    random = np.random.default_rng(seed)
    text = list(prompt)
    recorder = Recorder(text, target.vocab_size, temperature=temperature, ends=[end], piece=target.piece, loop="mine")
    target.read(text[:-1])
    while len(text) < len(prompt) + new and text[-1] != end:
        guesses, q = [], []
        # HOLE the draft: append gamma guesses, and to q the row that each was drawn from. The draft model has not read
        # all of the text and the guesses yet: [*text, *guesses][len(draft):] is left.
        for _ in range(gamma):
            q.append(rows(draft.read([*text, *guesses][len(draft) :]), temperature)[-1])
            guesses.append(int(random.choice(len(q[-1]), p=q[-1])))
        # END

        before = len(target)
        p = rows(target.read([text[-1], *guesses]), temperature)  # p[0] follows the text, p[i + 1] follows guesses[i]
        written = len(target)

        won, u = [None] * gamma, [None] * gamma  # None: not tested
        # HOLE the test: accept guesses[i] with probability min(1, p/q): set u[i] to the random number that decides and
        # won[i] to True or False. Test none after one that was rejected, and none after `end`.
        for place, guess in enumerate(guesses):
            u[place] = random.random()
            won[place] = bool(u[place] * q[place][guess] < p[place][guess])
            if not won[place] or guess == end:
                break
        # END
        accepted = [guess for guess, is_won in zip(guesses, won, strict=True) if is_won]

        token = None  # stays None if `end` was accepted: nothing follows it
        # HOLE the replacement: after a rejection, draw the token from norm(max(0, p - q)) of that place; if no guess
        # was rejected, from the row after the last one.
        if end not in accepted:
            left = p[len(accepted)]
            if False in won:
                left = np.maximum(left - q[len(accepted)], 0)
            token = int(random.choice(len(left), p=left / left.sum()))
        # END
        text += accepted if token is None else [*accepted, token]

        # HOLE the cut: rejected guesses must leave both models. When a round begins, the target remembers all of the
        # text but its last token, and the draft model nothing but the text.
        target.cut(len(text) - 1)
        draft.cut(len(text) - 1)
        # END
        recorder.round(guesses, q=q, p=p, accepted=won, token=token, u=u, cache=(before, written, len(target)))
    return recorder.trace()
