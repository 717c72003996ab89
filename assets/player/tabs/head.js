/**
 * head.js: what a tab opens with: its question, the answer in large, where the figures come from, and a
 * button that measures them anew. The last result stays, grey, while something is measured.
 */

import { el, set, write } from '../base/dom.js';
import { clean, show } from '../base/format.js';
import { lengthOf, words } from './words.js';

const texts = words.head;

/** Letters of a prompt that tell which run it was. */
const OPENING = 24;

/** What a run is called here. */
export function runName(config) {
  const opening = [...config.prompt].slice(0, OPENING).join('');
  return texts.run({
    ...config,
    opening: show(opening).replaceAll('·', ' ') + (opening === config.prompt ? '' : '…'),
    length: lengthOf(config),
  });
}

/** Whether a recorded answer is of this run: the same recording, or one made with the same settings. */
export function isOf(record, trace) {
  const bare = ({ costs, device, dtype, ...config }) => JSON.stringify(Object.entries(config).sort());
  return record.run === trace.run || bare(record.config) === bare(trace.info.config);
}

/**
 * want: { measure(), cancel() }. { node, body, ask(text), answer(large, text, tone, below), from(kind,
 * record, trace, text), busy(text, share), idle(text), focus() }: kind is one of the words' pills; text
 * stands instead of the machine's line.
 */
export function createHead(want) {
  const [question, large, small, more] = [
    el('h2', { 'data-sv': 'lab-question' }),
    el('b'),
    el('span'),
    el('small'),
  ];
  const answer = el('p', { 'data-sv': 'lab-answer' }, large, small, more);
  const [pill, where, whose] = [
    el('span', { 'data-sv': 'lab-pill' }),
    el('span', { 'data-sv': 'lab-machine' }),
    el('span', { 'data-sv': 'lab-run' }),
  ];
  const [measure, cancel] = ['measure', 'cancel'].map((name) => {
    const button = el('button', { type: 'button', 'data-sv': `lab-${name}` }, texts[name]);
    button.addEventListener('click', () => button.hasAttribute('aria-disabled') || want[name]());
    return button;
  });
  const bar = el('progress', { max: 1, 'aria-label': texts.progress, hidden: true });
  const note = el('p', { role: 'status', 'data-sv': 'lab-note' });
  const body = el('div', { 'data-sv': 'lab-body' });
  const origin = el('div', { 'data-sv': 'lab-origin' }, pill, where, whose, measure, cancel, note, bar);
  const node = el(
    'div',
    { 'data-sv': 'lab-part' },
    el('header', { 'data-sv': 'lab-head' }, question, answer, origin),
    body,
  );
  let kind = 'none';
  set(cancel, { hidden: true });

  function running(yes) {
    if (!yes && document.activeElement === cancel) measure.focus();
    set(node, { 'data-busy': yes });
    set(measure, { 'aria-disabled': yes ? 'true' : null });
    set(cancel, { hidden: !yes });
    set(bar, { hidden: !yes });
    set(pill, { 'data-kind': yes ? 'busy' : kind });
    write(pill, texts.pills[yes ? 'busy' : kind]);
  }

  return {
    node,
    body,
    ask: (text) => write(question, text),
    answer(number, text, tone = null, below = '') {
      set(answer, { hidden: !number && !text, 'data-tone': tone });
      set(large, { hidden: !number });
      write(large, number);
      write(small, text);
      write(more, below);
      set(more, { hidden: !below });
    },
    from(name, record, trace, text = '') {
      kind = name;
      if (!node.hasAttribute('data-busy')) running(false);
      set(node, { 'data-from': name, 'data-other': record && trace ? !isOf(record, trace) : false });
      write(where, record ? texts.machine(record) : text);
      write(
        whose,
        record && trace ? texts[isOf(record, trace) ? 'same' : 'other']({ run: runName(record.config) }) : '',
      );
      write(measure, name === 'here' ? texts.remeasure : texts.measure);
    },
    busy(text, share) {
      running(true);
      set(bar, { value: share });
      set(note, { 'aria-live': share === null ? null : 'off' });
      write(note, text);
    },
    idle(text) {
      running(false);
      set(note, { 'aria-live': null });
      write(note, clean(text));
    },
  };
}
