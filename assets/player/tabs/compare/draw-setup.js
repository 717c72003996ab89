/**
 * draw-setup.js: the card that sets lanes up: one prompt, one seed, and what each lane differs in.
 */

import { LONGEST, MOST, FEWEST, firstLanes, letter } from './sums.js';
import { button, el, fill, set, write } from '../../base/dom.js';
import { plainName } from '../../base/format.js';
import { hasNoLength } from '../../base/lengths.js';
import { settingOf } from '../../page/widgets.js';
import { createCard, createHeading, labelled, pluginSelect } from '../parts.js';
import { PRESETS } from '../prompts.js';
import { words } from '../words.js';

/** What a lane without a length to choose has no use for. */
const LENGTHS = ['gamma', 'gamma_rule'];

/**
 * offers: { drafter, gamma_rule, rule }, each a list of entries; start() asks. { node,
 * begin(config): as the run on stage, read(): { lanes, shared } }.
 */
export function createSetup(offers, begin) {
  const shared = createShared();
  const lanes = createLaneList(offers);
  const start = button({ 'data-sv': 'compare-start' }, begin, words.compare.start);
  return {
    node: createSetupCard(shared.nodes, [
      lanes.node,
      el('div', { 'data-sv': 'compare-ways' }, lanes.add, start),
    ]),
    begin(config) {
      shared.begin(config);
      lanes.begin(config);
    },
    read: () => ({ lanes: lanes.read(), shared: shared.read() }),
  };
}

/** What all lanes have in common: { nodes, begin(config), read() }. */
function createShared() {
  const texts = words.compare;
  const prompt = el('textarea', {
    rows: 2,
    'aria-label': texts.prompts,
    'data-sv': 'compare-prompt',
    spellcheck: 'false',
  });
  const [seed, length] = [wholeNumber('seed', 0), wholeNumber('length', 1, LONGEST)];
  let stagePrompt = '';
  const textOf = (name) => PRESETS[name] ?? stagePrompt;
  const presets = Object.keys(PRESETS).map((name) =>
    button({ 'data-preset': name }, () => type(textOf(name)), texts.presets[name]),
  );
  prompt.addEventListener('input', mark);
  length.addEventListener('change', () => {
    length.value = Math.min(LONGEST, length.value);
  });

  function type(text) {
    prompt.value = text;
    mark();
  }

  function mark() {
    presets.forEach((preset) =>
      set(preset, { 'aria-pressed': String(prompt.value === textOf(preset.dataset.preset)) }),
    );
  }

  const numbers = [labelled(texts.seed, seed), labelled(texts.length({ most: LONGEST }), length)];
  return {
    nodes: [
      el('div', { 'data-sv': 'compare-presets', role: 'group', 'aria-label': texts.prompts }, ...presets),
      prompt,
      el('div', { 'data-sv': 'compare-shared' }, ...numbers),
    ],
    begin(config) {
      stagePrompt = config.prompt;
      [seed.value, length.value] = [config.seed, Math.min(LONGEST, config.max_new_tokens)];
      type(stagePrompt);
    },
    read: () => ({ prompt: prompt.value, seed: seed.valueAsNumber, max_new_tokens: length.valueAsNumber }),
  };
}

/** What each lane differs in: { node, add: a button, begin(config), read() }. */
function createLaneList(offers) {
  const texts = words.compare;
  const node = el('div', { 'data-sv': 'lanes-set', role: 'group', 'aria-label': texts.lanes });
  const add = button(
    { 'data-sv': 'compare-add' },
    () => change(() => lanes.push({ ...lanes.at(-1) })),
    texts.add,
  );
  let lanes = [];
  const placeOf = (target) => [...node.children].findIndex((row) => row.contains(target));
  const remove = (row) => change(() => lanes.splice(placeOf(row), 1));
  node.addEventListener('change', ({ target }) => {
    lanes[placeOf(target)][target.dataset.field] =
      target.type === 'number' ? target.valueAsNumber : target.value;
    draw();
  });

  function change(act) {
    act();
    draw();
    node.lastElementChild.querySelector('select').focus();
  }

  function draw() {
    fill(
      node,
      lanes,
      () => createLane(offers, remove),
      (row, lane, index) => paintLane(row, lane, index, lanes.length <= FEWEST),
    );
    set(add, { disabled: lanes.length >= MOST });
  }

  return {
    node,
    add,
    begin(config) {
      lanes = firstLanes(config, offers.drafter);
      draw();
    },
    read: () => lanes.map((lane) => ({ ...lane })),
  };
}

function createSetupCard(shared, lanes) {
  const texts = words.compare;
  const about = el('p', { 'data-sv': 'compare-about' }, texts.about);
  const halves = [
    el('div', { 'data-sv': 'compare-given' }, ...shared),
    el('div', { 'data-sv': 'compare-lanes' }, ...lanes),
  ];
  return createCard('lanes-setup', texts.title, createHeading(texts.title), about, ...halves);
}

function createLane(offers, remove) {
  const { fields, ruled } = words.compare;
  const inputs = {
    drafter: pluginSelect({}, offers.drafter, plainName),
    gamma: numberOf('gamma'),
    gamma_rule: pluginSelect({}, offers.gamma_rule, plainName),
    rule: pluginSelect({}, offers.rule, (name) => ruled({ name })),
    temperature: numberOf('temperature'),
  };
  const row = el(
    'div',
    { role: 'group' },
    el('b', { 'aria-hidden': 'true' }),
    ...Object.entries(inputs).map(([field, input]) =>
      labelled(fields[field], set(input, { 'data-field': field })),
    ),
    button({ 'data-sv': 'lane-away' }, () => remove(row), '✕'),
  );
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

/** An input for a setting that is a number. */
function numberOf(name) {
  const { low, high, zero, step } = settingOf(name);
  return el('input', { type: 'number', min: zero ? 0 : low, max: high, step });
}

function wholeNumber(name, min, max = null) {
  return el('input', { type: 'number', min, max, step: 1, 'data-sv': `compare-${name}` });
}
