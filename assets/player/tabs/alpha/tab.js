/**
 * alpha.js: the tab of α and γ: how often the guesses of the run on stage were kept, what that should be worth at each γ on
 * this machine, and a sweep over γ to hold against it.
 */

import { keptFigure, slotsFigure, speedFigure, tokensFigure } from './figures.js';
import { createChart } from '../../page/chart.js';
import { el, set } from '../../base/dom.js';
import { createBench } from './draw-bench.js';
import { createRates, createThumbs } from './draw-rates.js';
import { count } from '../../base/format.js';
import { raceOf, resultOf } from '../race/race.js';
import { ratesOf } from './rates.js';
import { basisOf, bestPoint, pointsOf, supposed, sweepOf } from './speedup.js';
import { words } from './words.js';

/** A run that grows is looked at again when it has this many times the rounds. */
const GROWN = 1.1;

/** { ask(question), stop() }: see labs.js, which also says what a part is. */
export function createAlpha({ ask, stop }) {
  const texts = words.alpha.bench;
  const rates = createRates();
  const thumbs = createThumbs();
  const bench = createBench({ costs: () => want('costs'), sweep: () => want('sweep'), cancel, suppose });
  const charts = Object.fromEntries(['slots', 'kept', 'speed', 'tokens'].map((name) => [name, createChart(name)]));
  const node = el('div', { 'data-sv': 'lab', 'data-lab': 'alpha' }, rates.node, charts.slots.node, charts.kept.node, bench.node, charts.speed.node, charts.tokens.node, thumbs.node);
  let seen = null; // the run as last looked at: { trace, rounds, counted, stop, race }
  let costs = null;
  let cells = [];
  let done = 0; // cells that the question under way has brought
  let next = null; // what is asked once the costs are known
  let given = {}; // what is supposed in place of the measured

  /** Asks for the costs, and if a sweep is wanted and they are known already, for that. */
  function want(job) {
    if (!seen) return;
    const { trace } = seen;
    next = job === 'sweep' && !costs ? job : null;
    done = 0;
    if (job === 'sweep') cells = [];
    if (job === 'sweep' && costs) ask({ run: trace.run, job, over: sweepOf(trace.info.config) });
    else ask({ run: trace.run, job: 'costs' });
    bench.busy(next ? texts.first : texts.waiting[job], null);
    if (job === 'sweep') drawGamma();
  }

  function cancel() {
    stop();
    bench.idle(texts.cancelled(count(done)));
  }

  function suppose(changes) {
    given = changes;
    if (seen) drawGamma();
  }

  function draw() {
    const { trace, rounds, counted } = seen;
    rates.draw(counted, trace.info.config.rule);
    charts.slots.draw(slotsFigure(counted));
    charts.kept.draw(keptFigure(rounds, counted));
    drawGamma();
  }

  /** What the costs, the sweep or what is supposed bear upon. */
  function drawGamma() {
    const { trace, rounds, counted } = seen;
    const basis = basisOf(trace, costs, counted.rates.tested.value);
    const points = pointsOf(cells);
    const whatIf = Object.keys(given).length && (given.alpha ?? basis.alpha) !== null ? supposed(basis, given) : null;
    const race = raceOf(trace);
    bench.draw(basis, given, costs, trace.info.config);
    charts.speed.draw(speedFigure(basis, whatIf, points));
    charts.tokens.draw(tokensFigure(rounds, counted, whatIf ?? basis, points));
    thumbs.draw(counted, { raced: race && resultOf(trace).speedup, best: bestPoint(points) });
    set(node, { 'data-cells': cells.length, 'data-from': basis.from });
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
      if (report.error !== undefined) bench.idle(done ? texts.stopped(count(done), report.error) : texts.refused(report.error));
      else if (report.costs) {
        costs = report.costs;
        if (next) want(next);
        else bench.idle('');
        drawGamma();
      } else if (report.cell) {
        cells.push(report.cell);
        done = report.done;
        bench.busy(texts.done(count(done), count(report.of)), done / report.of);
        drawGamma();
      } else bench.idle(texts.swept(count(cells.length)));
    },
    open() {
      [seen, costs, cells, next, given] = [null, null, [], null, {}];
      bench.idle('');
    },
    drop: bench.idle,
  };
}
