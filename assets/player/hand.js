/**
 * hand.js: what a hand does to the round on stage: it moves the random number, or has the round's p and q rolled many
 * times. Both are over, and the recorded run is back, once it lets go.
 */

import { ROLLS } from './stage/round/rolls.js';
import { render } from './render.js';

/** Milliseconds in which the rolls pile up. */
const PILING = 2500;

function hold(player, held) {
  player.playing.pause();
  player.state.held = held;
  render(player);
}

/** Shows what would be if the number on the ruler were u. */
export function suppose(player, u) {
  hold(player, { u });
}

/** Rolls a thousand times with the p and q on stage, other numbers each time. */
export function roll(player) {
  const seed = (player.state.held?.seed ?? 0) + 1;
  const since = performance.now();
  const pile = () => {
    const share = player.stillness.matches ? 1 : (performance.now() - since) / PILING;
    const held = { seed, many: Math.min(ROLLS, Math.round(share * ROLLS)) };
    hold(player, held);
    if (held.many < ROLLS) requestAnimationFrame(() => player.state.held === held && pile());
  };
  pile();
}

/** Shows the recorded run again; whether anything else was shown. */
export function letGo(player) {
  if (!player.state.held) return false;
  hold(player, null);
  return true;
}
