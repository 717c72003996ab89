/**
 * tab.js: Acceptance. How often the guesses of the run on stage were accepted, what that should be worth at
 * each γ, and a sweep over γ to hold against it: the recorded one until another is measured here.
 */

import { tell } from '../../words/words.js';
import { keptFigure, slotsFigure, speedFigure, tokensFigure } from './figures.js';
import { isChain } from '../../trace/timeline.js';
import { set } from '../../base/dom.js';
import { createBench } from './draw-bench.js';
import { createMeasuringHead, isOf, runName } from '../head.js';
import { createCharts } from '../parts.js';
import { createRates, createThumbs } from './draw-rates.js';
import { count, percent } from '../../base/format.js';
import { raceOf, resultOf } from '../../trace/race.js';
import { ratesOf } from './sums-rates.js';
import { alphaAt, basisOf, bestPoint, pointsOf, supposed, sweepOf, wholeSweep } from './sums-speedup.js';
import { words } from '../words.js';

const NOTHING = { costs: null, cells: [] };

/** A run that grows is looked at again when it has this many times the rounds. */
const GROWN = 1.1;

/** { ask(question), stop(), recorded }: see labs.js, which also says what a part is. */
export function createAlpha({ ask, stop, recorded }) {
  const views = createViews({ costs: () => start('costs'), sweep: () => start('sweep'), suppose });
  const on = { measure: () => start('sweep'), running, progress, over };
  const { head, measuring } = createMeasuringHead({ ask, stop }, words.alpha.question, on);
  let measured = NOTHING; // of this run, here
  let seen = null; // the run as last looked at: { trace, rounds, counted, stop, race }
  let record = null; // what was measured before: { costs, cells } and whose they are
  let changes = {}; // what is supposed in place of the measured
  head.body.append(...views.nodes);
  recorded.then((lab) => {
    record = lab && recordOf(lab);
    drawGamma();
  });

  function start(job) {
    if (seen && job === 'sweep' && hasNoLength(seen.trace)) head.idle(words.alpha.bench.noLength);
    else if (seen) measuring.start(jobsOf(job, seen.trace, measured.costs));
  }

  function suppose(wanted) {
    changes = wanted;
    drawGamma();
  }

  function over(job, { costs = measured.costs, cells, error }, cancelled) {
    measured = { costs, cells: cells.length ? cells : measured.cells };
    return outcome(job, cells, error, cancelled);
  }

  function running(job) {
    views.running(job !== null);
    if (!job) drawGamma();
  }

  /** What the costs, the sweep or what is supposed bear upon. */
  function drawGamma() {
    if (seen) set(head.node, views.drawGamma(seen, measured, record, changes));
  }

  return {
    node: head.node,
    look({ trace }) {
      if (seen && isSeen(seen, trace)) return;
      seen = seenOf(trace);
      head.answer(...answer(seen));
      head.from('stage', runName(trace.info.config));
      views.drawRates(seen);
      drawGamma();
    },
    onReport: measuring.onReport,
    open() {
      [seen, changes] = [null, {}];
      measuring.settle('');
      measured = NOTHING;
    },
    drop: measuring.settle,
  };
}

function hasNoLength({ info }) {
  return info.controller === 'none';
}

function seenOf(trace) {
  const { rounds, stop } = trace;
  return { trace, race: raceOf(trace), stop, rounds: [...rounds], counted: ratesOf(rounds) };
}

/** Whether a run is as it was, or has only a few rounds more. */
function isSeen(seen, trace) {
  const same = seen.trace === trace && seen.stop === trace.stop && seen.race === raceOf(trace);
  return same && trace.rounds.length < GROWN * seen.rounds.length;
}

/** A recorded lab as this tab holds it. */
function recordOf(lab) {
  const { costs, sweep } = lab.answers;
  return { ...lab, costs: costs[0].costs, cells: sweep.map(({ cell }) => cell) };
}

function progress(job, { done, of }) {
  return [words.alpha.bench.done({ done: count(done), of: count(of) }), done / of];
}

