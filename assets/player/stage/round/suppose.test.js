import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepChance, viewAt } from '../../trace/chance.js';
import { scene, supposed } from '../scene.js';
import { drawnBy } from './suppose.js';
import { close, everywhere } from '../../../../tests/golden/scenes.js';

/** Calls act(scene, round, trace, at, story) at every third beat where a hand may move the number. */
function wherever(act) {
  let many = 0;
  everywhere((shown, beat, round, trace, story, at) => {
    if (!shown.ruler.moves) return;
    many += 1;
    if (many % 3 === 0) act(shown, round, trace, at, story);
  });
  assert.ok(many > 0);
}
const stateAt = ({ tree }, node) => tree.nodes[node].state;

test('a number below the mark keeps a guess, one above it does not, and what is after it falls away', () => {
  wherever((shown, round, trace, at, story) => {
    if (shown.ruler.kind !== 'accept') return;
    const [slot, keep] = [shown.focus, keepChance(round.verdicts[shown.focus])];
    const later = round.verdicts.slice(slot + 1).map(({ node }) => node);
    const kept = supposed(story, at, slot, { u: keep / 2 });
    assert.equal(stateAt(kept, slot), keep > 0 ? 'accepted' : 'rejected');
    const ends =
      round.verdicts[slot].verdict === 'accepted' && round.verdicts[slot + 1]?.verdict === 'untested';
    if (keep > 0) later.forEach((node) => assert.equal(stateAt(kept, node), ends ? 'untested' : 'draft'));
    if (keep === 1) return;
    const gone = supposed(story, at, slot, { u: (1 + keep) / 2 });
    assert.equal(stateAt(gone, slot), 'rejected');
    later.forEach((node) => assert.equal(stateAt(gone, node), 'untested'));
    const { state, token } = gone.tree.nodes[round.verdicts.length];
    assert.equal(state, 'resampled');
    const bar = round.verdicts[slot].view.bars.find((each) => each.token === token.id);
    assert.ok(token.id === null || bar.residual > 0, 'it comes from what is left of p');
  });
});

test('the recorded number shows what was recorded, and says that it is a what-if', () => {
  wherever((shown, round, trace, at, story) => {
    const again = supposed(story, at, null, { u: shown.ruler.dart });
    const kind = shown.ruler.kind === 'residual' ? 'replace' : 'verdict';
    const then = story.beats.findIndex(
      (beat, index) => index >= at && beat.round === shown.round && beat.kind === kind,
    );
    if (then < 0 || scene(story, then).focus !== shown.focus) return;
    const recorded = scene(story, then);
    assert.equal(stateAt(again, shown.focus), stateAt(recorded, shown.focus));
    assert.equal(again.ruler.dart, recorded.ruler.dart);
    assert.ok(again.supposed && !recorded.supposed && again.ruler.title !== recorded.ruler.title);
  });
});

test('as u goes from 0 to 1 each replacement has its share of the residual', () => {
  wherever((shown, round, { info }) => {
    if (shown.ruler.kind !== 'residual') return;
    const view = viewAt(round, round.extra.node);
    let [u, known] = [0, 0];
    while (u < 1 - 1e-4) {
      const { token, low, high } = drawnBy(round, info, round.extra.node, u + 1e-6);
      const bar = view.bars.find((each) => each.token === token);
      if (bar) close(high - low, bar.residual / view.left, 'share', 1e-6);
      known += bar ? high - low : 0;
      assert.ok(high > u);
      u = high;
    }
    assert.ok(known > 0 && known < 1 + 1e-6);
  });
});
