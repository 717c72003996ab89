/**
 * motion-verdict.js: a chip fills in or is struck out, and the guesses that depend on it fall or turn dotted.
 */

import { nodeAt } from '../draw/draw-lane.js';
import { EASE, FALL, edgesTo, focusOf } from './motion-film.js';

/** Plays it; returns when it is over, in milliseconds. */
export function verdict({ film, parts, scene }) {
  const slot = focusOf(parts, scene);
  const chip = slot?.firstElementChild;
  if (!chip) return 0;
  film.appear(parts.sum.querySelector('[data-sv="term-verdict"]'), 200);
  if (scene.tree.shape === 'tree') passOver(film, parts, scene, slot);
  if (scene.block) return whole(film, parts, scene.tree);
  return slot.dataset.state === 'accepted'
    ? accept(film, parts, slot, chip)
    : reject(film, parts, scene, chip);
}

/** A block's chips fill in one after another; the others fall once it is known how far it stands. */
function whole(film, parts, { nodes }) {
  const at = (wanted) =>
    nodes.flatMap(({ state, kind }, index) =>
      state === wanted && kind !== 'cut' ? [nodeAt(parts, index)] : [],
    );
  const kept = at('accepted');
  kept.forEach((slot, place) => accept(film, parts, slot, slot.firstElementChild, 160 * place));
  const end = 160 * kept.length + 260;
  for (const slot of [...at('rejected'), ...at('untested')])
    film.move(slot.firstElementChild, [{ opacity: 0.2 }, { opacity: 1 }], { delay: end, duration: 320 });
  return end + 320;
}

/**
 * What a verdict leaves behind goes dotted, top to bottom: what hangs on a refused guess, or is beside
 * a kept one.
 */
function passOver(film, parts, { tree }, slot) {
  const kept = slot.dataset.state === 'accepted';
  const gone = (index) => {
    const { parent } = tree.nodes[index];
    return parent === tree.focus
      ? !kept
      : (kept && index !== tree.focus && parent === tree.nodes[tree.focus].parent) ||
          (parent >= 0 && gone(parent));
  };
  const list = tree.nodes.flatMap(({ state, kind }, index) =>
    state === 'untested' && kind === 'guess' && gone(index) ? [index] : [],
  );
  list.forEach((index, at) => {
    const delay = 200 + (260 * at) / list.length;
    film.appear(nodeAt(parts, index), delay, 200);
    for (const path of edgesTo(parts, index)) film.appear(path, delay, 200);
  });
}

function accept(film, parts, slot, chip, delay = 0) {
  const look = getComputedStyle(chip);
  const guess = getComputedStyle(parts.tape);
  const [under, over] = [guess.getPropertyValue('--sv-draft-fill'), look.backgroundColor];
  const layers = [over, under].map((colour) => `linear-gradient(${colour}, ${colour})`).join();
  const fill = { backgroundImage: layers, backgroundRepeat: 'no-repeat' };
  film.move(
    chip,
    [
      { ...fill, backgroundSize: '0% 100%, 100% 100%', color: guess.getPropertyValue('--sv-draft-ink') },
      { ...fill, backgroundSize: '100% 100%, 100% 100%', color: look.color },
    ],
    { delay, duration: 320 },
  );
  film.move(chip, [{ scale: 1 }, { scale: 1.09 }, { scale: 1 }], { delay: delay + 260, duration: 320 });
  for (const path of edgesTo(parts, slot.dataset.node)) film.appear(path, delay + 120, 300);
  return 580;
}

function reject(film, parts, { tree }, chip) {
  const text = chip.lastElementChild;
  const { left, top, width, height } = text.getBoundingClientRect();
  const strike = { left, top: top + height / 2, height: 2 };
  film.move(text, [{ textDecorationColor: 'transparent' }, { textDecorationColor: 'transparent' }], {
    duration: 220,
  });
  film.ghost(
    [
      { box: { ...strike, width: 0 }, at: 0 },
      { box: { ...strike, width }, at: 220 },
    ],
    { background: getComputedStyle(chip).color },
  );
  film.move(
    chip,
    [
      { transform: 'none', easing: EASE },
      { transform: 'none', offset: 0.4 },
      { transform: 'rotate(-7deg) translateY(.6rem)', offset: 0.75 },
      {},
    ],
    { duration: 560 },
  );
  let end = 560;
  tree.nodes.forEach(({ state, tier, kind }, index) => {
    if (state !== 'untested' || !(tier >= 2) || kind === 'cut') return;
    const delay = end === 560 ? 420 : end - 340;
    film.move(
      nodeAt(parts, index).firstElementChild,
      [
        { transform: 'translateY(-2.7rem)', easing: FALL },
        { transform: 'translateY(.25rem)', offset: 0.8 },
        { transform: 'none' },
      ],
      { delay, duration: 380 },
    );
    for (const path of edgesTo(parts, index)) film.appear(path, delay + 200);
    end = delay + 380;
  });
  return end;
}