/** What is measured, see measuring.js; a sweep comes after the costs. */
function jobsOf(job, { run, info: { config } }, known) {
  const { waiting, first } = words.alpha.bench;
  const costs = { question: { run, job: 'costs' }, waits: job === 'sweep' ? first : waiting.costs };
  const sweep = { question: { run, job: 'sweep', over: sweepOf(config) }, waits: waiting.sweep };
  if (job === 'costs') return [costs];
  return known ? [sweep] : [costs, sweep];
}

/** What is said of a job that is over. */
function outcome({ question }, { length }, error, cancelled) {
  const texts = words.alpha.bench;
  const cells = count(length);
  if (cancelled) return texts.cancelled({ cells });
  if (error === undefined) return question.job === 'sweep' ? texts.swept({ cells }) : '';
  const reason = tell(error);
  return length ? texts.stopped({ cells, reason }) : texts.refused({ reason });
}

function forked(rounds) {
  return rounds.some((round) => !isChain(round));
}

function answer({ rounds, counted }) {
  const { part, whole, value } = counted.rates.tested;
  if (value === null) return ['', words.alpha.noAnswer];
  return [
    percent(value),
    words.alpha.answer({ forks: forked(rounds), accepted: count(part), tested: count(whole) }),
  ];
}

/** Everything below the head. want: { costs(), sweep(), suppose(changes) }. */
function createViews(want) {
  const [rates, thumbs, bench] = [createRates(), createThumbs(), createBench(want)];
  const { slots, kept, speed, tokens } = createCharts('slots', 'kept', 'speed', 'tokens');
  return {
    nodes: [slots, rates, speed, bench, tokens, kept, thumbs].map(({ node }) => node),
    running(yes) {
      bench.running(yes);
      [speed, tokens].forEach(({ node }) => set(node, { 'data-stale': yes }));
    },
    drawRates({ trace, rounds, counted }) {
      rates.draw(counted, trace.info.traits.rolls, forked(rounds));
      slots.draw(slotsFigure(counted));
      kept.draw(keptFigure(rounds, counted));
    },
    /** Returns attributes that tell what is drawn. */
    drawGamma(seen, measured, record, changes) {
      const { trace, rounds, counted, race } = seen;
      const { source, strange, basis, points, whatIf } = gammaOf(seen, measured, record, changes);
      const before = source === record && { record, strange: strange && runName(record.config) };
      bench.draw(basis, changes, source.costs, trace.info.config, before);
      speed.draw(speedFigure(basis, whatIf, points));
      const ofRun = strange ? basisOf(trace, null, counted.rates.tested.value) : basis;
      tokens.draw(tokensFigure(rounds, counted, whatIf ?? ofRun, strange ? [] : points));
      const best = !strange && wholeSweep(points) ? bestPoint(points) : null;
      thumbs.draw(counted, { raced: race && resultOf(trace).speedup, best });
      return {
        'data-cells': source.cells.length,
        'data-basis': basis.from,
        'data-recorded': source === record,
        'data-strange': strange,
      };
    },
  };
}

/**
 * What the speed-up is drawn from: measured here of this run, or else before.
 * @returns {{source: {costs: ?object, cells: object[]}, strange: boolean, basis: object, points: object[],
 * whatIf: ?object}} strange: source is of another run
 */
function gammaOf({ trace, counted }, measured, record, changes) {
  const source = measured.costs || measured.cells.length || !record ? measured : record;
  const strange = source === record && !isOf(record, trace);
  const alpha = strange ? alphaAt(record.cells, record.config.gamma) : counted.rates.tested.value;
  const basis = basisOf(trace, source.costs, alpha, strange ? null : undefined);
  const isSupposed = Object.keys(changes).length && (changes.alpha ?? basis.alpha) !== null;
  const whatIf = isSupposed ? supposed(basis, changes) : null;
  return { source, strange, basis, points: pointsOf(source.cells), whatIf };
}
