/**
 * stack.js: guesses from a model, as layers beside the target's: a small model, the target's own first layers, or a
 * copy of it in 8 bits. Pure. Everything is read from the record.
 */

import { count, number, show } from '../../base/format.js';
import { tell } from '../../words/words.js';
import { words } from '../words.js';
import { told } from './parts.js';

const texts = words.source;
/** More layers than these are not drawn one by one. */
const LAYERS = 96;
/** Slots of a cache are drawn in no more blocks than these. */
const BLOCKS = 32;

/** How many layers a recorded model has; 0 where the record does not say. */
function layersOf(model) {
  const many = Number(model?.layers);
  return Number.isInteger(many) && many > 0 && many <= LAYERS ? many : 0;
}

/** A block for each layer, those from one number to another in the colour of the model that runs them. */
function stack(name, look, [from, to], more = {}) {
  const cells = Array.from({ length: to }, (_, at) => ({ look: at + 1 < from ? 'layer' : `${look}-layer` }));
  return { name, look, cells, ...more };
}

/** The target's layers, with what reads its last state at their end: one more layer, which goes round, or heads. */
export function ribbonOf({ trace }, heads = 0) {
  const layers = layersOf(trace.info.target);
  if (!layers) return {};
  const end = heads ? '' : texts.ribbon.again;
  const row = stack(words.who.target, 'target', [1, layers], { note: texts.ribbon.goes({ heads }), end });
  const more = Array(heads || 1).fill({ look: 'draft-layer' });
  return { ribbon: { rows: [{ ...row, cells: row.cells.concat(more) }] } };
}

/** The small model's layers, as wide each as those of the target would be. */
export function draftRibbonOf({ trace: { info } }, { goes, again }) {
  const [few, many] = [layersOf(info.draft), layersOf(info.target)];
  if (!few) return {};
  const row = stack(words.who.draft, 'draft', [1, few], { note: goes, end: again });
  const room = Array(Math.max(0, many - few)).fill({});
  return { ribbon: { rows: [{ ...row, cells: row.cells.concat(room) }] } };
}

/** The layers of the small model and of the target; the line says if it reads other tokens. */
export function smallOf({ trace }, round, _, node) {
  const { draft, target } = trace.info;
  const said = { draft: tell(draft), target: tell(target) };
  const [few, many] = [layersOf(draft), layersOf(target)];
  const how = round.verdicts[node]?.source.words;
  const other = how?.code === 'reasons.translated';
  const line = other ? texts.small.other({ ...how, ...said }) : texts.small.line;
  if (!few || !many) return { line, picture: null };
  return {
    line,
    picture: {
      kind: 'stack',
      title: texts.small.title,
      columns: Math.max(few, many),
      rows: [
        stack(words.who.draft, 'draft', [1, few], { note: said.draft, end: paceOf(round) }),
        stack(words.who.target, 'target', [1, many], { note: said.target }),
      ],
    },
  };
}

/** Milliseconds of each guess. */
function paceOf({ timing, verdicts }) {
  const drafting = timing.draft.reduce((sum, { ms }) => sum + ms, 0);
  return texts.small.pace({ ms: number(verdicts.length ? drafting / verdicts.length : 0, 2) });
}

/** The target's layers twice: the guess is read after the first of them, the check goes on from the next. */
export function exitOf({ trace }, round, _, node) {
  const { text, source } = round.verdicts[node];
  const read = Number(source.words?.layer) || 0;
  const layers = layersOf(trace.info.target);
  const whole = source.words?.code === 'reasons.exit.full';
  const line = texts.ladder.line({ layer: read, next: read + 1, layers, whole });
  if (!layers || read < 1 || read >= layers) return { line, picture: null };
  const goes = texts.ladder[whole ? 'again' : 'goes']({ next: read + 1, layers });
  return {
    line,
    picture: {
      kind: 'stack',
      title: texts.ladder.title({ layers }),
      columns: layers,
      rows: [
        stack(show(text), 'draft', [1, read], {
          note: texts.ladder.reads({ layer: read }),
          guess: true,
          lands: 'whole',
        }),
        stack(words.who.target, 'target', [whole ? 1 : read + 1, layers], { note: goes }),
      ],
    },
  };
}

/** The same layers twice: as they are, and as 8 bits hold them, with how far that moves what scores this guess. */
export function roundedOf({ trace }, round, _, node) {
  const { rounding } = round.verdicts[node].source;
  const layers = layersOf(trace.info.target);
  const sound = rounding?.largest && rounding.full.length === rounding.rounded.length;
  if (!layers || !sound) return { line: texts.bits.line, picture: null };
  const step = rounding.largest / 127;
  const off = Math.max(...rounding.full.map((full, at) => Math.abs(full - step * rounding.rounded[at])));
  return {
    line: texts.bits.line,
    picture: {
      kind: 'stack',
      columns: layers,
      rows: [
        stack(words.who.draft, 'draft', [1, layers], { note: texts.bits.eight({ step: number(step, 2) }) }),
        stack(words.who.target, 'target', [1, layers], { note: texts.bits.full }),
      ],
      key: [texts.bits.says({ largest: number(rounding.largest, 2), off: number(off, 2) })],
    },
  };
}

/** The target's cache twice: lit is what a guess reads of it, and what the check reads, which is all. */
export function slotsOf(story, round, moment, node) {
  const { text, source } = round.verdicts[node];
  const { line } = told(story, round, moment, node);
  const { slots, first, last } = source.words ?? {};
  if (![slots, first, last].every(Number.isInteger) || slots < 1) return { line, picture: null };
  const each = Math.ceil(slots / BLOCKS);
  const lit = (at) => at * each < first || (at + 1) * each > slots - last;
  const columns = Math.ceil(slots / each);
  const cells = (look, isLit) =>
    Array.from({ length: columns }, (_, at) => ({ look: isLit(at) ? `${look}-layer` : 'layer' }));
  const row = (name, look, isLit, more) => ({ name, look, cells: cells(look, isLit), ...more });
  const reads = texts.slots.reads({ whole: first + last >= slots });
  return {
    line,
    picture: {
      kind: 'stack',
      title: texts.slots.title({ slots, each }),
      columns,
      rows: [
        row(show(text), 'draft', lit, { note: reads, guess: true, lands: 'whole' }),
        row(words.who.target, 'target', () => true, { note: texts.slots.checks({ slots: count(slots) }) }),
      ],
    },
  };
}
