"""Advice on the built-in pair beside a sweep: how many rounds each γ takes. Nothing is timed."""

import dataclasses

import pytest

from specviz import session
from specviz.config.settings import RunConfig
from specviz.lab import advice
from specviz.lab.study import prompts

TEXTS = [each.turns[0] for each in prompts.read(prompts.STANDARD)][::5]
BASE = RunConfig("", gamma=8, temperature=0, max_new_tokens=40, device="cpu")


def rounds(drafter: str, gamma: int) -> int:
    configs = [dataclasses.replace(BASE, prompt=text, drafter=drafter, gamma=gamma) for text in TEXTS]
    return sum(len(list(session.start(each, shown=False))) for each in configs)


@pytest.mark.long
def test_one_run_a_prompt_predicts_the_rounds_of_every_length() -> None:
    for drafter, gammas in {"small-model": (1, 4), "ngram": (2, 8)}.items():
        runs = [session.start(dataclasses.replace(BASE, prompt=text, drafter=drafter)) for text in TEXTS]
        walks = advice.walks([list(map(advice.span, run)) for run in runs], BASE.max_new_tokens)
        for gamma in gammas:
            predicted = sum(advice.rounds(walk, gamma).sum() for walk in walks)
            assert abs(predicted / rounds(drafter, gamma) - 1) < 0.03


def test_copies_are_foretold_though_they_come_and_go() -> None:
    runs = [session.start(dataclasses.replace(BASE, prompt=text, drafter="suffix")) for text in TEXTS]
    walks = advice.walks([list(map(advice.span, run)) for run in runs], BASE.max_new_tokens)
    for gamma in (1, 4):
        predicted = sum(advice.rounds(walk, gamma).sum() for walk in walks)
        assert abs(predicted / rounds("suffix", gamma) - 1) < 0.06
