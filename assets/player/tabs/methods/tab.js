/**
 * tab.js: Methods: every way to guess beside plain decoding. It opens on what was measured before; measured
 * here, one method is asked for after the other, so that each row fills as it comes and others get their
 * turn in between. Rows that are chosen are compared lane by lane.
 */

import { tell } from '../../words/words.js';
import { createChart } from '../../page/chart.js';
import { createMachine } from '../../page/machine-slider.js';
import { cachedLine } from '../../trace/cached.js';
import { createHead, createMeasuringHead, runName } from '../head.js';
import { createAdvice } from './advice.js';
import { createLanes } from './lanes.js';
import { createMethodTable } from './draw-table.js';
import { chooseMethod, drafterOf, lackOf } from '../../page/widgets.js';
import { el, set } from '../../base/dom.js';
import { multiple } from '../../base/format.js';
import { lock, lockable } from '../parts.js';
import {
  PLAIN,
  besideOf,
  byKind,
  joined,
  questionOf,
  racedAs,
  settingsOf,
  spanOf,
  verdictOf,
} from './sums.js';
import { resultThere } from '../../trace/machine.js';
import { costs } from './figures.js';
import { TEXTS } from '../prompts.js';
import { words } from '../words.js';

const texts = words.overview;
/** The columns that are sorted upwards first. */
const RISING = ['name', 'cost', 'memory'];
/** The most methods that the answer names. */
const NAMED = 3;

/** The chat model's pair, which has other methods to compare and other texts. */
const CHAT = 'smollm2';

/**
 * The part of labs.js for all runs but the chat model's.
 * @param {object} port see createMethods
 */
export function createOverview(port) {
  return createMethods({ ...port, texts: TEXTS, asks: ['sweep', 'exact'], suits: (pair) => pair !== CHAT });
}

/** The part for those. Exactness is not asked for: a thousand answers of such a model take minutes. */
export function createChatOverview({ chat_methods: methods, chat_texts: texts, ...port }) {
  const recorded = port.recordedLab('methods-chat');
  return createMethods({
    ...port,
    methods,
    texts,
    recorded,
    asks: ['sweep'],
    suits: (pair) => pair === CHAT,
  });
}

/** @param {Record<string, any>} port */
function createMethods({ ask, stop, recorded, suits, ...port }) {
  const { drafters, acceptance, methods: named, texts: decoded, asks } = port;
  const methods = joined(named, drafters, acceptance);
  const on = { measure, running: (job) => job || draw(), progress, over };
  const make = (acts) => createHead(texts.question, acts);
  const { head, measuring } = createMeasuringHead({ ask, stop }, make, on);
  const begin = (jobs) => story && beginOf(measuring, story.trace, jobs);
  const views = createViews(draw, methods, Object.keys(decoded), begin);
  let measured = null; // here: cells, exactness and refusals by the name of a method
  const place = document.createComment(''); // stands where the other pair's are looked at
  let story = null; // the run on stage
  let record = null; // what was measured before
  head.body.append(...views.nodes);
  recorded.then((lab) => {
    record = lab && { ...lab, byName: byName(lab.answers) };
    draw();
  });

  function measure() {
    begin((trace) => {
      measured = new Map();
      return jobsOf(asks, methods, decoded, trace);
    });
  }

  function over({ question, method, end }, result, cancelled) {
    const { cells, exact, error } = result;
    const said = end?.(result);
    if (cancelled) return texts.cancelled;
    const refused = error === undefined ? undefined : tell(error);
    if (!method) return said || refused === undefined ? '' : texts.refused({ reason: refused });
    const answer = question.job === 'sweep' && error === undefined ? { cells } : { exact, refused };
    measured.set(method.name, { ...measured.get(method.name), ...answer });
    draw();
    return '';
  }

  function draw() {
    if (!story) return;
    paint(head, views, { methods, decoded, usual: acceptance[0] }, { trace: story.trace, measured, record });
  }

  return {
    node: head.node,
    look(onStage) {
      if (story === onStage) return;
      const suitable = suits(onStage.trace.info.config.pair);
      story = stand(head.node, place, suitable) ? onStage : null;
      draw();
    },
    onReport: measuring.onReport,
    beside: () => recorded.then(() => story && views.beside(story.trace.info.config)),
    open() {
      story = null;
      if (measuring.busy()) measuring.settle('');
      views.lanes.clear();
    },
    drop: measuring.settle,
  };
}

