/**
 * tab.js: Acceptance. How often the guesses of the run on stage were accepted, what that should be worth at
 * each γ, and a sweep over γ to hold against it: the recorded one until another is measured here.
 */

import { tell } from '../../words/words.js';
import { keptFigure, slotsFigure, speedFigure, tokensFigure } from './figures.js';
import { isChain } from '../../trace/timeline.js';
import { createChart } from '../../page/chart.js';
import { set } from '../../base/dom.js';
import { createBench } from './draw-bench.js';
import { createHead, isOf, runName } from '../head.js';
import { createMeasuring } from '../measuring.js';
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
  const texts = words.alpha.bench;
  const head = createHead({ measure: () => want('sweep'), cancel: () => measuring.cancel() });
  const views = createViews({ costs: () => want('costs'), sweep: () => want('sweep'), suppose });
  const measuring = createMeasuring(
    { ask, stop },
    {
      busy,
      idle,
      progress: (job, { done, of }) => [texts.done({ done: count(done), of: count(of) }), done / of],
      over,
    },
  );
  let own = NOTHING; // what was measured of this run here
  let seen = null; // the run as last looked at: { trace, rounds, counted, stop, race }
  let record = null; // what was measured before: { costs, cells } and whose they are
  let changes = {}; // what is supposed in place of the measured
  head.ask(words.alpha.question);
  head.body.append(...views.nodes);
  recorded.then((found) => {
    if (!found) return;
    const {
      costs: [{ costs }],
      sweep,
    } = found.answers;
    record = { ...found, costs, cells: sweep.map(({ cell }) => cell) };
    if (seen) drawGamma();
  });

  function want(job) {
    if (seen && job === 'sweep' && seen.trace.info.controller === 'none') idle(texts.noLength);
    else if (seen) measuring.start(jobsOf(job, seen.trace, own.costs));
  }

  function over(job, brought, cancelled) {
    const { costs = own.costs, cells } = brought;
    own = { costs, cells: cells.length ? cells : own.cells };
    return outcome(job, brought, cancelled);
  }

  function busy(text, share) {
    head.busy(text, share);
    views.running(true);
  }

  function idle(text) {
    head.idle(text);
    views.running(false);
    if (seen) drawGamma();
  }

  function suppose(found) {
    changes = found;
    if (seen) drawGamma();
  }

  /** What the costs, the sweep or what is supposed bear upon. */
  function drawGamma() {
    set(head.node, views.drawGamma(seen, own, record, changes));
  }

  return {
    node: head.node,
    look({ trace }) {
      const race = raceOf(trace);
      const same = seen?.trace === trace && seen.stop === trace.stop && seen.race === race;
      if (same && trace.rounds.length < GROWN * seen.rounds.length) return;
      seen = { trace, race, stop: trace.stop, rounds: [...trace.rounds], counted: ratesOf(trace.rounds) };
      head.answer(...answer(seen));
      head.from('stage', null, null, runName(trace.info.config));
      views.drawRates(seen);
      drawGamma();
    },
    hear: measuring.hear,
    open() {
      [seen, changes] = [null, {}];
      measuring.settle('');
      own = NOTHING;
    },
    drop: measuring.settle,
  };
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
function outcome({ question }, { cells, error }, cancelled) {
  const texts = words.alpha.bench;
  const many = count(cells.length);
  if (cancelled) return texts.cancelled({ cells: many });
  if (error === undefined) return question.job === 'sweep' ? texts.swept({ cells: many }) : '';
  return cells.length
    ? texts.stopped({ cells: many, reason: tell(error) })
    : texts.refused({ reason: tell(error) });
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
  const rates = createRates();
  const thumbs = createThumbs();
  const bench = createBench(want);
  const charts = Object.fromEntries(
    ['slots', 'kept', 'speed', 'tokens'].map((name) => [name, createChart(name)]),
  );
  return {
    nodes: [
      charts.slots.node,
      rates.node,
      charts.speed.node,
      bench.node,
      charts.tokens.node,
      charts.kept.node,
      thumbs.node,
    ],
    running(yes) {
      bench.running(yes);
      [charts.speed.node, charts.tokens.node].forEach((each) => set(each, { 'data-stale': yes }));
    },
    drawRates({ trace, rounds, counted }) {
      rates.draw(counted, trace.info.traits.rolls, forked(rounds));
      charts.slots.draw(slotsFigure(counted));
      charts.kept.draw(keptFigure(rounds, counted));
    },
    /**
     * own and record: what was measured here of this run, and before. Returns attributes that tell which of
     * them is drawn.
     */
    drawGamma({ trace, rounds, counted }, own, record, changes) {
      const shown = own.costs || own.cells.length || !record ? own : record;
      const strange = shown === record && !isOf(record, trace);
      const alpha = strange ? alphaAt(record.cells, record.config.gamma) : counted.rates.tested.value;
      const basis = strange ? basisOf(trace, shown.costs, alpha, null) : basisOf(trace, shown.costs, alpha);
      const points = pointsOf(shown.cells);
      const whatIf =
        Object.keys(changes).length && (changes.alpha ?? basis.alpha) !== null
          ? supposed(basis, changes)
          : null;
      const race = raceOf(trace);
      const best = !strange && wholeSweep(points) ? bestPoint(points) : null;
      bench.draw(
        basis,
        changes,
        shown.costs,
        trace.info.config,
        shown === record && { record, strange: strange && runName(record.config) },
      );
      charts.speed.draw(speedFigure(basis, whatIf, points));
      charts.tokens.draw(
        tokensFigure(
          rounds,
          counted,
          whatIf ?? (strange ? basisOf(trace, null, counted.rates.tested.value) : basis),
          strange ? [] : points,
        ),
      );
      thumbs.draw(counted, { raced: race && resultOf(trace).speedup, best });
      return {
        'data-cells': shown.cells.length,
        'data-basis': basis.from,
        'data-recorded': shown === record,
        'data-strange': strange,
      };
    },
  };
}
