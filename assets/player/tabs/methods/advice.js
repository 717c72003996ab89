/**
 * advice.js: should I? Prompts of one's own, and which drafter and γ pays on them, or none, as the server says.
 */

import { MOST, adviceOf, promptsIn, triedOf } from './sums-advice.js';
import { createFold } from '../head.js';
import { createTable, keepKeys, labelled, lockable, namedRow, paragraphs, writeCells } from '../parts.js';
import { drafterOf, lackOf } from '../../page/widgets.js';
import { el, fill, set, write } from '../../base/dom.js';
import { local, multiple, number } from '../../base/format.js';
import { sentences, tell } from '../../words/words.js';
import { words } from '../words.js';

/** Letters of all prompts together. */
const LETTERS = 2000;
const NAMES = ['name', 'gamma', 'speedup', 'tokens', 'cost'];

/** A value of the server's sentences as this page says it. */
const spoken = (value) => (/^[\d.]+$/.test(value) ? local(String(value)) : value);

const labelOf = (name) => drafterOf(name)?.label ?? name;

/**
 * { node, jobs(trace): what tab.js has measured, whose end says what it found }; methods: as tab.js joins them;
 * start() is asked to have it measured.
 */
export function createAdvice(methods, start) {
  const texts = words.should;
  const { columns, waiting } = words.overview;
  const fold = createFold('should', texts.question);
  const field = el('textarea', { rows: 4, maxlength: LETTERS, 'data-sv': 'should-prompts', dir: 'auto' });
  const ask = lockable({ 'data-sv': 'should-start' }, start, texts.start);
  const [about, said] = paragraphs('should-about', 'should-said');
  const heads = { ...columns, gamma: texts.gamma };
  const table = createTable(
    'should-table',
    texts.table,
    NAMES.map((name) => heads[name]),
  );
  const tried = () => triedOf(methods, lackOf);
  const sayWhat = () =>
    write(about, texts.about({ drafters: tried().map(({ name }) => labelOf(name)), most: MOST }));
  fold.node.addEventListener('toggle', sayWhat); // which drafters there are may change with the pair
  set(said, { role: 'status' });
  set(table, { hidden: true });
  keepKeys(field, 'textarea');
  fold.body.append(about, labelled(texts.prompts, field), ask, said, table);

  function paint({ advice, sentences: told, error }) {
    if (error !== undefined) write(said, words.overview.refused({ reason: tell(error) }));
    if (!advice) return true;
    const text = sentences(
      told.map(({ code, drafter, ...values }) => {
        const here = Object.entries(values).map(([name, value]) => [name, spoken(value)]);
        return tell({ code, drafter: labelOf(drafter), ...Object.fromEntries(here) });
      }),
    );
    write(said, text);
    fold.answer(text);
    set(table, { hidden: false });
    fill(table.tBodies[0], advice.choices, () => namedRow({}, NAMES.slice(1)), paintChoice);
    return true;
  }

  return {
    node: fold.node,
    jobs({ run, info: { config } }) {
      const prompts = promptsIn(field.value);
      sayWhat();
      write(said, prompts.length ? '' : texts.empty);
      const onReport = ({ done, of }) => [texts.progress({ done, of }), done / of];
      const question = adviceOf(prompts, tried(), run, config);
      return prompts.length ? [{ question, waits: waiting, onReport, end: paint }] : [];
    },
  };
}

function paintChoice(row, { drafter, gamma, gammas: [shortest, longest], per_pass: tokens, cost, ...speed }) {
  const { range, steps } = words.overview;
  const span = ({ value, low, high }) => (low === high ? value : `${value} (${range({ low, high })})`);
  const [speedup, low, high] = [speed.speedup, speed.low, speed.high].map(multiple);
  write(row.firstElementChild, labelOf(drafter));
  writeCells(row, [
    span({ value: gamma, low: shortest, high: longest }),
    span({ value: speedup, low, high }),
    number(tokens),
    steps({ value: number(cost) }),
  ]);
}
