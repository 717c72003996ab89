/**
 * figures-training.js: how heads learned, as figures (see figure.js), each with its sentence. Pure. A note
 * of a training is { step, train, held_out }: overlaps of p and q by depth. The overlap is the chance that
 * a drawn guess is accepted.
 */

import { number } from '../../base/format.js';
import { words } from '../words.js';

const LOW = 250;
/** A line for each depth, the first ones solid. */
const COLOURS = ['overlap', 'p', 'q-edge', 'refused', 'owed', 'axis', 'ink'];
const DASHES = ['solid', 'dash', 'dot', 'dashdot'];

/** Overlap on held-out text by depth, over the steps of a training. */
export function learnedFigure(kind, notes) {
  const texts = words.training.learned;
  const last = notes.at(-1);
  const dips = notes.some(({ held_out: [first] }, at) => at > 0 && first < notes[at - 1].held_out[0]);
  return {
    title: texts.title({ kind }),
    says: texts.says({
      steps: last.step.toLocaleString('en'),
      first: number(last.held_out[0]),
      places: last.held_out.length,
      last: number(last.held_out.at(-1)),
      dips,
    }),
    x: texts.x,
    y: texts.y,
    height: LOW,
    series: last.held_out.map((_, depth) => ({
      name: texts.depth({ place: depth + 1 }),
      kind: 'line',
      colour: COLOURS[depth % COLOURS.length],
      dash: DASHES[depth % DASHES.length],
      x: notes.map(({ step }) => step),
      y: notes.map(({ held_out: overlaps }) => overlaps[depth]),
      about: notes.map(({ step, held_out: overlaps }) =>
        texts.at({ step, place: depth + 1, share: number(overlaps[depth]) }),
      ),
    })),
    table: {
      columns: [texts.x, ...last.held_out.map((_, depth) => texts.depth({ place: depth + 1 }))],
      rows: notes.map(({ step, held_out: overlaps }) => [step, ...overlaps]),
    },
    raw: notes,
  };
}

/** What EAGLE's own outputs fed back in training are worth at each depth: two heads alike but for that. */
export function feedbackFigure({ steps, fed_back: fed, not_fed_back: alone }) {
  const texts = words.training.feedback;
  const arms = [
    ['fed', 'overlap', fed],
    ['alone', 'q', alone],
  ].map(([name, colour, notes]) => ({ name: texts[name], colour, overlaps: notes.at(-1).held_out }));
  const [[first, deepest], [firstAlone, deepestAlone]] = arms.map(({ overlaps }) => [
    overlaps[0],
    overlaps.at(-1),
  ]);
  const depths = fed.at(-1).held_out.map((_, depth) => depth + 1);
  return {
    title: texts.title,
    says: texts.says({
      steps,
      firstAlone: number(firstAlone),
      lastAlone: number(deepestAlone),
      first: number(first),
      last: number(deepest),
    }),
    x: texts.x,
    y: words.training.learned.y,
    xaxis: { dtick: 1 },
    height: LOW,
    series: arms.map(({ name, colour, overlaps }) => ({
      name,
      kind: 'bars',
      colour,
      x: depths,
      y: overlaps,
      about: overlaps.map((overlap, at) => texts.at({ place: at + 1, name, share: number(overlap) })),
    })),
    table: {
      columns: [texts.x, ...arms.map(({ name }) => name)],
      rows: depths.map((depth, at) => [depth, ...arms.map(({ overlaps }) => overlaps[at])]),
    },
    raw: { steps, fed, alone },
  };
}
