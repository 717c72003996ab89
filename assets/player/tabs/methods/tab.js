/**
 * tab.js: Methods: every way to guess beside plain decoding. It opens on what was measured before; measured
 * here, one method is asked for after the other, so that each row fills as it comes and others get their
 * turn in between.
 */

import { createChart } from '../../page/chart.js';
import { el, set } from '../../base/dom.js';
import { cachedLine } from '../../trace/cached.js';
import { createHead, runName } from '../head.js';
import { createTable } from './draw-table.js';
import { chooseMethod, drafterOf, hasAsset } from '../../page/widgets.js';
import { multiple } from '../../base/format.js';
import { PLAIN, byKind, joined, questionOf, sorted, verdictOf } from './sums.js';
import { costs } from './figures.js';
import { createMeasuring } from './measuring.js';
import { TEXTS, words } from './words.js';

/** The part of labs.js. */
export function createOverview({ ask, stop, recorded, drafters, acceptance, methods: named }) {
  const texts = words.overview;
  const methods = joined(named, drafters, acceptance);
  const head = createHead({
    measure: () => story && measuring.start(story.trace.run, story.trace.info.config),
    cancel: () => stop() && measuring.settle(texts.cancelled),
  });
  const measuring = createMeasuring(ask, head, methods, () => story && draw());
  const chart = createChart('methods');
  const shown = { kind: 'all', column: 'speedup', way: -1 };
  const table = createTable({
    sort: resort,
    run: ({ entry, rule, gamma }) => chooseMethod(entry.name, rule.name, entry.sized ? gamma : null),
  });
  let story = null; // the run on stage
  let record = null; // what was measured before
  head.ask(texts.question);
  head.body.append(createKinds(shown.kind, choose), table.node, chart.node);
  recorded.then((found) => {
    record = found && {
      ...found,
      found: new Map(Object.entries(found.answers).map(([name, reports]) => [name, answered(reports)])),
    };
    if (story) draw();
  });

  function choose(kind) {
    shown.kind = kind;
    draw();
  }

  function resort(column) {
    shown.way =
      shown.column === column
        ? -shown.way
        : column === 'name' || column === 'cost' || column === 'memory'
          ? 1
          : -1;
    shown.column = column;
    draw();
  }

  function draw() {
    const own = measuring.found();
    const { info } = story.trace;
    const about = own || !record ? { forward: info.target_forward.name, config: info.config } : record;
    const all = rowsOf(methods, own ?? record?.found ?? new Map(), about.config, shown.kind, acceptance[0]);
    const verdict = verdictOf(all);
    table.draw(
      sorted([...all, { ...PLAIN, title: texts.plain }], shown.column, shown.way),
      shown.kind,
      shown.column,
      shown.way,
    );
    chart.draw(
      verdict
        ? costs(
            all,
            shown.kind,
            own ? [...own].map(([name, { cells, exact }]) => ({ name, cells, exact })) : record.answers,
          )
        : null,
    );
    head.answer(...answer(verdict, shown.kind, about));
    if (own) head.from('here', null, null, texts.here(runName(story.trace.info.config)));
    else if (record) head.from('recorded', record, null);
    else head.from('none', null, null, '');
    set(head.node, { 'data-methods': own ? 'here' : record ? 'recorded' : 'none' });
  }

  return {
    node: head.node,
    look(onStage) {
      const anew = story !== onStage;
      story = onStage;
      if (anew) draw();
    },
    hear: measuring.hear,
    open() {
      story = null;
      if (measuring.busy()) measuring.settle('');
    },
    drop: measuring.settle,
  };
}

/** The kinds of text to choose from, as radio buttons. */
function createKinds(first, choose) {
  const { label, names } = words.overview.kinds;
  const picks = Object.entries(names).map(([kind, text]) => {
    const input = el('input', {
      type: 'radio',
      name: 'sv-methods-kind',
      value: kind,
      checked: kind === first,
    });
    input.addEventListener('change', () => choose(kind));
    return el(
      'label',
      {},
      input,
      text,
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
 * The methods with what was found of each: { name, title, entry, rule, gamma, kinds, found: on the kind of
 * text, exact, lacks, refused }. source: the findings by name, measured with a config. usual: the rule that
 * a title need not name.
 */
function rowsOf(methods, source, config, kind, usual) {
  const texts = words.overview;
  return methods.map((method) => {
    const { name, entry, rule } = method;
    const { cells = [], exact = null, refused } = source.get(name) ?? {};
    const kinds = byKind(questionOf(method, config, TEXTS).kinds, cells);
    const title = texts.name(
      drafterOf(entry.name)?.label ?? entry.name,
      rule === usual ? '' : rule.name + (rule.lossless ? '' : texts.isLossy),
    );
    return {
      ...method,
      title,
      kinds,
      found: kinds[kind] ?? null,
      exact,
      refused,
      lacks: hasAsset(entry.asset) ? '' : texts.lacks(entry.asset),
    };
  });
}

/** The config and the target's pass are those of the measurement. */
function answer(verdict, kind, { forward, config: { pair } }) {
  const texts = words.overview;
  if (!verdict) return ['', texts.about];
  const { best, rival, slower } = verdict;
  const says = rival ? texts.close(kind, best.title, rival.title) : texts.fastest(kind, best.title);
  return [
    multiple(best.found.speedup),
    says + texts.slower(slower),
    null,
    cachedLine({ forward, pair, check: best.found.check }),
  ];
}

/** A method's recorded reports: { cells, exact }. */
function answered(reports) {
  return {
    cells: reports.map(({ cell }) => cell).filter(Boolean),
    exact: reports.find(({ exact }) => exact)?.exact,
  };
}
