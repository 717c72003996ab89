/**
 * draw-source.js: the picture of where a guess comes from, beside q while guesses are made. Each kind of
 * picture has its own drawer, and a box that only it fills.
 */

import { el, set, write } from '../../base/dom.js';
import { drawCopies, drawEight } from './draw-source-copies.js';
import { drawPairs, drawPhrases } from './draw-source-counts.js';
import { drawHeld } from './draw-source-grammar.js';
import { drawBlanks, drawFan, drawImagined } from './draw-source-heads.js';
import { drawLadder, drawLayers, drawLearned, drawRulers, drawStages } from './draw-source-models.js';
import { drawPasses, drawWindow } from './draw-source-passes.js';
import { drawMembers, drawTaken } from './draw-source-trees.js';
import { hold, maths } from './draw-words.js';
import { words } from '../words.js';

/** By the kind of picture: draw({ node, made }, picture), which builds what stands under its title the first time. */
const DRAWERS = {
  pairs: drawPairs,
  phrases: drawPhrases,
  copies: drawCopies,
  eight: drawEight,
  layers: drawLayers,
  ladder: drawLadder,
  rulers: drawRulers,
  learned: drawLearned,
  stages: drawStages,
  taken: drawTaken,
  members: drawMembers,
  heads: drawFan,
  fed: drawFan,
  imagined: drawImagined,
  blanks: drawBlanks,
  held: drawHeld,
  passes: drawPasses,
  window: drawWindow,
};

export function sourceParts() {
  return {
    source: el('div', { 'data-sv': 'source', role: 'group', 'aria-label': words.source.label }),
    sourceLine: el('p', { 'data-sv': 'source-line' }),
    sourceBoxes: {},
  };
}

/** The line under the headline, and the picture, which has all the room where guesses are chosen and q says nothing. */
export function drawSource({ source: node, sourceLine, sourceBoxes, figure }, source) {
  const { line = [], picture = null, chosen } = source ?? {};
  hold(sourceLine, line, () => maths(line));
  set(figure, { 'data-source': picture?.kind ?? null, 'data-chosen': Boolean(picture && chosen) });
  set(node, { hidden: !picture });
  if (!picture) {
    node.replaceChildren(); // a hidden element would keep an older picture
    return;
  }
  const box = (sourceBoxes[picture.kind] ??= emptyBox(picture.kind));
  if (!box.node.isConnected) node.replaceChildren(box.node);
  write(box.title, picture.title ?? '');
  set(box.title, { hidden: !picture.title });
  DRAWERS[picture.kind](box, picture);
}

function emptyBox(kind) {
  const title = el('h3');
  return { node: el('div', { 'data-sv': 'source-box', 'data-source-kind': kind }, title), title, made: {} };
}