/** Puts a part where it belongs if it is suitable, or a mark in its place. Returns whether it is. */
function stand(node, place, suitable) {
  if (suitable) place.replaceWith(node);
  else node.replaceWith(place);
  return suitable;
}

/** Has the jobs done that jobsOf(trace) makes, unless others are. */
function beginOf(measuring, trace, jobsOf) {
  const jobs = measuring.busy() ? [] : jobsOf(trace);
  if (jobs.length) measuring.start(jobs);
}

/** Draws what was measured here, or else before, and the answer that it gives. */
function paint(head, views, { methods, decoded, usual }, { trace, measured, record }) {
  const { info } = trace;
  const source = measured ?? record?.byName ?? new Map();
  const about = measured || !record ? { forward: info.target_forward.name, config: info.config } : record;
  const raced = !measured && record ? racedAs(trace, record, decoded) : null;
  const rows = rowsOf({ methods, decoded, usual }, source, about.config, views.kind(), raced);
  const verdict = verdictOf(rows);
  views.draw(rows, verdict && (measured ? rawOf(measured) : record.answers), Boolean(measured));
  head.answer(...answer(verdict, views.kind(), about));
  if (measured) head.from('here', words.overview.here({ run: runName(info.config) }));
  else if (record) head.fromRecord(record, null);
  set(head.node, { 'data-methods': measured ? 'here' : record ? 'recorded' : 'none' });
}

/**
 * Everything below the head: { nodes, lanes, kind(): of text, beside(config), draw(rows, raw, here) }; raw is what was
 * measured, or null, here: on this machine; begin(jobsOf) is asked to have the chosen ones decoded, or prompts of one's
 * own.
 */
function createViews(redraw, methods, kinds, begin) {
  const shown = { kind: 'all', column: 'speedup', way: -1 };
  const lanes = createLanes();
  const advice = createAdvice(methods, () => begin(advice.jobs));
  let chosen = [];
  let all = [];
  const start = lockable(
    { 'data-sv': 'compare-start' },
    () => begin((trace) => [lanes.job(trace, chosen)]),
    words.compare.start,
  );
  const show = (change) => {
    Object.assign(shown, change);
    redraw();
  };
  const chart = createChart('methods');
  const machine = createMachine(redraw);
  const table = createMethodTable({
    sort(column) {
      const first = RISING.includes(column) ? 1 : -1;
      show({ column, way: shown.column === column ? -shown.way : first });
    },
    run: ({ entry, rule, gamma }) => chooseMethod(entry.name, rule.name, entry.sized ? gamma : null),
    choose(rows) {
      chosen = rows;
      lock(start, chosen.length < 2);
    },
  });
  lock(start, true);
  const on = (share) => (row) => ({ ...row, result: row.result && resultThere(row.result, share) });
  const ways = el('p', { 'data-sv': 'compare-ways' }, start, el('span', {}, words.compare.about));
  return {
    nodes: [
      createKinds(['all', ...kinds], (kind) => show({ kind })),
      machine.node,
      chart.node,
      advice.node,
      table.node,
      ways,
      lanes.node,
    ],
    lanes,
    kind: () => shown.kind,
    beside(config) {
      const rows = besideOf(all, config);
      table.choose(rows.map(({ name }) => name));
      begin((trace) => [lanes.job(trace, rows)]);
      lanes.node.scrollIntoView({ block: 'nearest' });
    },
    draw(rows, raw, here) {
      all = rows;
      table.draw([...rows, { ...PLAIN, title: words.overview.plain }], shown);
      set(machine.node, { hidden: !raw });
      machine.say(here);
      const ends = rows.filter(({ result }) => result).flatMap((row) => [row, on(1)(row)]);
      chart.draw(raw && costs(rows.map(on(machine.share())), shown.kind, raw, ends));
    },
  };
}

