"""A planted bug: its name, how it is planted, and the check that must notice it."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.battery import drafters, heads, laws, numbers, rounds
from tests.battery.common import Check

Plant = Callable[[pytest.MonkeyPatch], None]

LAWS: tuple[Check, ...] = (
    numbers.impossible_tokens_never_stand,
    numbers.a_rejection_that_leaves_nothing_draws_from_p,
    laws.law_of_a_round,
    laws.law_after_one_token,
    laws.law_of_a_block,
    laws.law_of_a_weighed_tree,
    laws.law_behind_a_tree,
    rounds.every_row_of_a_tree_recomputes,
    drafters.groups_are_what_the_target_said,
    numbers.numbers_are_fresh,
    numbers.seeds_and_positions_share_nothing,
    rounds.every_row_recomputes,
    rounds.traces_are_sound,
    rounds.nothing_is_wasted,
    rounds.greedy_is_the_targets_argmax,
    rounds.trees_score_like_their_branches,
    rounds.a_run_says_the_text_it_decoded,
    rounds.the_seed_decides,
    drafters.recycling_remembers_the_last_row_of_every_token,
    drafters.an_early_exit_reads_no_layer_twice,
    heads.heads_go_on_from_the_states_that_the_target_had,
    heads.a_cut_keeps_the_targets_law,
    drafters.a_copy_in_8_bits_is_near_and_leaves_the_model_alone,
)


class Mutant(NamedTuple):
    """A bug.

    Attributes:
        sees: what the check's findings must speak of, so that it dies for the right reason.
        number: its place among the 42 bugs people ship, None for one more.
    """

    plant: Plant
    check: Check
    sees: str
    number: int | None


class Mutants(dict[str, Mutant]):
    """Bugs by name."""

    def put(self, number: int | None, name: str, check: Check, sees: str = "") -> Callable[[Plant], None]:
        def put(plant: Plant) -> None:
            assert name not in self
            self[name] = Mutant(plant, check, sees, number)

        return put
