/**
 * draw-finding.js: what was found about losslessness: p as bars, the sampled shares as dots, the range that
 * chance allows as whiskers, each with its numbers; or a whole run beside plain decoding; or the target
 * beside transformers.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { number } from '../../base/format.js';
import { about, biased, chart, equality, numbers, verdict } from './figures.js';
import { columnHead, createCard, createTable, createTitledTable, paragraphs, writeCells } from '../parts.js';
import { tell } from '../../words/words.js';
import { words } from '../words.js';

const GLYPHS = { same: '≈', different: '≠', equal: '=' };

/**
 * { node, clear(lossy), finding(finding, config, bug, lossy), drawing(sofar), equality(equality),
 * model(lines, sentence, kind) }: bug is the planted one's { title, law, n } or null, lossy whether the rule
 * itself is.
 */
export function createFinding() {
  const texts = words.finding;
  const [nothing] = paragraphs('no-finding');
  const [sampled, equal, checked] = [createSampled(), createEquality(), createModel()];
  const node = createCard(
    'finding',
    words.tabs.losslessness,
    nothing,
    sampled.node,
    equal.node,
    checked.node,
  );
  write(nothing, texts.nothing);
  const only = (shown) => {
    set(node, { 'data-stale': false });
    [nothing, sampled.node, equal.node, checked.node].forEach((part) =>
      set(part, { hidden: part !== shown }),
    );
  };
  return {
    node,
    clear(lossy) {
      write(nothing, lossy ? texts.lossy.nothing : texts.nothing);
      only(nothing);
    },
    finding(...drawn) {
      sampled.draw(...drawn);
      only(sampled.node);
    },
    drawing(sofar) {
      sampled.drawing(sofar);
      only(sampled.node);
    },
    equality(found) {
      equal.draw(found);
      only(equal.node);
      equal.scroll();
    },
    model(...drawn) {
      checked.draw(...drawn);
      only(checked.node);
    },
  };
}

/** What a sample says: the verdict, the odds and the small print. */
function createSampled() {
  const [verdictPart, odds] = [createVerdict(), createOdds()];
  const [why] = paragraphs('bias');
  const print = el('dl', { 'data-sv': 'numbers' });
  const judged = el('div', { 'data-sv': 'judged' }, verdictPart.node, why);
  const node = el('div', { 'data-sv': 'finding', hidden: true }, judged, odds.node, print);
  return {
    node,
    /** The samples so far: only the dots say something. */
    drawing(sofar) {
      set(node, { 'data-drawing': true });
      odds.draw(chart(sofar), about(sofar));
    },
    draw(finding, config, bug, lossy) {
      const kind = finding.different ? 'different' : 'same';
      set(node, {
        'data-drawing': null,
        'data-verdict': kind,
        'data-n': finding.n,
        'data-tvd': finding.tvd,
        'data-chi2': finding.chi2,
        'data-p-value': finding.p_value,
        'data-law': finding.law,
        'data-bug': finding.bug,
        'data-seed': finding.seed,
      });
      verdictPart.draw(kind, about(finding), verdict(finding));
      write(why, biased(finding, bug, lossy, config.rule));
      odds.draw(chart(finding), about(finding));
      fill(print, numbers(finding, config, bug?.title ?? ''), createTerm, paintTerm);
    },
  };
}

function createTerm() {
  return el('div', {}, el('dt'), el('dd'));
}

function paintTerm({ children }, pair) {
  pair.forEach((text, index) => write(children[index], text));
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
    draw(kind, over, text) {
      set(node, { 'data-verdict': kind });
      write(glyph, GLYPHS[kind]);
      write(subject, over);
      write(sentence, text);
    },
  };
}

/** The chart, which is a table: its bars are for the eye alone. */
function createOdds() {
  const { columns, legend } = words.finding;
  const [token, ...heads] = Object.values(columns);
  const table = createTable('odds', '', [token, el('td'), ...heads]);
  const kinds = Object.entries(legend).map(([kind, text]) => el('span', { 'data-kind': kind }, text));
  const key = el('p', { 'data-sv': 'key', 'aria-hidden': 'true' }, ...kinds);
  return {
    node: el('div', { 'data-sv': 'chart' }, key, table),
    draw(cells, over) {
      write(table.caption, over);
      fill(table.tBodies[0], cells, createCell, paintCell);
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
  const rows = Object.values(texts.rows).map((name) => el('tr', {}, el('th', { scope: 'row' }, name)));
  const logits = createTitledTable('logits', texts.logits, []);
  const aligned = el(
    'div',
    { 'data-sv': 'aligned', role: 'region', tabindex: 0, 'aria-label': texts.title },
    el('table', {}, shown, el('tbody', {}, ...rows)),
  );
  const node = el('div', { 'data-sv': 'equality', hidden: true }, said.node, aligned, logits);
  return {
    node,
    scroll() {
      const mark = aligned.querySelector('[data-differs]');
      aligned.scrollLeft = mark ? mark.offsetLeft - aligned.clientWidth / 2 : 0;
      said.node.scrollIntoView({ block: 'nearest' });
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
      logits.tHead.rows[0].replaceChildren(...names.map((name) => columnHead(name)));
      logits.tBodies[0].replaceChildren(
        ...values.map(([pass, ...scores]) =>
          el('tr', {}, el('th', { scope: 'row' }, pass), ...scores.map((score) => el('td', {}, score))),
        ),
      );
    },
  };
}

/** What was checked of the target, line by line as they come, and at last a sentence about all. */
function createModel() {
  const texts = words.finding.model;
  const said = createVerdict();
  const table = createTable('checked', texts.title, texts.columns);
  const node = el('div', { 'data-sv': 'equality', hidden: true }, said.node, table);
  return {
    node,
    draw(lines, sentence, kind) {
      set(said.node, { hidden: !sentence });
      said.draw(kind, texts.title, sentence);
      fill(
        table.tBodies[0],
        lines,
        () => el('tr', {}, el('th', { scope: 'row' }), el('td'), el('td')),
        (row, { what, verdict, detail }) => {
          set(row, { 'data-verdict': verdict });
          write(row.firstElementChild, tell(what));
          writeCells(row, [texts.verdicts[verdict], tell(detail)]);
        },
      );
    },
  };
}
