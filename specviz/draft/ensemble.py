"""Several drafters, each with its own branch. Where they agree, the branches continue together.

If two drafters guess the same token at one place, both guesses stay, in the order of the drafters, and both are tested.
Dropping one because it is the same would bias the text. What follows the token hangs below the first of the two.

Source: SpecInfer, Miao et al., arXiv:2305.09781.
"""

from collections.abc import Sequence

from specviz import draft
from specviz.config.settings import MOST_GAMMA, Budget
from specviz.draft.base import Committed, Drafter, DrafterSpec, Guess, Proposal, Resources, Settings, proposal
from specviz.gamma.base import Halting
from specviz.sampling.chance import Chance
from specviz.sampling.rows import Law
from specviz.sampling.tree import ROOT, DraftTree
from specviz.trace.round import Drafting
from specviz.verify import NOTHING

NAME = "ensemble"


class Ensemble:
    """A gamma rule looks at the first drafter. Where it stops that one, no other branch goes deeper."""

    needs = NOTHING

    def __init__(self, members: Sequence[Drafter]) -> None:
        self._members = members
        self.nodes = MOST_GAMMA * len(members)
        self.caches = tuple(cache for member in members for cache in member.caches)

    def begin(self, prompt: Sequence[int], states: object = None) -> None:
        for member in self._members:
            member.begin(prompt)

    def commit(self, step: Committed) -> None:
        for member in self._members:
            member.commit(Committed(step.tokens))

    def propose(self, budget: Budget, chance: Chance, halt: Halting | None = None) -> Proposal:
        chain = Budget.chain(budget.depth, budget.reason, budget.signal)
        first, *others = self._members
        made = [first.propose(chain, chance, halt)]
        if made[0].halt:
            chain = chain.within(len(made[0].guesses), made[0].halt.reason)
        made += [member.propose(chain, chance) for member in others]
        guesses: list[Guess] = []
        for branch in made:
            at = ROOT
            for guess in branch.guesses:
                guesses.append(guess._replace(parent=at))
                same = (node for node, other in enumerate(guesses) if (other.parent, other.token) == (at, guess.token))
                at = next(same)
        drafting: list[Drafting] = [call for branch in made for call in branch.drafting]
        calls = sum(branch.calls for branch in made)
        return proposal(guesses, drafting, calls, made[0].glances, made[0].halt)

    def q_of(self, text: Sequence[int], tree: DraftTree) -> Sequence[Law | None]:
        """The first guess at a place belongs to the first drafter that came so far, and so on."""
        laws: list[Law | None] = [None] * len(tree)
        ends = [ROOT] * len(self._members)
        branches: list[list[int]] = [[] for _ in self._members]
        taken: set[int] = set()
        for _ in range(max(tree.depths(), default=-1) + 1):
            for place, end in enumerate(ends):
                mine = next((node for node in tree.children(end) if node not in taken), None)
                if mine is not None and len(branches[place]) == (0 if end == ROOT else tree.depths()[end] + 1):
                    taken.add(mine)
                    branches[place].append(mine)
                    token = tree.tokens[mine]
                    ends[place] = next(node for node in tree.children(end) if tree.tokens[node] == token)
        for member, branch in zip(self._members, branches, strict=True):
            chain = DraftTree.chain([tree.tokens[node] for node in branch])
            for node, q in zip(branch, member.q_of(text, chain), strict=True):
                laws[node] = q
        return laws


def build(resources: Resources, params: Settings) -> Drafter:
    """The drafters by name. Raises ConfigError: one of them cannot be made."""
    return Ensemble([resources.make_drafter(name) for name in str(params["drafters"]).split(", ")])


SPEC = DrafterSpec(draft.entry(NAME), build)
