/**
 * tab.js: Compare. Configurations held against each other: lanes of one prompt, and a fixed γ against one that adapts. It opens
 * on lanes that were measured before. One question at a time: either card's gives way to the other's.
 */

import { LONGEST, changesOf, decoded, letter, measured } from './sums.js';
import { answerOf } from './figures.js';
import { createSetup } from './draw-setup.js';
import { createComparison } from './draw.js';
import { createHead, runName } from '../head.js';
import { createStrategies } from './draw-strategies.js';
import { set } from '../../base/dom.js';
import { traceOf } from '../../trace/feed.js';
import { FIRST, planOf } from './sums-strategies.js';
import { words } from './words.js';

/** Messages a lane's recording has at most: its head, a round a token, its end. */
const MESSAGES = LONGEST + 2;

/** A part of labs.js; its port has the entries of the γ rules, the drafters and the acceptance rules. */
export function createComparing({ ask, stop, fetch, recorded, rules, drafters, acceptance }) {
  const texts = words.compare;
  const head = createHead({ measure: compare, cancel: () => drop(texts.cancelled) });
  const setup = createSetup({ drafter: drafters, gamma_rule: rules, rule: acceptance }, compare);
  const strategies = createStrategies(rules, measure);
  const comparison = createComparison();
  const { node } = head;
  let run = null; // the run on stage that the cards were set up from: its trace
  let record = null;
  let lanes = null; // the lanes on show
  let busy = null; // who is being answered: what hears a report, and what settles it
  head.ask(texts.question);
  head.body.append(comparison.node, setup.node, strategies.node);
  recorded.then((found) => {
    record = found;
    if (run && !lanes) opens();
  });
  empty();

  function empty() {
    lanes = null;
    comparison.draw([], true);
    strategies.draw([], [], '');
    head.answer('', '');
    head.from('none', null, null, texts.nothing);
  }

  /** Opens on what was measured before. */
  function opens() {
    if (!record || !run) return;
    const found = record.answers.lanes.map(({ lane: name, cells }, index) => ({
      letter: letter(index), lane: cells[0].config, ...decoded(traceOf(name, record.runs[name])), cells, cost: measured(cells), refused: null,
    }));
    lanes = { lanes: found, fetching: 0, ended: true };
    draw();
    head.from('recorded', record, run);
    strategies.draw(planOf(record.config, FIRST), record.answers.strategies.map(({ cell }) => cell), FIRST, record);
  }

  function draw() {
    const whole = lanes.ended && !lanes.fetching;
    comparison.draw(lanes.lanes, whole);
    const done = lanes.lanes.filter(({ cost }) => cost);
    head.answer(...(whole && done.length ? answerOf(done) : ['', texts.wait]));
  }

  function want(asked, over, job) {
    drop(texts.gaveWay);
    busy = asked;
    ask({ run: run.run, job, over });
    set(asked.card, { 'data-stale': true });
    head.busy(texts.waiting, null);
  }

  function drop(text) {
    if (!busy) return;
    stop();
    settle(text);
  }

  function settle(text) {
    const { card, ended } = busy;
    busy = null;
    set(card, { 'data-stale': false });
    head.idle(text);
    ended();
  }

  function compare() {
    if (!run) return;
    const { lanes: chosen, shared } = setup.read();
    const asked = {
      lanes: chosen.map((lane, index) => ({ letter: letter(index), lane, tokens: null, cells: null, cost: null, refused: null })),
      fetching: 0,
      ended: false,
    };
    want({
      card: comparison.node,
      async hear({ done, of, lane: name, cells, refused = null }) {
        head.busy(texts.done(String(done), String(of)), done / of);
        if (lanes !== asked) {
          lanes = asked; // from the first lane on, what was there before gives way
          set(comparison.node, { 'data-stale': false });
          head.from('here', null, run, texts.hereOf(runName({ ...run.info.config, ...chosen[0], ...shared })));
        }
        asked.fetching += 1;
        const messages = refused === null ? await fetch({ run: name, start: 0, stop: MESSAGES }) : [];
        asked.fetching -= 1;
        const found = messages.length && { ...decoded(traceOf(name, messages)), cells, cost: measured(cells) };
        Object.assign(asked.lanes[done - 1], found || { refused: refused ?? texts.lost });
        if (lanes === asked) draw();
      },
      ended() {
        asked.ended = true;
        if (lanes === asked) draw();
      },
    }, chosen.map((lane) => changesOf(lane, run.info.config, shared)), 'lanes');
    node.firstElementChild.scrollIntoView({ block: 'nearest' }); // how far it is, and what ends it, stand there
  }

  function measure() {
    if (!run) return;
    const [rule, cells] = [strategies.rule(), []];
    const plan = planOf(run.info.config, rule);
    want({
      card: strategies.node,
      hear({ done, of, cell }) {
        head.busy(texts.strategies.done(String(done), String(of)), done / of);
        cells.push(cell);
      },
      ended: () => cells.length && strategies.draw(plan, cells, rule),
    }, plan.map(({ changes }) => changes), 'sweep');
  }

  return {
    node,
    look({ trace }) {
      if (run?.run === trace.run) return;
      run = trace;
      setup.begin(run.info.config);
      strategies.begin(run.info.config);
      if (!lanes) opens();
    },
    hear(report) {
      if ('done' in report) busy.hear(report);
      else settle(report.error === undefined ? '' : texts.refused(report.error));
    },
    open() {
      if (busy) settle('');
      head.idle('');
      run = null;
      empty();
    },
    drop(text) {
      if (busy) settle(text);
    },
  };
}
