/**
 * pairs.js: the drawer's control that offers pairs, and shows the progress of the one that is loading.
 * Whatever the server says of a pair is written as text.
 */

import { el, fill, set, write } from '../base/dom.js';
import { clean } from '../base/format.js';
import { createJob } from './job.js';
import { announceLoading, progress } from './loading.js';
import { words } from './words.js';
import { choosePair, writePrompt } from './widgets.js';
export { surroundings } from './widgets.js';

/** The pair that is always in memory. */
const EMBEDDED = 'embedded';

/**
 * root: the element to fill. port: { read(): newest report, watch(react), wants(react) to the page's own words,
 * bring(request), leave(ask) }: the page it lives in.
 */
export function mount(root, port) {
  const label = el('span', { 'data-sv': 'pair-label', id: 'sv-pair-label' }, words.pair.label);
  const value = el('span', { 'data-sv': 'pair-value', id: 'sv-pair-value' });
  const summary = el('summary', { 'aria-labelledby': 'sv-pair-label sv-pair-value' }, value);
  const list = el('ul', { 'aria-labelledby': 'sv-pair-label' });
  const choice = el('details', { 'data-sv': 'pair-choice' }, summary, list);
  const about = el('p', { 'data-sv': 'pair-about' });
  const line = el('p', { 'data-sv': 'pair-line', role: 'status', 'aria-live': 'polite' });
  const trouble = el('p', { 'data-sv': 'pair-alert', role: 'alert', hidden: true });
  const bar = el('div', { 'data-sv': 'pair-bar', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100, hidden: true }, el('i'));
  const counted = el('p', { 'data-sv': 'pair-counted' });
  const cancel = el('button', { type: 'button', 'data-sv': 'pair-cancel', hidden: true }, words.pair.cancel);
  const prompt = el('button', { type: 'button', 'data-sv': 'pair-prompt', hidden: true }, words.pair.prompt);
  root.append(label, choice, about, prompt, line, trouble, bar, counted, cancel);

  const job = createJob(port.bring, port.leave, Math.random().toString(36).slice(2));
  let offers = [];
  let present = { name: EMBEDDED, label: words.pair.embedded, about: '', ready: true };
  let begun = false; // whether the first offer, the pair to begin with, was taken
  let wanted = null; // the pair that is loading
  let report = null; // how far it has loaded

  prompt.addEventListener('click', () => writePrompt(present.prompt));
  cancel.addEventListener('click', callOff);
  choice.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !choice.open) return;
    event.stopPropagation(); // else the drawer would close too
    close();
  });
  port.wants((name) => name === 'pair-failed' && job.cancel() && fail(words.pair.failed(words.pair.broke, present.label)));
  port.watch(hear);
  write(line, words.pair.looking);
  hear();
  draw();

  /** Takes the newest report. One on an earlier job still brings the list of pairs. */
  function hear() {
    const message = port.read() && JSON.parse(port.read().j);
    if (!message) return;
    if (message.offers) stock(message.offers);
    if (message.ask === '') {
      if (message.offers && !begun && offers[0].name !== EMBEDDED) want(offers[0]);
      begun = true;
      if (message.error) fail(words.pair.unlisted(clean(message.error)));
      else if (!wanted) write(line, '');
    } else if (job.hear(message)) {
      if (message.error) miss(clean(message.error));
      else if (message.pair) take(wanted);
      else report = message;
    }
    draw();
  }

  function stock(found) {
    offers = found.map(([name, shown, about, refusal, ready, chat, suits, assets]) => ({ name, label: clean(shown), about: clean(about), refusal: clean(refusal), ready, chat, prompt: suits, assets }));
    present = offers.find(({ name }) => name === present.name) ?? present;
  }

  function choose(offer) {
    if (offer.refusal) return;
    close();
    want(offer);
  }

  /** Asks for a pair, even one that was in memory when it was offered: another visitor may have replaced it. */
  function want(offer) {
    if (offer === wanted) return;
    if (wanted) job.cancel();
    set(trouble, { hidden: true });
    if (offer.name === EMBEDDED) {
      take(offer);
    } else {
      wanted = offer;
      report = null;
      job.start({ name: offer.name });
    }
    draw();
  }

  function callOff() {
    job.cancel();
    settle(words.pair.calledOff(wanted.label, present.label));
  }

  /** Makes a pair the present one. */
  function take(offer) {
    present = offers.find(({ name }) => name === offer.name) ?? offer;
    choosePair(present);
    settle(words.pair.done(present.label));
  }

  /** The wanted pair could not be loaded; the one before may have been freed for it. */
  function miss(why) {
    if (!present.ready) {
      present = offers.find(({ name }) => name === EMBEDDED) ?? present;
      choosePair(present);
    }
    fail(words.pair.failed(why, present.label));
  }

  function fail(text) {
    write(trouble, text);
    set(trouble, { hidden: false });
    settle('');
  }

  /** Ends the loading of a pair. */
  function settle(text) {
    if (document.activeElement === cancel) summary.focus();
    wanted = null;
    report = null;
    write(line, text);
    draw();
  }

  function close() {
    choice.open = false;
    summary.focus();
  }

  function draw() {
    const chosen = wanted ?? present;
    const { percent, text } = report ? progress(report) : { percent: null, text: '' };
    set(root, { 'data-pair': present.name, 'data-loading': wanted?.name ?? null });
    write(value, chosen.label);
    write(about, chosen.about);
    fill(list, offers, row, paint);
    if (wanted) write(line, report ? words.pair.step(wanted.label, clean(report.what)) : words.pair.waiting(wanted.label));
    set(bar, { hidden: percent === null, 'aria-label': words.pair.bar(chosen.label), 'aria-valuenow': percent, 'aria-valuetext': words.pair.value(percent, text) });
    bar.firstChild.style.width = `${percent ?? 0}%`;
    write(counted, text);
    set(prompt, { hidden: Boolean(wanted) || !present.prompt });
    set(cancel, { hidden: !wanted });
    announceLoading(wanted ? [words.pair.bar(wanted.label), text].filter(Boolean).join(', ') : '', callOff);
  }

  function row(index) {
    const button = el('button', { type: 'button' }, el('b'), el('span'));
    button.addEventListener('click', () => choose(offers[index]));
    return el('li', {}, button);
  }

  function paint(item, { name, label: shown, about, refusal, ready }) {
    const button = item.firstChild;
    set(button, { 'aria-current': name === (wanted ?? present).name && 'true', 'aria-disabled': refusal !== '' && 'true' });
    write(button.firstChild, shown);
    write(button.lastChild, refusal || [about, ready ? words.pair.ready : ''].filter(Boolean).join(' · '));
  }
}