/** Every method's speed, then every method's exactness where it is asked for, see measuring.js. */
function jobsOf(asks, methods, decoded, { run, info: { config } }) {
  const able = methods.filter(({ entry }) => !lackOf(entry));
  const many = { anyway: true, of: able.length, all: asks.length * able.length, began: performance.now() };
  return asks.flatMap((job) =>
    able.map((method, at) => {
      const over = job === 'sweep' ? questionOf(method, config, decoded).over : [settingsOf(method)];
      const first = job === 'sweep' && !at;
      return { ...many, method, question: { run, job, over }, waits: first && words.overview.waiting };
    }),
  );
}

/** The progress of all jobs together, with the minutes that are left; lanes say how far they are themselves. */
function progress({ question, of, all, began, onReport }, report, left) {
  if (onReport) return onReport(report);
  const done = all - left;
  const share = (done + report.done / report.of) / all;
  const minutes = share > 0.04 ? ((performance.now() - began) / 6e4) * (1 / share - 1) : null;
  return [
    words.overview.progress({
      job: question.job,
      done: done % of,
      of,
      minutes: minutes === null ? null : minutes < 1 ? 0 : Math.round(minutes),
    }),
    share,
  ];
}

/** The kinds of text to choose from, as radio buttons. */
function createKinds(kinds, choose) {
  const { label, names } = words.overview.kinds;
  const picks = kinds.map((kind) => {
    const input = el('input', {
      type: 'radio',
      name: `sv-methods-${kinds[1]}`,
      value: kind,
      checked: kind === kinds[0],
    });
    input.addEventListener('change', () => choose(kind));
    return el(
      'label',
      {},
      input,
      names[kind],
      kind === 'all' ? '' : el('i', { 'data-kind': kind, 'data-chosen': true }),
    );
  });
  return el(
    'fieldset',
    { 'data-sv': 'methods-kinds' },
    el('legend', { 'data-sv': 'unseen' }, label),
    ...picks,
  );
}

/**
 * The methods with results of each: { name, title, entry, rule, gamma, kinds, result: on the kind of
 * text, exact, lacks, refused }. source: the findings by name, measured with a config. usual: the rule that
 * a title need not name. raced: see racedAs.
 */
function rowsOf({ methods, decoded, usual }, source, config, kind, raced) {
  return methods.map((method) => {
    const { name, entry, rule } = method;
    const asset = lackOf(entry);
    const { cells = [], exact = null, refused } = source.get(name) ?? {};
    const kinds = byKind(questionOf(method, config, decoded).kinds, cells);
    if (raced?.is(method)) kinds[raced.kind] = { ...kinds[raced.kind], ...raced.result };
    const title = texts.name({
      label: drafterOf(entry.name)?.label ?? entry.name,
      rule: rule === usual ? '' : rule.name + (rule.lossless ? '' : texts.isLossy),
    });
    return {
      ...method,
      title,
      kinds,
      result: kinds[kind] ?? null,
      exact,
      refused,
      lacks: asset && texts.lacks({ asset }),
    };
  });
}

/** The config and the target's pass are those of the measurement. */
function answer(verdict, kind, { forward, config: { pair } }) {
  if (!verdict) return ['', texts.about];
  const { best, slower } = verdict;
  const { low, high } = spanOf(best);
  const names = best.map(({ title }) => title);
  return [
    texts.fastest({ name: names.slice(0, NAMED), many: names.length, more: names.length - NAMED }),
    texts.says({ kind, low: multiple(low), high: multiple(high), many: names.length }) +
      texts.slower({ many: slower }),
    null,
    cachedLine({ forward, pair, check: best[0].result.check }),
  ];
}

/** Recorded reports by the name of a method: { cells, exact }. */
function byName(answers) {
  return new Map(
    Object.entries(answers).map(([name, reports]) => [
      name,
      {
        cells: reports.map(({ cell }) => cell).filter(Boolean),
        exact: reports.find(({ exact }) => exact)?.exact,
      },
    ]),
  );
}

/** What was measured here, as it is saved. */
function rawOf(measured) {
  return [...measured].map(([name, { cells, exact }]) => ({ name, cells, exact }));
}
