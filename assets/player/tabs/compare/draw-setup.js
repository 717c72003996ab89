/**
 * draw-setup.js: the card that sets lanes up: one prompt, one seed, and what each lane differs in.
 */

import { LONGEST, MOST, FEWEST, firstLanes, letter } from './sums.js';
import { el, fill, set, write } from '../../base/dom.js';
import { plainName } from '../../base/format.js';
import { hasNoLength } from '../../base/lengths.js';
import { summaryOf } from '../../page/methods.js';
import { settingOf } from '../../page/widgets.js';
import { PRESETS } from '../prompts.js';
import { words } from '../words.js';

/** What a lane without a length to choose has no use for. */
const LENGTHS = ['gamma', 'gamma_rule'];

/**
 * offers: { drafter, gamma_rule, rule }, each a list of entries; start() asks. { node,
 * begin(config): as the run on stage, read(): { lanes, shared } }.
 */
export function createSetup(offers, begin) {
  const texts = words.compare;
  const prompt = el('textarea', {
    rows: 2,
    'aria-label': texts.prompts,
    'data-sv': 'compare-prompt',
    spellcheck: 'false',
  });
  const presets = Object.entries(PRESETS).map(([name, text]) => ({
    prompt: text,
    button: button('data-preset', name, texts.presets[name], () => {
      prompt.value = text ?? run.prompt;
      mark();
    }),
  }));
  const [seed, length] = [whole('seed', 0), whole('length', 1, LONGEST)];
  const list = el('div', { 'data-sv': 'lanes-set', role: 'group', 'aria-label': texts.lanes });
  const [add, start] = [
    ['add', addLane],
    ['start', begin],
  ].map(([name, act]) => button('data-sv', `compare-${name}`, texts[name], act));
  const node = createCard(
    [
      el(
        'div',
        { 'data-sv': 'compare-presets', role: 'group', 'aria-label': texts.prompts },
        ...presets.map((preset) => preset.button),
      ),
      prompt,
      el(
        'div',
        { 'data-sv': 'compare-shared' },
        labelled(texts.seed, seed),
        labelled(texts.length({ most: LONGEST }), length),
      ),
    ],
    [list, el('div', { 'data-sv': 'compare-ways' }, add, start)],
  );
  let [lanes, run] = [[], { prompt: '' }];
  prompt.addEventListener('input', mark);
  length.addEventListener('change', () => {
    length.value = Math.min(LONGEST, length.value);
  });
  list.addEventListener('change', ({ target }) => {
    const lane = lanes[[...list.children].findIndex((row) => row.contains(target))];
    lane[target.dataset.field] = target.type === 'number' ? target.valueAsNumber : target.value;
    draw();
  });

  function mark() {
    presets.forEach(({ button: preset, prompt: text }) =>
      set(preset, { 'aria-pressed': String(prompt.value === (text ?? run.prompt)) }),
    );
  }

  function addLane() {
    lanes.push({ ...lanes.at(-1) });
    draw();
    list.lastElementChild.querySelector('select').focus();
  }

  function draw() {
    fill(
      list,
      lanes,
      () => createLane(offers, remove),
      (row, lane, index) => paintLane(row, lane, index, lanes.length <= FEWEST),
    );
    set(add, { disabled: lanes.length >= MOST });
  }

  function remove(row) {
    lanes.splice([...list.children].indexOf(row), 1);
    draw();
    list.lastElementChild.querySelector('select').focus();
  }

  return {
    node,
    begin(config) {
      run = config;
      [prompt.value, seed.value, length.value] = [
        run.prompt,
        run.seed,
        Math.min(LONGEST, run.max_new_tokens),
      ];
      lanes = firstLanes(run, offers.drafter);
      mark();
      draw();
    },
    read: () => ({
      lanes: lanes.map((lane) => ({ ...lane })),
      shared: { prompt: prompt.value, seed: seed.valueAsNumber, max_new_tokens: length.valueAsNumber },
    }),
  };
}

/** shared: what all lanes have in common. lanes: what each differs in. */
function createCard(shared, lanes) {
  const texts = words.compare;
  return el(
    'section',
    { 'data-sv': 'card', 'data-card': 'lanes-setup', 'aria-label': texts.title },
    el('div', { 'data-sv': 'heading' }, el('h3', {}, texts.title)),
    el('p', { 'data-sv': 'compare-about' }, texts.about),
    el('div', { 'data-sv': 'compare-given' }, ...shared),
    el('div', { 'data-sv': 'compare-lanes' }, ...lanes),
  );
}

function button(attribute, name, text, act) {
  const node = el('button', { type: 'button', [attribute]: name }, text);
  node.addEventListener('click', act);
  return node;
}

function createLane(offers, remove) {
  const { fields, ruled } = words.compare;
  const inputs = {
    drafter: choice(offers.drafter, plainName),
    gamma: numberOf('gamma'),
    gamma_rule: choice(offers.gamma_rule, plainName),
    rule: choice(offers.rule, (name) => ruled({ name })),
    temperature: numberOf('temperature'),
  };
  const away = el('button', { type: 'button', 'data-sv': 'lane-away' }, '✕');
  const row = el(
    'div',
    { role: 'group' },
    el('b', { 'aria-hidden': 'true' }),
    ...Object.entries(inputs).map(([field, input]) =>
      labelled(fields[field], set(input, { 'data-field': field })),
    ),
    away,
  );
  away.addEventListener('click', () => remove(row));
  return row;
}

/** needed: whether the lane must stay. */
function paintLane(row, lane, index, needed) {
  const texts = words.compare;
  set(row, { 'aria-label': texts.lane({ letter: letter(index) }) });
  write(row.firstElementChild, letter(index));
  row.querySelectorAll('[data-field]').forEach((input) => {
    input.value = lane[input.dataset.field];
    const idle = LENGTHS.includes(input.dataset.field) && hasNoLength(lane.drafter);
    set(input, { disabled: idle, title: idle ? words.methods.noLength : null });
  });
  set(row.lastElementChild, {
    'aria-label': texts.remove({ letter: letter(index) }),
    title: texts.remove({ letter: letter(index) }),
    disabled: needed,
  });
}

function choice(entries, name) {
  return el(
    'select',
    {},
    ...entries.map((entry) =>
      el('option', { value: entry.name, title: summaryOf(entry.name) }, name(entry.name)),
    ),
  );
}

/** An input for a setting that is a number. */
function numberOf(name) {
  const { low, high, zero, step } = settingOf(name);
  return el('input', { type: 'number', min: zero ? 0 : low, max: high, step });
}

function whole(name, min, max = null) {
  return el('input', { type: 'number', min, max, step: 1, 'data-sv': `compare-${name}` });
}

function labelled(text, input) {
  return el('label', {}, el('span', {}, text), input);
}
