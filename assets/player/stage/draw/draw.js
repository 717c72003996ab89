/**
 * draw.js: a scene on the page. Builds its elements once, then makes them show any scene, whatever was
 * there before: first everything is written, then everything is measured, then what had to be measured is
 * put in its place. Colour, border and glyph come from the style sheet by data-state and data-kind; the
 * numbers drawn are in data-*.
 */

import { el, set, write as say } from '../../base/dom.js';
import { arcParts, measureArc, placeArc } from './draw-arc.js';
import { turned } from '../round/nodes.js';
import { drawFigureHead, figureParts, measureFigure, placeFigure } from './draw-figure.js';
import { drawHeld, heldParts } from './draw-held.js';
import { drawLane, laneParts, measureLane, nodeAt, placeLane } from './draw-lane.js';
import { lightTogether } from './draw-mask.js';
import { rowBeside } from '../round/mask.js';
import { drawResult, drawTiming, giveActs, resultParts } from './draw-result.js';
import { drawPour, pourParts } from './draw-pour.js';
import { drawRibbon, tapeParts } from './draw-ribbon.js';
import { drawRuler, measureRuler, placeRuler, rulerParts } from './draw-ruler.js';
import { drawSay, sayParts } from './draw-say.js';
import { drawSource, sourceParts } from './draw-source.js';
import { drawSum, measureSum, placeSum } from './draw-sum.js';

/** The parts of the balance on the first screen. */
const NO_RULER = { kind: 'none', title: '', segments: [], dart: null, bracket: null };

/**
 * Fills node; returns { parts, draw(scene), slot(index), turned(key), rowBeside(way),
 * acts(acts), timing(timing), told(text) }: turned and rowBeside are the node that an arrow leads to, in the tree
 * and in its mask, the last three are the result's, see draw-result.js. want: redraw(),
 * pick(index, node, onChip) and explain(node) for a node of the tree, seek(beat), readAll(ribbon) for the
 * text as the scene has it, showMe(), runYourOwn(), predict(), what hand.js does: suppose(u), roll(), letGo().
 */
export function createStage(node, want) {
  let last = null;
  let placed = '';
  /** @type {Record<string, any>} */
  const parts = {
    ...tapeParts(want.redraw, () => want.readAll(last.ribbon)),
    ...sayParts(want),
    tree: laneParts(want.pick),
    ...sourceParts(),
    ...figureParts(want.roll),
    ...pourParts(),
    ...rulerParts(want),
    ...arcParts(),
    ...resultParts(),
    ...heldParts(),
    clocks: el('div', { 'data-sv': 'clocks' }),
    dock: el('div', { 'data-sv': 'dock' }),
  };
  parts.figure.prepend(parts.source);
  parts.headline.after(parts.sourceLine);
  parts.balance = el('div', { 'data-sv': 'balance' }, parts.figure, parts.ruler);
  const { tree, balance, held, outcome, clocks, closing } = parts;
  parts.work = el('div', { 'data-sv': 'work' }, tree.part, balance, held, outcome, clocks, closing.node);
  parts.scene = el('div', { 'data-sv': 'scene' }, parts.work, parts.dock);
  parts.tape.append(parts.arc);
  node.replaceChildren(parts.tape, parts.say, parts.scene);
  lightTogether(node.closest('[data-sv="stage"]'));
  new ResizeObserver(() => {
    // where a beat changed the size it is placed already, and what is in flight would be measured there
    if (last && parts.work.isConnected && sizeOf(parts.work) !== placed) place(parts, last);
  }).observe(parts.work);
  return {
    parts,
    turned: (key) => turned(last.tree, last.tree.focus, key),
    rowBeside: (way) => rowBeside(last.mask, way),
    slot: (index) => nodeAt(parts.tree, index),
    acts: (acts) => giveActs(parts.closing, acts),
    timing: (timing) => drawTiming(parts.closing, timing),
    told: (text) => say(parts.closing.said, text),
    draw(scene) {
      last = scene;
      set(node, {
        'data-kind': scene.kind,
        'data-no-dice': scene.noDice ?? null,
        'data-supposed': Boolean(scene.supposed),
      });
      write(parts, scene);
      placed = sizeOf(parts.work);
      place(parts, scene);
    },
  };
}

const sizeOf = ({ clientWidth, clientHeight }) => `${clientWidth} ${clientHeight}`;

/** The first screen and the result are of the whole run, every other beat of a round. */
function write(parts, scene) {
  const { kind, tree } = scene;
  const [rest, result] = [kind === 'rest', kind === 'result'];
  const round = !rest && !result;
  set(parts.tape, { hidden: result });
  set(parts.balance, { hidden: !round || Boolean(scene.held) });
  drawHeld(parts, round ? scene.held : null, scene.cellTitle);
  set(parts.clocks, { hidden: round });
  drawRibbon(parts.ribbon, scene);
  drawSay(parts, scene);
  drawResult(parts, scene);
  set(parts.work, { 'data-shape': tree.shape });
  set(parts.tree.part, { hidden: result });
  drawLane(parts.tree, scene);
  drawFigureHead(parts, scene.figure, scene.ruler.moves);
  drawSource(parts, scene.source);
  drawSum(parts, round ? scene : {});
  drawPour(parts, scene.pour);
  drawRuler(parts, round ? scene.ruler : NO_RULER, scene.said);
}

/** One reading of the layout for everything that depends on it. */
function place(parts, scene) {
  const [readTree, readSum, arc] = [measureLane(parts.tree), measureSum(parts), measureArc(parts)];
  const [tree, sum, figure, ruler] = [
    readTree(),
    readSum(),
    measureFigure(parts, parts.ruler),
    measureRuler(parts),
  ];
  placeLane(parts.tree, tree, scene);
  placeArc(parts, arc);
  placeSum(sum);
  placeFigure(parts, scene.figure, figure);
  placeRuler(parts, ['rest', 'result'].includes(scene.kind) ? NO_RULER : scene.ruler, ruler);
}
