/**
 * draw-proof.js: the proof that a slot gives the target's own distribution, and the account of every
 * token's probability, with the numbers of a slot or of a row typed in.
 */

import { button, el, fill, portion, set, write } from '../../base/dom.js';
import { count, number } from '../../base/format.js';
import { columnHead, createTitledTable, writeCells } from '../parts.js';
import { PRESETS, account, kindOf, massLine, proofLines, slotRow, typedRow } from './sums-proof.js';
import { words } from '../words.js';

const texts = words.proof;
const KINDS = Object.keys(texts.kinds);
const CELLS = ['p', 'q', 'accept', 'excess', 'accepted', 'resampled', 'out'];
/** Milliseconds without a keystroke before a typed row is read. */
const TYPED = 400;
/** Recorded rows are rounded to six digits; a sum as near to 1 as this is printed as 1. */
const ROUNDING = 1e-5;

/**
 * The proof and the account in a container; show(slot) gives them the slot looked at: { rows: [{ token,
 * text, p, q }], rest: { count, p, q, overlap } or null, drafted, emitted, verdict }, ids and verdict null
 * while unknown, or null.
 */
export function mountProof(container) {
  const rows = { slot: null, typed: typedRow(PRESETS[0]).row };
  let source = 'slot';
  let shown = null;
  const parts = {
    mass: el('p', { 'data-sv': 'proof-line' }),
    cases: KINDS.map(createCase),
    account: createAccount(),
  };
  const unknown = el('p', { 'data-sv': 'proof-unknown' }, texts.unknown);
  const body = el(
    'div',
    { 'data-sv': 'proof-body' },
    parts.mass,
    el('div', { 'data-sv': 'cases' }, ...parts.cases.map(({ node }) => node)),
    paintLine(el('p', { 'data-sv': 'proof-line' }), texts.conclusion),
    el('h2', {}, texts.account),
    parts.account.node,
  );
  const controls = createControls((name, row) => {
    source = name;
    if (row) rows.typed = row;
    draw();
  });
  const node = el(
    'section',
    { 'data-sv': 'proof', 'aria-label': texts.title },
    el('h2', {}, texts.title),
    el('p', {}, texts.claim),
    unknown,
    body,
    controls.node,
  );
  // typing and scrolling here are no keys of the player
  node.addEventListener('keydown', (event) => event.stopPropagation());
  container.append(node);
  draw();

  function draw() {
    const row = rows[source];
    set(unknown, { hidden: Boolean(row) });
    set(body, { hidden: !row });
    controls.mark(source);
    if (!row) return;
    const sums = account(row);
    paintLine(parts.mass, massLine(sums.z));
    parts.cases.forEach((part) => part.draw(row, sums));
    parts.account.draw(row, sums, source);
  }

  return {
    show(slot) {
      const key = JSON.stringify(slot); // the tokens chosen stay while the slot does
      if (key === shown) return;
      shown = key;
      rows.slot = slotRow(slot);
      if (source === 'slot') draw();
    },
  };
}

/**
 * One of the two cases, for a token chosen among those it holds for; what the slot drafted or emitted comes
 * first.
 */
function createCase(kind) {
  const { title, about, none } = texts.kinds[kind];
  const select = el('select', { 'aria-label': `${title}, ${texts.choose}` });
  const chooser = el('label', {}, texts.choose, select);
  const lines = el('ol');
  const nobody = el('p', {}, none);
  const node = el(
    'div',
    { 'data-sv': 'case', 'data-kind': kind },
    el('h3', {}, title, el('span', {}, about)),
    chooser,
    lines,
    nobody,
  );
  let sums = null;
  const drawLines = () =>
    fill(
      lines,
      select.value ? proofLines(sums.lines[select.value], sums.z) : [],
      () => el('li', { 'data-sv': 'proof-line' }),
      paintLine,
    );
  select.addEventListener('change', drawLines);
  return {
    node,
    draw({ tokens }, newSums) {
      sums = newSums;
      const mine = tokens
        .map((token, index) => ({ ...token, index }))
        .filter(({ index }) => kindOf(sums.lines[index]) === kind)
        .sort((a, b) => Number(Boolean(b.state)) - Number(Boolean(a.state)));
      select.replaceChildren(
        ...mine.map(({ label, state, index }) =>
          el(
            'option',
            { value: index },
            state ? texts.option({ token: label, state: words.states[state] }) : label,
          ),
        ),
      );
      set(chooser, { hidden: !mine.length });
      set(nobody, { hidden: Boolean(mine.length) });
      drawLines();
    },
  };
}

/** A sentence and its equation, which breaks before an equals sign if it must. */
function paintLine(node, [sentence, equation]) {
  const terms = equation
    .split(/ (?== )/)
    .flatMap((term) => [' ', el('span', {}, term)])
    .slice(1);
  node.replaceChildren(el('span', {}, sentence), ' ', el('b', { dir: 'ltr' }, ...terms));
  return node;
}

