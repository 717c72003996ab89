/**
 * draw-finding.js: what was found about losslessness: p as bars, the sampled shares as dots, the range that
 * chance allows as whiskers, each with its numbers; or a whole run beside plain decoding.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { about, biased, chart, equality, numbers, verdict } from './figures.js';
import { words } from '../words.js';

const GLYPHS = { same: '≈', different: '≠', equal: '=' };

/**
 * { node, clear(lossy), stale(), finding(found, config, bug, lossy), equality(found) }: bug is the planted
 * one's { title, law, n } or null, lossy whether the rule itself is; stale says that another result is
 * asked for.
 */
export function createFinding() {
  const texts = words.finding;
  const nothing = el('p', { 'data-sv': 'no-finding' }, texts.nothing);
  const said = createVerdict();
  const parts = {
    ...said,
    why: el('p', { 'data-sv': 'bias' }),
    print: el('dl', { 'data-sv': 'numbers' }),
    table: createTable(),
  };
  const found = el(
    'div',
    { 'data-sv': 'finding', hidden: true },
    el('div', { 'data-sv': 'judged' }, parts.node, parts.why),
    parts.table.node,
    parts.print,
  );
  const whole = createEquality();
  const node = el(
    'section',
    { 'data-sv': 'card', 'data-card': 'finding', 'aria-label': words.tabs.losslessness },
    nothing,
    found,
    whole.node,
  );
  const only = (shown) => {
    set(node, { 'data-stale': false });
    [nothing, found, whole.node].forEach((part) => set(part, { hidden: part !== shown }));
  };
  return {
    node,
    clear(lossy) {
      write(nothing, lossy ? texts.lossy.nothing : texts.nothing);
      only(nothing);
    },
    stale: () => set(node, { 'data-stale': true }),
    finding(finding, config, bug, lossy) {
      set(found, {
        'data-verdict': finding.different ? 'different' : 'same',
        'data-n': finding.n,
        'data-tvd': finding.tvd,
        'data-chi2': finding.chi2,
        'data-p-value': finding.p_value,
        'data-law': finding.law,
        'data-bug': finding.bug,
        'data-seed': finding.seed,
      });
      said.draw(finding.different ? 'different' : 'same', about(finding), verdict(finding));
      write(parts.why, biased(finding, bug, lossy));
      parts.table.draw(chart(finding), about(finding));
      fill(
        parts.print,
        numbers(finding, config, bug?.title ?? ''),
        () => el('div', {}, el('dt'), el('dd')),
        ({ children: [term, value] }, pair) => {
          write(term, pair[0]);
          write(value, pair[1]);
        },
      );
      only(found);
    },
    equality(equal) {
      whole.draw(equal);
      only(whole.node);
      whole.reach();
    },
  };
}

/** A glyph and a sentence, read out when they change, under a line that says about what. */
function createVerdict() {
  const [glyph, subject, sentence] = [
    el('b', { 'aria-hidden': 'true' }),
    el('span', { 'data-sv': 'subject' }),
    el('strong'),
  ];
  const node = el('div', { 'data-sv': 'judgement', role: 'status' }, glyph, el('p', {}, subject, sentence));
  return {
    node,
    reach: () => node.scrollIntoView({ block: 'nearest' }),
    draw(kind, over, text) {
      set(node, { 'data-verdict': kind });
      write(glyph, GLYPHS[kind]);
      write(subject, over);
      write(sentence, text);
    },
  };
}

/** The chart, which is a table: its bars are for the eye alone. */
function createTable() {
  const { token, ...heads } = words.finding.columns;
  const caption = el('caption');
  const rows = el('tbody');
  const key = el(
    'p',
    { 'data-sv': 'key', 'aria-hidden': 'true' },
    ...Object.entries(words.finding.legend).map(([kind, text]) => el('span', { 'data-kind': kind }, text)),
  );
  const table = el(
    'table',
    { 'data-sv': 'odds' },
    caption,
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('th', { scope: 'col' }, token),
        el('td'),
        ...Object.values(heads).map((text) => el('th', { scope: 'col' }, text)),
      ),
    ),
    rows,
  );
  return {
    node: el('div', { 'data-sv': 'chart' }, key, table),
    draw(cells, over) {
      write(caption, over);
      fill(rows, cells, createCell, paintCell);
    },
  };
}

function createCell() {
  const marks = ['p', 'whisker', 'share'].map((kind) => el('i', { 'data-kind': kind }));
  return el(
    'tr',
    { 'data-sv': 'cell' },
    el('th', { scope: 'row', dir: 'ltr' }),
    el('td', { 'aria-hidden': 'true' }, el('div', {}, ...marks)),
    el('td'),
    el('td'),
    el('td'),
  );
}

function paintCell(node, { token, label, p, share, low, high, at, outside }) {
  const [name, cell, ...values] = node.children;
  const [bar, whisker, dot] = cell.firstElementChild.children;
  set(node, {
    'data-token-id': token,
    'data-p': p,
    'data-share': share,
    'data-low': low,
    'data-high': high,
    'data-outside': outside,
  });
  write(name, label);
  set(bar, { style: `width: ${portion(at.p)}` });
  set(whisker, { style: `left: ${portion(at.low)}; width: ${portion(at.high - at.low)}` });
  set(dot, { style: `left: ${portion(at.share)}` });
  [number(p), number(share), `${number(low, 2)}–${number(high, 2)}`].forEach((text, index) =>
    write(values[index], text),
  );
}

/** Two rows of tokens, position under position, and what the first differing ones were worth. */
function createEquality() {
  const texts = words.finding.equality;
  const said = createVerdict();
  const shown = el('caption');
  const rows = Object.keys(texts.rows).map((name) =>
    el('tr', {}, el('th', { scope: 'row' }, texts.rows[name])),
  );
  const heads = el('tr');
  const lines = el('tbody');
  const logits = el(
    'table',
    { 'data-sv': 'logits' },
    el('caption', {}, texts.logits),
    el('thead', {}, heads),
    lines,
  );
  const aligned = el(
    'div',
    { 'data-sv': 'aligned', role: 'region', tabindex: 0, 'aria-label': texts.title },
    el('table', {}, shown, el('tbody', {}, ...rows)),
  );
  const node = el('div', { 'data-sv': 'equality', hidden: true }, said.node, aligned, logits);
  return {
    node,
    reach() {
      const mark = aligned.querySelector('[data-differs]');
      aligned.scrollLeft = mark ? mark.offsetLeft - aligned.clientWidth / 2 : 0;
      said.reach();
    },
    draw(found) {
      const compared = equality(found);
      const same = compared.mark < 0;
      set(node, {
        'data-equal': String(same),
        'data-differs': found.differs,
        'data-tie': same ? null : String(found.tie),
      });
      said.draw(same ? 'equal' : found.tie ? 'same' : 'different', texts.title, compared.sentence);
      write(shown, compared.shown);
      Object.values(compared.rows).forEach((tokens, index) => {
        const cells = tokens.map((text, at) =>
          el('td', { dir: 'ltr', 'data-differs': at === compared.mark }, text),
        );
        rows[index].replaceChildren(rows[index].firstElementChild, ...cells);
      });
      set(logits, { hidden: same });
      if (same) return;
      const [names, values] = compared.logits;
      heads.replaceChildren(...names.map((name) => el('th', { scope: 'col' }, name)));
      lines.replaceChildren(
        ...values.map(([pass, ...scores]) =>
          el('tr', {}, el('th', { scope: 'row' }, pass), ...scores.map((score) => el('td', {}, score))),
        ),
      );
    },
  };
}
