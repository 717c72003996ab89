/**
 * tab.js: Acceptance. How often the guesses of the run on stage were accepted, what that should be worth at each γ, and a
 * sweep over γ to hold against it: the recorded one until another is measured here.
 */

import { keptFigure, slotsFigure, speedFigure, tokensFigure } from './figures.js';
import { isChain } from '../../trace/timeline.js';
import { createChart } from '../../page/chart.js';
import { set } from '../../base/dom.js';
import { createBench } from './draw-bench.js';
import { createHead, isOf, runName } from '../head.js';
import { createRates, createThumbs } from './draw-rates.js';
import { count, percent } from '../../base/format.js';
import { raceOf, resultOf } from '../../trace/race.js';
import { ratesOf } from './sums-rates.js';
import { alphaAt, basisOf, bestPoint, pointsOf, supposed, sweepOf, wholeSweep } from './sums-speedup.js';
import { words } from './words.js';

/** A run that grows is looked at again when it has this many times the rounds. */
const GROWN = 1.1;
const NOTHING = { costs: null, cells: [] };

/** { ask(question), stop(), recorded }: see labs.js, which also says what a part is. */
export function createAlpha({ ask, stop, recorded }) {
  const texts = words.alpha.bench;
  const head = createHead({ measure: () => want('sweep'), cancel });
  const rates = createRates();
  const thumbs = createThumbs();
  const bench = createBench({ costs: () => want('costs'), sweep: () => want('sweep'), suppose });
  const charts = Object.fromEntries(['slots', 'kept', 'speed', 'tokens'].map((name) => [name, createChart(name)]));
  const { node } = head;
  let seen = null; // the run as last looked at: { trace, rounds, counted, stop, race }
  let record = null; // what was measured before: { costs, cells } and whose they are
  let own = NOTHING; // what was measured here of this run
  let coming = []; // cells of the sweep under way
  let next = null; // what is asked once the costs are known
  let given = {}; // what is supposed in place of the measured
  head.ask(words.alpha.question);
  head.body.append(charts.slots.node, rates.node, charts.speed.node, bench.node, charts.tokens.node, charts.kept.node, thumbs.node);
  recorded.then((found) => {
    if (!found) return;
    const { costs: [{ costs }], sweep } = found.answers;
    record = { ...found, costs, cells: sweep.map(({ cell }) => cell) };
    if (seen) drawGamma();
  });

  /** Asks for the costs, and if a sweep is wanted and they are known already, for that. */
  function want(job) {
    if (!seen) return;
    const { trace } = seen;
    if (job === 'sweep' && trace.info.controller === 'none') return settle(texts.noLength);
    next = job === 'sweep' && !own.costs ? job : null;
    coming = [];
    if (job === 'sweep' && own.costs) ask({ run: trace.run, job, over: sweepOf(trace.info.config) });
    else ask({ run: trace.run, job: 'costs' });
    busy(next ? texts.first : texts.waiting[job], null);
  }

  function busy(text, share) {
    head.busy(text, share);
    bench.running(true);
    [charts.speed.node, charts.tokens.node].forEach((each) => set(each, { 'data-stale': true }));
  }

  /** Nothing is asked any more: what the sweep brought is shown, or what was there before. */
  function settle(text) {
    if (coming.length) own = { ...own, cells: coming };
    coming = [];
    next = null;
    head.idle(text);
    bench.running(false);
    [charts.speed.node, charts.tokens.node].forEach((each) => set(each, { 'data-stale': false }));
    if (seen) drawGamma();
  }

  function cancel() {
    stop();
    settle(texts.cancelled(count(coming.length)));
  }

  function suppose(changes) {
    given = changes;
    if (seen) drawGamma();
  }

  function draw() {
    const { trace, rounds, counted } = seen;
    const { config } = trace.info;
    const { part, whole, value } = counted.rates.tested;
    head.answer(...(value === null ? ['', words.alpha.noAnswer] : [percent(value), words.alpha.answer(rounds.some((round) => !isChain(round)), count(part), count(whole))]));
    head.from('stage', null, null, runName(config));
    rates.draw(counted, trace.info.traits.rolls);
    charts.slots.draw(slotsFigure(counted));
    charts.kept.draw(keptFigure(rounds, counted));
    drawGamma();
  }

  /** What the costs, the sweep or what is supposed bear upon. */
  function drawGamma() {
    const { trace, rounds, counted } = seen;
    const measured = own.costs || own.cells.length;
    const shown = measured || !record ? own : record;
    const strange = shown === record && !isOf(record, trace);
    const alpha = strange ? alphaAt(record.cells, record.config.gamma) : counted.rates.tested.value;
    const basis = strange ? basisOf(trace, shown.costs, alpha, null) : basisOf(trace, shown.costs, alpha);
    const points = pointsOf(shown.cells);
    const whatIf = Object.keys(given).length && (given.alpha ?? basis.alpha) !== null ? supposed(basis, given) : null;
    const race = raceOf(trace);
    const best = !strange && wholeSweep(points) ? bestPoint(points) : null;
    bench.draw(basis, given, shown.costs, trace.info.config, shown === record && { record, strange: strange && runName(record.config) });
    charts.speed.draw(speedFigure(basis, whatIf, points));
    charts.tokens.draw(tokensFigure(rounds, counted, whatIf ?? (strange ? basisOf(trace, null, counted.rates.tested.value) : basis), strange ? [] : points));
    thumbs.draw(counted, { raced: race && resultOf(trace).speedup, best });
    set(node, { 'data-cells': shown.cells.length, 'data-basis': basis.from, 'data-recorded': shown === record, 'data-strange': strange });
  }

  return {
    node,
    look({ trace }) {
      const race = raceOf(trace);
      const same = seen?.trace === trace && seen.stop === trace.stop && seen.race === race;
      if (same && trace.rounds.length < GROWN * seen.rounds.length) return;
      seen = { trace, race, stop: trace.stop, rounds: [...trace.rounds], counted: ratesOf(trace.rounds) };
      draw();
    },
    hear(report) {
      if (report.error !== undefined) settle(coming.length ? texts.stopped(count(coming.length), report.error) : texts.refused(report.error));
      else if (report.costs) {
        own = { ...own, costs: report.costs };
        if (next) want(next);
        else settle('');
      } else if (report.cell) {
        coming.push(report.cell);
        busy(texts.done(count(report.done), count(report.of)), report.done / report.of);
      } else settle(texts.swept(count(coming.length)));
    },
    open() {
      [seen, own, coming, given] = [null, NOTHING, [], {}];
      settle('');
    },
    drop: settle,
  };
}