/** The account: a line per token, the others of the vocabulary as one, and their sum. */
function createAccount() {
  const { columns } = texts;
  const heads = ['token', ...CELLS, 'bar'].map((name) => columnHead(columns[name], { 'data-kind': name }));
  const caption = el('span');
  const table = createTitledTable('account', caption, heads);
  const total = createLine('account-total');
  const look = { 'data-sv': 'account-scroll', role: 'region', tabindex: 0, 'aria-label': texts.account };
  table.append(el('tfoot', {}, total));
  write(total.firstElementChild.firstElementChild, texts.total);
  return {
    node: el('div', look, table),
    draw({ tokens, rest }, { lines, total: sums }, source) {
      const widest = Math.max(...lines.map(({ p }) => p));
      const others = rest && { label: words.others({ many: count(rest.count) }), state: null, token: null };
      write(caption, texts.caption[source]);
      fill(
        table.tBodies[0],
        lines,
        () => createLine('account-row'),
        (node, line, index) => paintToken(node, line, tokens[index] ?? others, widest),
      );
      paintNumbers(total, sums, {});
    },
  };
}

function paintToken(node, line, { label, state, token }, widest) {
  const name = node.firstElementChild;
  paintNumbers(node, line, { 'data-token-id': token, 'data-rest': token === null ? 'true' : null });
  set(name, {
    title: label,
    'aria-label': state && words.label({ token: label, state: words.states[state] }),
  });
  set(name.firstElementChild, { 'data-look': state });
  write(name.firstElementChild, label);
  paintBar(node.lastElementChild.firstElementChild, line, widest);
}

function createLine(name) {
  return el(
    'tr',
    { 'data-sv': name },
    el('th', { scope: 'row', dir: 'ltr' }, el('span')),
    ...CELLS.map((cell) => el('td', { 'data-kind': cell })),
    el(
      'td',
      { 'data-kind': 'bar', 'aria-hidden': 'true' },
      el('div', {}, el('i', { 'data-kind': 'accepted' }), el('i', { 'data-kind': 'resampled' }), el('b')),
    ),
  );
}

function paintNumbers(node, line, marks) {
  const rounded = (value) => (Math.abs(value - 1) < ROUNDING ? 1 : value);
  set(node, { ...marks, ...Object.fromEntries(CELLS.map((name) => [`data-${name}`, line[name]])) });
  writeCells(
    node,
    CELLS.map((name) => number(rounded(line[name]))),
  );
}

/** Both parts end to end, in an outline as long as p. */
function paintBar(bar, { p, accepted, resampled }, widest) {
  const length = (part) => portion(part / widest);
  const [kept, drawn, outline] = bar.children;
  set(kept, { style: `left: 0; width: ${length(accepted)}` });
  set(drawn, { style: `left: ${length(accepted)}; width: ${length(resampled)}` });
  set(outline, { style: `width: ${length(p)}` });
}

/**
 * Whose numbers are shown, and two laws to type: { node, mark(source) }. choose(source, row) is called with a choice,
 * row null unless a new one was typed.
 */
function createControls(choose) {
  const typed = createTyped((row) => choose('typed', row));
  const sources = Object.keys(texts.sources).map((name) => {
    const act = () => (name === 'typed' ? typed.read() : choose(name, null));
    return button({ 'data-sv': `source-${name}` }, act, texts.sources[name]);
  });
  const presets = PRESETS.map((laws) =>
    button({ 'data-sv': 'preset' }, () => typed.type(laws), texts.preset(laws)),
  );
  const group = (name, label, children) =>
    el('div', { 'data-sv': name, role: 'group', 'aria-label': label }, ...children);
  return {
    node: el(
      'div',
      { 'data-sv': 'proof-controls' },
      group('proof-sources', texts.whose, sources),
      typed.node,
      group('proof-presets', texts.examples, presets),
      ...typed.notes,
    ),
    mark(source) {
      Object.keys(texts.sources).forEach((name, index) =>
        set(sources[index], { 'aria-pressed': String(name === source) }),
      );
      typed.notes.forEach((note) => set(note, { hidden: source !== 'typed' }));
    },
  };
}

/**
 * Two laws to type: { node, notes: what is wrong, and what was divided, read(), type(laws) }; onRow(row) is called with
 * what they come to, null where they are no laws.
 */
function createTyped(onRow) {
  const inputs = Object.fromEntries(
    Object.entries(PRESETS[0]).map(([law, value]) => [law, createLaw(law, value)]),
  );
  const [problem, scaling] = ['alert', 'status'].map((role) => el('p', { role }));
  let typing = 0;

  function read() {
    clearTimeout(typing);
    const values = { p: inputs.p.value, q: inputs.q.value };
    const { row = null, error = '', law, scaled = '' } = typedRow(values);
    write(problem, error && texts.kept({ problem: error }));
    write(scaling, scaled);
    for (const [name, input] of Object.entries(inputs))
      set(input, { 'aria-invalid': law === name && 'true' });
    onRow(row);
  }

  for (const input of Object.values(inputs)) {
    input.addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(read, TYPED);
    });
    input.addEventListener('change', read);
  }
  const labels = Object.entries(inputs).map(([law, input]) => el('label', {}, texts.inputs[law], input));
  return {
    node: el('div', { 'data-sv': 'proof-typed' }, ...labels),
    notes: [problem, scaling],
    read,
    type(laws) {
      for (const [law, input] of Object.entries(inputs)) input.value = laws[law];
      read();
    },
  };
}

function createLaw(law, value) {
  return el('input', {
    type: 'text',
    'data-sv': `typed-${law}`,
    value,
    maxlength: 200,
    autocomplete: 'off',
    spellcheck: 'false',
  });
}
