/**
 * foot.js: the run as two slim lanes that are the scrubber, and the end of the target's cache as cells with
 * its length.
 */

import { along, set } from '../../base/dom.js';
import { drawCells, drawRun, footParts, placeHead, tell } from '../draw/draw-foot.js';
import { mini, roundUnder } from '../round/mini.js';
import { createTip } from '../draw/tip.js';

/**
 * scrub: the range input that comes to lie over the lanes; its value is a beat. { plot, kv, cells,
 * draw(scene), drawRun(story) }. Under the pointer the lanes tell why a round guessed so much.
 */
export function createFoot(scrub) {
  const parts = footParts(scrub);
  const tip = createTip(parts.kv);
  let [story, shape, scene] = [null, null, null];
  const quiet = () => set(parts.tip, { hidden: true });
  parts.mini.addEventListener('pointermove', ({ clientX, pointerType }) => {
    if (!scene || pointerType === 'touch') return;
    const box = parts.mini.getBoundingClientRect();
    const share = (clientX - box.left) / box.width;
    tell(parts, scene.roundTitle(roundUnder(story, share * shape.width)), share);
  });
  parts.mini.addEventListener('pointerleave', quiet);
  parts.mini.addEventListener('pointerdown', quiet);

  return {
    plot: parts.plot,
    kv: parts.kv,
    cells: parts.cells,
    /** Draws what depends on the rounds, not on the beat. */
    drawRun(next) {
      story = next;
      shape = mini(story);
      drawRun(parts, shape);
    },
    draw(next) {
      scene = next;
      drawCells(parts, scene);
      tip(scene.cellTitle);
      if (story) placeHead(parts, story, scene, shape.width);
    },
  };
}

/** Moves to the cell `way` places on, or to the last one; the next drawing shows it. */
export function walkCells(row, way) {
  const all = [...row.querySelectorAll('[data-cell]')];
  const next = along(
    all,
    all.findIndex((cell) => cell.matches('[data-here]')),
    way,
  );
  if (next) row.here = Number(next.dataset.at);
}
