import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traces } from '../../../tests/golden/traces.js';
import { weighedProblem } from './weighed.js';

const fresh = () => structuredClone(traces().find(({ name }) => name === 'branches-weighed.json'));
const first = (change) => {
  const trace = fresh();
  const round = trace.rounds[0];
  change(round.verdicts, round);
  return weighedProblem(round, trace.info);
};
const fallen = (verdicts) => verdicts.find(({ verdict }) => verdict === 'rejected');
const held = (verdicts) => verdicts.find(({ verdict, u }) => verdict === 'accepted' && u === null);

test('a tree that was weighed together stands as it was recorded', () => {
  const { rounds, info } = fresh();
  for (const round of rounds) assert.equal(weighedProblem(round, info), null);
});

test('a weight, a chance, a mass or a number that the walk does not give is found', () => {
  const wrong = {
    'a weight a hundredth off': (all) => {
      fallen(all).weight *= 0.99;
    },
    'a weight of a guess nobody reached': (all) => {
      all.find(({ weight }) => weight === null).weight = 0.5;
    },
    'no weight where one was reached': (all) => {
      held(all).weight = null;
    },
    'a chance its weight does not give': (all) => {
      fallen(all).accept_prob *= 0.9;
    },
    'a number below the chance of a refused guess': (all) => {
      fallen(all).u = fallen(all).accept_prob / 2;
    },
    'a test of its own where one below stands': (all) => {
      held(all).u = 0.99;
    },
    'no number where a leaf was tested': (all) => {
      fallen(all).u = null;
    },
    'a mass that nothing left': (all) => {
      held(all).mass = held(all).mass === null ? 0.2 : held(all).mass + 0.01;
    },
    'p of a sibling from before the refusal': (all) => {
      const next = all.find(
        ({ parent, node, weight }) =>
          weight !== null && all.some((other) => other.parent === parent && other.node < node),
      );
      const elder = all.find(({ parent, node }) => parent === next.parent && node < next.node);
      next.p = elder.view.bars.find(({ token }) => token === next.token)?.p ?? next.p / 2;
    },
    'siblings tried in another order': (all) => {
      const [one, other] = [
        fallen(all),
        all.find(({ parent, node }) => parent === fallen(all).parent && node > fallen(all).node),
      ];
      for (const name of ['p', 'q', 'weight', 'accept_prob', 'u', 'view', 'verdict', 'mass'])
        [one[name], other[name]] = [other[name], one[name]];
    },
    'a path that ends before its leaf': (all, round) => {
      round.path.pop();
    },
  };
  for (const [name, change] of Object.entries(wrong)) assert.ok(first(change), name);
});

test('where a view lost a bar, what came of it is not held against it', () => {
  assert.equal(
    first((all) => fallen(all).view.bars.shift()),
    null,
  );
});
