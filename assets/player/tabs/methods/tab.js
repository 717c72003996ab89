/**
 * tab.js: Methods: every way to guess beside plain decoding. It opens on what was measured before; measured here, one method
 * is asked for after the other, so that each row fills as it comes and others get their turn in between.
 */

import { createChart } from '../../page/chart.js';
import { el, set } from '../../base/dom.js';
import { createHead, runName } from '../head.js';
import { createTable } from './draw-table.js';
import { chooseMethod, drafterOf, hasAsset } from '../../page/widgets.js';
import { multiple } from '../../base/format.js';
import { PLAIN, byKind, joined, questionOf, settingsOf, sorted, verdictOf } from './sums.js';
import { costs } from './figures.js';
import { TEXTS, words } from './words.js';

/** The part of labs.js. */
export function createOverview({ ask, stop, recorded, drafters, acceptance, methods: named }) {
  const texts = words.overview;
  const methods = joined(named, drafters, acceptance);
  const head = createHead({ measure: start, cancel: () => stop() && settle(texts.cancelled) });
  const chart = createChart('methods');
  const table = createTable({ sort: resort, run: ({ entry, rule, gamma }) => chooseMethod(entry.name, rule.name, entry.sized ? gamma : null) });
  const picks = Object.entries(texts.kinds.names).map(([kind, text]) => {
    const input = el('input', { type: 'radio', name: 'sv-methods-kind', value: kind, checked: kind === 'all' });
    input.addEventListener('change', () => {
      shown.kind = kind;
      draw();
    });
    return el('label', {}, input, text, kind === 'all' ? '' : el('i', { 'data-kind': kind, 'data-chosen': true }));
  });
  const shown = { kind: 'all', column: 'speedup', way: -1 };
  const { node } = head;
  let story = null; // the run on stage
  let record = null; // what was measured before
  let own = null; // measured here: cells, exactness and reasons by the name of a method
  let queue = []; // what is still to be asked
  let now = null; // { method, job, cells, part: the share of the job that is done, began, of } under way
  head.ask(texts.question);
  head.body.append(el('fieldset', { 'data-sv': 'methods-kinds' }, el('legend', { 'data-sv': 'unseen' }, texts.kinds.label), ...picks), table.node, chart.node);
  recorded.then((found) => {
    record = found && { ...found, found: new Map(Object.entries(found.answers).map(([name, reports]) => [name, answered(reports)])) };
    if (story) draw();
  });

  function resort(column) {
    shown.way = shown.column === column ? -shown.way : column === 'name' || column === 'cost' || column === 'memory' ? 1 : -1;
    shown.column = column;
    draw();
  }

  function start() {
    if (now || !story) return;
    const able = methods.filter(({ entry }) => hasAsset(entry.asset));
    queue = ['sweep', 'exact'].flatMap((job) => able.map((method) => ({ method, job })));
    own = new Map();
    now = { began: performance.now(), of: able.length };
    head.busy(texts.waiting, null);
    next();
  }

  function next() {
    const first = queue.shift();
    if (!first) {
      settle('');
      return;
    }
    const { method, job } = first;
    now = { ...now, method, job, cells: [], part: 0 };
    ask({ run: story.trace.run, job, over: job === 'sweep' ? questionOf(method, story.trace.info.config, TEXTS).over : [settingsOf(method)] });
  }

  function progress() {
    const done = 2 * now.of - queue.length - 1;
    const share = (done + now.part) / now.of / 2;
    const minutes = share > 0.04 ? (performance.now() - now.began) / 6e4 * (1 / share - 1) : null;
    head.busy(texts.progress(now.job, done % now.of, now.of, minutes), share);
  }

  function settle(text) {
    [queue, now] = [[], null];
    head.idle(text);
    if (story) draw();
  }

  /** The methods with what was found of each: { name, title, entry, rule, gamma, kinds, found: on the chosen kind, exact, lacks, refused }. */
  function rows() {
    const source = own ?? record?.found ?? new Map();
    const { config } = own || !record ? story.trace.info : record;
    return methods.map((method) => {
      const { name, entry, rule } = method;
      const { cells = [], exact = null, refused } = source.get(name) ?? {};
      const kinds = byKind(questionOf(method, config, TEXTS).kinds, cells);
      const title = texts.name(drafterOf(entry.name)?.label ?? entry.name, rule === acceptance[0] ? '' : rule.name + (rule.lossless ? '' : texts.isLossy));
      return { ...method, title, kinds, found: kinds[shown.kind] ?? null, exact, refused, lacks: hasAsset(entry.asset) ? '' : texts.lacks(entry.asset) };
    });
  }

  function draw() {
    const all = rows();
    const verdict = verdictOf(all);
    table.draw(sorted([...all, { ...PLAIN, title: texts.plain }], shown.column, shown.way), shown.kind, shown.column, shown.way);
    chart.draw(verdict ? costs(all, shown.kind, own ? [...own].map(([name, { cells, exact }]) => ({ name, cells, exact })) : record.answers) : null);
    head.answer(...answer(verdict));
    if (own) head.from('here', null, null, texts.here(runName(story.trace.info.config)));
    else if (record) head.from('recorded', record, null);
    else head.from('none', null, null, '');
    set(node, { 'data-methods': own ? 'here' : record ? 'recorded' : 'none' });
  }

  function answer(verdict) {
    if (!verdict) return ['', texts.about];
    const { best, rival, slower } = verdict;
    const says = rival ? texts.close(shown.kind, best.title, rival.title) : texts.fastest(shown.kind, best.title);
    return [multiple(best.found.speedup), says + texts.slower(slower)];
  }

  return {
    node,
    look(given) {
      const anew = story !== given;
      story = given;
      if (anew) draw();
    },
    hear({ done, of, cell, exact, error }) {
      if (done !== undefined) {
        if (cell) now.cells.push(cell);
        now.part = done / of;
        progress();
        return;
      }
      const { name } = now.method;
      const found = error === undefined && now.job === 'sweep' ? { cells: now.cells } : { exact, refused: error };
      own.set(name, { ...own.get(name), ...found });
      draw();
      next();
    },
    open() {
      story = null;
      if (now) settle('');
    },
    drop: settle,
  };
}

/** A method's recorded reports: { cells, exact }. */
function answered(reports) {
  return { cells: reports.map(({ cell }) => cell).filter(Boolean), exact: reports.find(({ exact }) => exact)?.exact };
}
