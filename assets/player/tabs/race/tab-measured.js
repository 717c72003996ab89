/**
 * tab-measured.js: the bars that measure: γ by γ, and a pass by its width. Each opens on what was measured
 * before; what is measured here of a run stays until another takes the stage.
 */

import { tell } from '../../words/words.js';
import { count, number } from '../../base/format.js';
import { hasNoLength } from '../../base/lengths.js';
import { createChart } from '../../page/chart.js';
import { raceOf, resultOf } from '../../trace/race.js';
import { createFold, createMeasuringHead, isOf, runName } from '../head.js';
import { lengthsFigure, lengthsLine, loadFigure } from './figures-why.js';
import { loadLine, passesFigure, sweepFigure, sweepLine } from './figures-why.js';
import { lengthsOf, ratesOf } from './sums-lengths.js';
import { loadOf } from './sums-load.js';
import { passesOf, rowsOf } from './sums-passes.js';
import { pointsOf, sweepOf, wholeSweep } from './sums-sweep.js';
import { words } from '../words.js';

/** The speed-up by γ. */
export const createSweep = (port) =>
  createMeasured(port, 'sweep', {
    question: ({ run, info }) => ({ run, job: 'sweep', over: sweepOf(info.config) }),
    hinder: ({ info: { config } }) => (hasNoLength(config.drafter) ? words.speed.sweep.noLength : ''),
    of: ({ cells }) => (cells.length ? cells : null),
    before: ({ sweep }) => sweep.map(({ cell }) => cell),
    draw(cells, trace, same) {
      const points = pointsOf(cells, same ? racedAt(trace) : null);
      const answer = wholeSweep(cells) ? sweepLine(points) : words.speed.sweep.unfinished;
      return [answer, sweepFigure(points)];
    },
  });

/** What a pass costs by its width. */
export const createPasses = (port) =>
  createMeasured(port, 'passes', {
    question: ({ run }) => ({ run, job: 'machine' }),
    hinder: () => '',
    of: ({ machine }) => (machine?.widths.length ? machine : null),
    before: ({ machine }) => machine[0].machine,
    draw(machine, trace, same) {
      const rows = same ? rowsOf(trace, machine.gamma) : machine.gamma + 1;
      const v = number(passesOf(machine).v(rows));
      return [words.speed.passes.answer({ rows, v }), passesFigure(machine, rows)];
    },
  });

/** What a server would write that decodes many texts at once. */
export const createLoad = (port) =>
  createMeasured(port, 'load', {
    question: ({ run }) => ({ run, job: 'machine' }),
    hinder: () => '',
    of: ({ machine }) => (machine?.batches.length ? machine : null),
    before: ({ machine }) => machine.at(-1).machine,
    draw(machine, trace, same) {
      if (!same) return [words.speed.load.other, null]; // its rounds and these costs would be of two pairs
      const found = loadOf(machine, trace);
      return found ? [loadLine(found), loadFigure(found, machine.gamma)] : [words.speed.load.nothing, null];
    },
  });

/** What longer texts cost, and what guesses bring there. */
export function createLengths(port) {
  const labs = [];
  ['methods', 'methods-chat'].forEach((name) => port.recordedLab(name).then((lab) => labs.push(lab)));
  return createMeasured(port, 'lengths', {
    question({ run, info, rounds }) {
      const drafters = Object.keys(ratesOf({ info, rounds }, labs));
      const changes = (drafter) => (drafter === info.config.drafter ? {} : { drafter, params: {} });
      return { run, job: 'lengths', over: drafters.map(changes) };
    },
    hinder: (trace) => (Object.keys(ratesOf(trace, labs)).length ? '' : words.speed.lengths.nothing),
    of: ({ cells }) => (cells.length ? cells : null),
    before: () => null,
    draw(cells, trace) {
      const lines = lengthsOf(cells, ratesOf(trace, labs), trace.info.config.gamma);
      return [lengthsLine(lines), lengthsFigure(lines)];
    },
  });
}

/** The race of a run as the measurement of its γ; null where it has none, or moved γ. */
function racedAt(trace) {
  const { gamma, gamma_rule: rule } = trace.info.config;
  return raceOf(trace) && rule === 'fixed' ? { gamma, ...resultOf(trace) } : null;
}

/**
 * A bar by its name. how: { question(trace): what is asked, hinder(trace): why it cannot be, of(result): what
 * came of it or null, before(answers): the same of a record, draw(found, trace, same): [the answer, the
 * figure] } - same: it was measured of the run on stage.
 */
function createMeasured({ ask, stop, recorded }, name, how) {
  const texts = words.speed;
  const on = { measure, progress, over };
  const make = (acts) => createFold(name, texts[name].title, acts);
  const { head, measuring } = createMeasuringHead({ ask, stop }, make, on);
  const chart = createChart(name);
  let [found, record, trace] = [null, null, null]; // of this run here, before, on stage
  let seen = null; // the race that was drawn
  head.body.append(chart.node);
  recorded.then((lab) => {
    record = lab;
    draw();
  });

  function measure() {
    if (!trace) return;
    const hindered = how.hinder(trace);
    if (hindered) head.idle(hindered);
    else measuring.start([{ question: how.question(trace), waits: texts.waiting }]);
  }

  function over(job, result, cancelled) {
    found = how.of(result) ?? found;
    draw();
    if (cancelled) return texts.cancelled;
    return result.error === undefined ? '' : texts.refused({ reason: tell(result.error) });
  }

  function draw() {
    if (!trace) return;
    seen = trace.race;
    const shown = found ?? (record && how.before(record.answers));
    const same = Boolean(found) || Boolean(record && isOf(record, trace));
    const [answer, figure] = shown ? how.draw(shown, trace, same) : [texts.nothing, null];
    head.answer(same || !shown ? answer : texts.strange({ answer }));
    chart.draw(figure);
    if (found) head.from('here', texts.hereOf({ run: runName(trace.info.config) }));
    else if (shown) head.fromRecord(record, trace);
    else head.from('none');
  }

  return {
    node: head.node,
    look(story) {
      if (trace === story.trace && seen === trace.race) return;
      trace = story.trace;
      draw();
    },
    onReport: measuring.onReport,
    open() {
      trace = null;
      measuring.settle('');
      found = null;
    },
    drop: measuring.settle,
  };
}

/** @returns {[string, number]} */
function progress(job, { done, of }) {
  return [words.speed.done({ done: count(done), of: count(of) }), done / of];
}
