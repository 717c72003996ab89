/**
 * source-models.js: where a guess comes from that a model made: a small one, one that learns, one that
 * another drafter guesses for, a rounded copy of the target, or the target's own first layers. Pure.
 * Everything is read from the record.
 */

import { count, inSentence, number, plainName, show } from '../../base/format.js';
import { said as saidWith, tell } from '../../words/words.js';
import { words } from '../words.js';

const texts = words.source;
/** More layers than these are not drawn one by one. */
const LAYERS = 96;
/** How many updates are shown. */
const UPDATES = 4;

/** How many layers a recorded model has; 0 where the record does not say. */
function layersOf(model) {
  const many = Number(model?.layers);
  return Number.isInteger(many) && many > 0 && many <= LAYERS ? many : 0;
}

/** Milliseconds of each guess. */
function paceOf({ timing, verdicts }) {
  const drafting = timing.draft.reduce((sum, { ms }) => sum + ms, 0);
  return verdicts.length ? drafting / verdicts.length : 0;
}

/** Two stacks of layers, a guess's and the check's, with what each takes; the line says if it reads other tokens. */
export function smallOf({ trace }, round, _, node) {
  const { draft, target } = trace.info;
  const said = { draft: tell(draft), target: tell(target) };
  const [few, many] = [layersOf(draft), layersOf(target)];
  const how = round.verdicts[node]?.source.words;
  const other = how?.code === 'reasons.translated';
  const line = other ? texts.small.other({ ...how, ...said }) : texts.small.line(said);
  if (!few || !many) return { line, picture: null };
  return {
    line,
    picture: {
      kind: 'layers',
      title: texts.small.title,
      rows: [
        {
          kind: 'draft',
          name: words.who.draft,
          layers: few,
          says: said.draft,
          ms: msOf('guess', paceOf(round)),
        },
        { kind: 'target', name: words.who.target, layers: many, says: said.target, ms: '' },
      ],
    },
  };
}

function msOf(kind, ms) {
  return texts.small.ms[kind]({ ms: number(ms, 2) });
}

/** The target's layers as a ladder: read at one rung, the check continues from the next. */
export function exitOf({ trace }, round, _, node) {
  const { text, source } = round.verdicts[node];
  const read = Number(source.words?.layer) || 0;
  const layers = layersOf(trace.info.target);
  const whole = source.words?.code === 'reasons.exit.full';
  const line = texts.ladder.line({ layer: read, next: read + 1, layers, whole });
  if (!layers || read < 1 || read >= layers) return { line, picture: null };
  return {
    line,
    picture: {
      kind: 'ladder',
      title: texts.ladder.title({ layers }),
      layers,
      read,
      whole,
      guess: show(text),
      reads: texts.ladder.reads({ layer: read }),
      goes: texts.ladder[whole ? 'again' : 'goes']({ next: read + 1, layers }),
    },
  };
}

/** The weights that score the guess on two rulers: as they are, and as 8 bits hold them. */
export function roundedOf(_, round, __, node) {
  const { rounding } = round.verdicts[node].source;
  if (
    !rounding ||
    !rounding.full.length ||
    rounding.full.length !== rounding.rounded.length ||
    !rounding.largest
  )
    return { line: texts.bits.older, picture: null };
  const step = rounding.largest / 127;
  const steps = rounding.full.map((weight) => weight / step);
  const edge = Math.ceil(Math.max(...steps.map(Math.abs), ...rounding.rounded.map(Math.abs))) + 0.5;
  const off = Math.max(...steps.map((exact, at) => Math.abs(exact - rounding.rounded[at])));
  return {
    line: texts.bits.line,
    picture: {
      kind: 'rulers',
      title: texts.bits.title({ width: count(rounding.width) }),
      full: texts.bits.full,
      eight: texts.bits.eight({ step: number(step, 2) }),
      edge,
      pairs: steps.map((exact, at) => [exact, rounding.rounded[at]]),
      says: texts.bits.says({ largest: number(rounding.largest, 2), off: number(off * step, 2) }),
    },
  };
}

/** What the last updates did to q of a token that the target gave, on the way to p. */
export function learnedOf({ trace }, round, moment) {
  const { learning } = round;
  const all = trace.rounds.slice(0, moment.round + 1).map((each) => each.learning?.moved);
  const moves = all.filter((moved, at) => moved && !same(moved, all[at - 1])).slice(-UPDATES);
  const { updates = 0, used = true, moved } = learning ?? {};
  const kind = !updates ? 'none' : used ? 'used' : 'unused';
  const line = saidWith(texts.learned.line[kind], {
    updates,
    ...(moved ? movedAs(moved) : { text: '', p: '', before: '', after: '' }),
    known: Boolean(moved),
  });
  if (!moved) return { line, picture: null };
  const largest = Math.max(...moves.flatMap(({ p, before, after }) => [p, before, after])) || 1;
  return {
    line,
    picture: {
      kind: 'learned',
      title: texts.learned.title,
      note: texts.learned.note,
      rows: moves.map((each) => ({
        ...movedAs(each),
        text: show(each.text),
        bars: [each.before, each.after, each.p].map((value) => value / largest),
        now: each === moved,
      })),
    },
  };
}

function movedAs({ text, p, before, after }) {
  const [from, to, goal] = [before, after, p].map((value) => number(value, 2));
  return { text: inSentence(text), p: goal, before: from, after: to };
}

/** True if two rounds tell of one update. */
function same(one, other) {
  return other && one.token === other.token && one.before === other.before && one.after === other.after;
}

/** Who guessed for the small model, and what it made of that, pass by pass. */
export function stagedOf(story, round, { slot }, node) {
  const { verdicts, timing } = round;
  const who = plainName(verdicts.find(({ source }) => source.inner)?.source.inner.who ?? '');
  const passes = timing.draft.flatMap(({ nodes }, at) => Array.from({ length: nodes }, () => at + 1));
  const cells = verdicts
    .slice(0, slot + 1)
    .map(({ token, text, source: { inner } }, at) => ({
      node: at,
      pass: passes[at] ?? null,
      inner: inner ? show(inner.text) : '',
      kind: !inner ? 'own' : inner.token === token ? 'kept' : 'replaced',
      text: show(text),
      focus: at === node,
    }));
  const here = cells[node];
  return {
    line: texts.stages.line[here.kind]({
      who,
      text: inSentence(verdicts[node].text),
      inner: inSentence(verdicts[node].source.inner?.text ?? ''),
      pass: here.pass ?? '',
    }),
    picture: {
      kind: 'stages',
      title: texts.stages.title({ who }),
      who: texts.stages.who({ who }),
      judge: texts.stages.judge,
      places: verdicts.length,
      cells,
      glyphs: texts.stages.glyphs,
    },
  };
}
