/**
 * head.js: what a tab opens with: its question, the answer in large, where the figures come from, and a
 * button that measures them again; and bars that open, with as much in small. The last result stays, grey,
 * while something is measured.
 */

import { el, set, write } from '../base/dom.js';
import { clean, show } from '../base/format.js';
import { createMeasuring } from './measuring.js';
import { lock, lockable } from './parts.js';
import { lengthOf, words } from './words.js';

const texts = words.head;

/** What of a prompt tells which run it was: whole words, where it has some. */
const OPENING = /^.{0,24}(?!\S)|^.{24}/su;

/** What a run is called here. */
export function runName(config) {
  const [opening] = OPENING.exec(config.prompt);
  return texts.run({
    ...config,
    opening: show(opening).replaceAll('·', ' ') + (opening === config.prompt ? '' : '…'),
    length: lengthOf(config),
  });
}

/** True if a recorded answer is of this run: the same recording, or one made with the same settings. */
export function isOf(record, trace) {
  const bare = ({ costs, device, dtype, ...config }) => JSON.stringify(Object.entries(config).sort());
  return record.run === trace.run || bare(record.config) === bare(trace.info.config);
}

/**
 * @typedef {object} Head
 * @property {HTMLElement} node
 * @property {HTMLElement} body what is below
 * @property {(large: string, text?: string, tone?: string | null, below?: string) => void} answer of a bar: (text)
 * @property {(kind: string, text?: string) => void} from where the figures come from: one of the words' pills,
 *   and a text
 * @property {(record: object, trace: ?object) => void} fromRecord they were recorded; trace is what they are beside
 * @property {(text: string, share: number | null) => void} busy
 * @property {(text: string) => void} idle
 */

/**
 * The head of a tab; measure() and cancel() are what its buttons do.
 * @returns {Head}
 */
export function createHead(question, acts) {
  const answer = createAnswer();
  const origin = createOrigin(acts);
  const [body, node] = ['lab-body', 'lab-part'].map((name) => el('div', { 'data-sv': name }));
  const title = el('h2', { 'data-sv': 'lab-question' }, question);
  node.append(el('header', { 'data-sv': 'lab-head' }, title, answer.node, origin.node), body);
  return { node, body, answer: answer.show, ...originOf(node, origin) };
}

/**
 * A bar that opens: closed it shows a question with its answer in words, open what the answer stands on. With
 * acts, see createHead, it is a head; answer(text) writes the answer.
 * @returns {any}
 */
export function createFold(name, question, acts = null) {
  const answer = el('p', { 'data-sv': 'opens-answer' });
  const body = el('div', { 'data-sv': 'opens-body' });
  const node = el(
    'details',
    { 'data-sv': 'opens', 'data-fold': name },
    el('summary', {}, el('h3', {}, question), answer),
  );
  const origin = acts && createOrigin(acts);
  if (origin) node.append(origin.node);
  node.append(body);
  return { node, body, answer: (text) => write(answer, text), ...(origin ? originOf(node, origin) : {}) };
}

/** How a head says where its figures come from, and what is under way. */
function originOf(node, origin) {
  function from(kind, text, same = true, run = '') {
    origin.from(kind, text, run);
    set(node, { 'data-from': kind, 'data-other': !same });
  }

  function running(yes) {
    origin.running(yes);
    set(node, { 'data-busy': yes });
  }

  from('none', '');
  return {
    from: (kind, text = '') => from(kind, text),
    fromRecord(record, trace) {
      const same = !trace || isOf(record, trace);
      const run = trace ? texts[same ? 'same' : 'other']({ run: runName(record.config) }) : '';
      from('recorded', texts.pair(record.config) + texts.machine(record), same, run);
    },
    busy(text, share) {
      running(true);
      origin.note(text, share);
    },
    idle(text) {
      running(false);
      origin.note(clean(text));
    },
  };
}

/**
 * A head, made by make(acts), whose buttons start and cancel jobs. on: { measure(), running(job): under way, or
 * null, progress(), over() }; the last two: see measuring.js.
 * @param {{ ask: (question: object) => void, stop: () => void }} port
 * @param {(acts: object) => Head} make
 * @param {{ measure: () => void, running?: (job: object | null) => void } & Pick<import('./measuring.js').On,
 *   'progress' | 'over'>} on
 * @returns {{head: Head, measuring: import('./measuring.js').Measuring}}
 */
export function createMeasuringHead({ ask, stop }, make, { measure, running = () => {}, progress, over }) {
  const head = make({ measure, cancel: () => measuring.cancel() });
  const busy = (text, share, job) => {
    head.busy(text, share);
    running(job);
  };
  const idle = (text) => {
    head.idle(text);
    running(null);
  };
  const measuring = createMeasuring({ ask, stop }, { busy, idle, progress, over });
  return { head, measuring };
}

function createAnswer() {
  const [large, small, more] = [el('b'), el('span'), el('small')];
  const node = el('p', { 'data-sv': 'lab-answer' }, large, small, more);
  return {
    node,
    show(number, text, tone = null, below = '') {
      set(node, { hidden: !number && !text, 'data-tone': tone });
      set(large, { hidden: !number });
      [large, small, more].forEach((part, index) => write(part, [number, text, below][index]));
      set(more, { hidden: !below });
    },
  };
}

/** Where the figures come from, the buttons that measure them again and stop that, and how far it is. */
function createOrigin(acts) {
  const parts = ['pill', 'machine', 'run'].map((name) => el('span', { 'data-sv': `lab-${name}` }));
  const [pill, where, whose] = parts;
  const [measure, cancel] = Object.entries(acts).map(([name, act]) =>
    lockable({ 'data-sv': `lab-${name}` }, act, texts[name]),
  );
  const bar = el('progress', { max: 1, 'aria-label': texts.progress, hidden: true });
  const note = el('p', { role: 'status', 'data-sv': 'lab-note' });
  let [kind, busy] = ['none', false];
  set(cancel, { hidden: true });

  function paintPill() {
    set(pill, { 'data-kind': busy ? 'busy' : kind });
    write(pill, texts.pills[busy ? 'busy' : kind]);
  }

  return {
    node: el('div', { 'data-sv': 'lab-origin' }, ...parts, measure, cancel, note, bar),
    from(name, text, run) {
      kind = name;
      paintPill();
      write(where, text);
      write(whose, run);
      write(measure, name === 'here' ? texts.remeasure : texts.measure);
    },
    running(yes) {
      if (!yes && document.activeElement === cancel) measure.focus();
      busy = yes;
      lock(measure, yes);
      [cancel, bar].forEach((part) => set(part, { hidden: !yes }));
      paintPill();
    },
    /** share: null where nobody knows it; without one, nothing is under way. */
    note(text, share) {
      if (share !== undefined) set(bar, { value: share });
      set(note, { 'aria-live': share === null || share === undefined ? null : 'off' });
      write(note, text);
    },
  };
}
