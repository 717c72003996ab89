/**
 * draw-proof.js: the proof that a slot gives the target's own distribution, and the account of every
 * token's probability, with the numbers of a slot or of a row typed in.
 */

import { el, fill, portion, set, write } from '../../base/dom.js';
import { count, number } from '../../base/format.js';
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
    const found = account(row);
    paintLine(parts.mass, massLine(found.z));
    parts.cases.forEach((part) => part.draw(row, found));
    parts.account.draw(row, found, source);
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
  let found = null;
  const drawLines = () =>
    fill(
      lines,
      select.value ? proofLines(found.lines[select.value], found.z) : [],
      () => el('li', { 'data-sv': 'proof-line' }),
      paintLine,
    );
  select.addEventListener('change', drawLines);
  return {
    node,
    draw({ tokens }, newFound) {
      found = newFound;
      const mine = tokens
        .map((token, index) => ({ ...token, index }))
        .filter(({ index }) => kindOf(found.lines[index]) === kind)
        .sort((a, b) => Boolean(b.state) - Boolean(a.state));
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
  const { token, bar, ...heads } = texts.columns;
  const caption = el('span');
  const head = (name, text) => el('th', { scope: 'col', 'data-kind': name }, text);
  const lines = el('tbody');
  const total = createLine('account-total');
  const table = el(
    'table',
    { 'data-sv': 'account' },
    el('caption', {}, caption),
    el(
      'thead',
      {},
      el('tr', {}, head('token', token), ...CELLS.map((name) => head(name, heads[name])), head('bar', bar)),
    ),
    lines,
    el('tfoot', {}, total),
  );
  return {
    node: el(
      'div',
      { 'data-sv': 'account-scroll', role: 'region', tabindex: 0, 'aria-label': texts.account },
      table,
    ),
    draw({ tokens, rest }, found, source) {
      const widest = Math.max(...found.lines.map(({ p }) => p));
      write(caption, texts.caption[source]);
      fill(
        lines,
        found.lines,
        () => createLine('account-row'),
        (node, line, index) => {
          const {
            label,
            state,
            token: id,
          } = tokens[index] ?? { label: words.others({ many: count(rest.count) }), state: null, token: null };
          paintNumbers(node, line, { 'data-token-id': id, 'data-rest': id === null ? 'true' : null });
          set(node.firstElementChild, {
            title: label,
            'aria-label': state && words.label({ token: label, state: words.states[state] }),
          });
          set(node.firstElementChild.firstElementChild, { 'data-look': state });
          write(node.firstElementChild.firstElementChild, label);
          paintBar(node.lastElementChild.firstElementChild, line, widest);
        },
      );
      write(total.firstElementChild.firstElementChild, texts.total);
      paintNumbers(total, found.total, {});
    },
  };
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
  const whole = (value) => (Math.abs(value - 1) < ROUNDING ? 1 : value);
  set(node, { ...marks, ...Object.fromEntries(CELLS.map((name) => [`data-${name}`, line[name]])) });
  CELLS.forEach((name, index) => write(node.children[index + 1], number(whole(line[name]))));
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
 * Whose numbers are shown, and two laws to type. chosen(source, row) is told, row null unless a new one was
 * typed.
 */
function createControls(chosen) {
  const button = (text, attributes) => el('button', { type: 'button', ...attributes }, text);
  const sources = Object.fromEntries(
    Object.entries(texts.sources).map(([name, text]) => [
      name,
      button(text, { 'data-sv': `source-${name}` }),
    ]),
  );
  const inputs = Object.fromEntries(
    Object.keys(PRESETS[0]).map((law) => [
      law,
      el('input', {
        type: 'text',
        'data-sv': `typed-${law}`,
        value: PRESETS[0][law],
        maxlength: 200,
        autocomplete: 'off',
        spellcheck: 'false',
      }),
    ]),
  );
  const presets = PRESETS.map(({ p, q }) => button(texts.preset({ p, q }), { 'data-sv': 'preset' }));
  const problem = el('p', { role: 'alert' });
  const scaled = el('p', { role: 'status' });
  let typing = 0;

  function read() {
    clearTimeout(typing);
    const {
      row = null,
      error = '',
      law,
      scaled: said = '',
    } = typedRow({ p: inputs.p.value, q: inputs.q.value });
    write(problem, error && texts.kept({ problem: error }));
    write(scaled, said);
    for (const [name, input] of Object.entries(inputs))
      set(input, { 'aria-invalid': law === name && 'true' });
    chosen('typed', row);
  }

  for (const [name, node] of Object.entries(sources))
    node.addEventListener('click', () => (name === 'typed' ? read() : chosen(name, null)));
  for (const input of Object.values(inputs)) {
    input.addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(read, TYPED);
    });
    input.addEventListener('change', read);
  }
  presets.forEach((node, index) =>
    node.addEventListener('click', () => {
      for (const [law, input] of Object.entries(inputs)) input.value = PRESETS[index][law];
      read();
    }),
  );
  const group = (name, label, ...children) =>
    el('div', { 'data-sv': name, role: 'group', 'aria-label': label }, ...children);
  return {
    node: el(
      'div',
      { 'data-sv': 'proof-controls' },
      group('proof-sources', texts.whose, ...Object.values(sources)),
      el(
        'div',
        { 'data-sv': 'proof-typed' },
        ...Object.entries(inputs).map(([law, input]) => el('label', {}, texts.inputs[law], input)),
      ),
      group('proof-presets', texts.examples, ...presets),
      problem,
      scaled,
    ),
    mark(source) {
      for (const [name, node] of Object.entries(sources))
        set(node, { 'aria-pressed': String(name === source) });
      for (const node of [problem, scaled]) set(node, { hidden: source !== 'typed' });
    },
  };
}
