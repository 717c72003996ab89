/**
 * frame.js: the parts of the page around the stage: who guesses and who decides, what the run on stage is,
 * where refusals are said, the panel of a round and the foot.
 */

import { button, el, set, write } from '../base/dom.js';
import { clean } from '../base/format.js';
import { whoGuesses } from '../trace/timeline.js';
import { onLoading, onSmall } from './loading.js';
import { words, tell } from '../words/words.js';

/** How a run was made, in one line. */
export function runLine({ config, controller, target, traits }) {
  const { drafter, gamma, temperature, seed, rule, pair } = config;
  return words.run({
    ...{ drafter, temperature, seed, rule },
    target: tell(target),
    gamma: controller === 'none' ? null : controller === 'fixed' ? gamma : controller,
    lossless: traits.lossless,
    pair: clean(pair),
  });
}

/**
 * Fills root.
 * @returns what is in it by name, and { name(trace), tellAhead(rounds), hold(panels) }
 */
export function createFrame(root) {
  const part = (name, tag, attributes = {}, ...children) =>
    el(tag, { 'data-sv': name, ...attributes }, ...children);
  const [draft, target] = ['draft', 'target'].map((who) =>
    el('span', { 'data-who': who }, el('b', {}, words.who[who]), ' ', el('span'), ' ', el('span')),
  );
  const parts = {
    pill: part('pill', 'span', { role: 'status' }),
    ahead: part('ahead', 'span', { hidden: true }),
    meanwhile: part('meanwhile', 'button', { type: 'button', hidden: true }, words.meanwhile),
    check: part('check', 'button', { type: 'button', hidden: true }, words.file.check),
    refusal: part('refusal', 'div', { role: 'alert', hidden: true }),
    round: part('round', 'div'),
    foot: part('foot', 'div'),
  };
  const loading = createArriving();
  parts.who = part(
    'who',
    'div',
    {},
    draft,
    target,
    loading,
    parts.pill,
    parts.check,
    parts.ahead,
    parts.meanwhile,
  );
  parts.head = part('head', 'header', {}, parts.who, createSmall());
  root.replaceChildren(parts.head, parts.refusal, parts.round, parts.foot);
  return {
    ...parts,
    tellAhead(rounds) {
      write(parts.ahead, words.ahead({ rounds }));
      set(parts.ahead, { hidden: rounds < 1 });
    },
    /** Takes in the panels of the labs; every tab by its name with what it shows, the round first. */
    hold(panels) {
      const labs = Object.entries(panels).map(([name, panel]) => [
        name,
        part('lab', 'div', { 'data-lab': name }, panel),
      ]);
      parts.foot.before(...labs.map(([, lab]) => lab));
      return { round: parts.round, ...Object.fromEntries(labs) };
    },
    /** Names the two models of the run on stage, and tells its settings. */
    name({ info, file }) {
      nameDrafter(draft, info);
      nameModel(target, info.target, info.config.pair);
      set(parts.pill, { title: runLine(info) + (file ? `\n${words.file.opened(file)}` : '') });
    },
  };
}

/** Names a model by its size; what else it is, is under the pointer. pair: whose target it is, if that has a name. */
function nameModel(node, model, pair = '') {
  const [, name, unit] = node.children;
  write(name, model.size ? words.who.model({ pair, size: model.size }) : tell(model));
  write(unit, model.size ? words.who.unit : '');
  set(node, { title: tell(model) });
}

/** Names whoever guesses: a draft model by what it is, anything else by what it does. */
function nameDrafter(node, info) {
  const modelled = typeof info.draft === 'object';
  nameModel(node, info.draft);
  write(node.firstElementChild, words.who[modelled ? 'draft' : 'guesses']);
  if (modelled) return;
  const drafter = whoGuesses({ info });
  write(node.children[1], drafter ? words.who.by({ drafter }) : words.who.none({ method: tell(info.draft) }));
}

/** How far a pair is on its way into memory, with a button that calls it off. */
function createArriving() {
  let callOff = null;
  const cancel = button({}, () => callOff(), words.pair.cancel);
  const node = el('span', { 'data-sv': 'arriving', hidden: true }, el('span'), cancel);
  onLoading(({ text, cancel: newest }) => {
    callOff = newest;
    write(node.firstElementChild, text);
    const head = node.closest('[data-sv="head"]');
    if (!text && node.contains(document.activeElement)) head.querySelector('[aria-selected="true"]').focus();
    set(node, { hidden: !text });
    set(node.parentElement, { 'data-arriving': text !== '' });
  });
  return node;
}

/** Says that prompts run on the small built-in model, and brings the chat model; gone once it is closed. */
function createSmall() {
  let act = null;
  let closed = false;
  const get = button({}, () => act());
  const close = button({}, () => hide((closed = true)), words.close);
  const node = el('p', { 'data-sv': 'small', role: 'status', hidden: true }, el('span'), get, close);
  function hide(hidden) {
    if (hidden && node.contains(document.activeElement))
      node.closest('[data-sv="head"]').querySelector('[aria-selected="true"]').focus();
    set(node, { hidden });
  }

  onSmall(({ chat, take }) => {
    act = take;
    write(node.firstElementChild, chat ? words.pair.small({ model: chat.label }) : '');
    write(get, words.pair[chat?.there ? 'use' : 'get']);
    hide(closed || !chat);
  });
  return node;
}
