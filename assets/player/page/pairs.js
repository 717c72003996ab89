/**
 * pairs.js: the drawer's control that offers pairs, and shows the progress of the one that is loading.
 * Whatever the server says of a pair is written as text.
 */

import { set, write } from '../base/dom.js';
import { createParts, drawPairs } from './draw-pairs.js';
import { createJob } from './job.js';
import { tell, words } from '../words/words.js';
import { choosePair, writePrompt } from './widgets.js';
export { surroundings } from './widgets.js';

/** The pair that is always in memory. */
const EMBEDDED = 'embedded';

/**
 * root: the element to fill. port: { read(): newest report, watch(react), wants(react) to the page's own
 * words, bring(request), leave(ask) }: the page it lives in.
 */
export function mount(root, port) {
  const parts = createParts();
  const { summary, line, trouble, cancel, prompt } = parts;
  root.append(...parts.inOrder);
  const job = createJob(port.bring, port.leave, Math.random().toString(36).slice(2));
  const pairs = createPairs(job, { settled, failed });
  let begun = false; // whether the first offer, the pair to begin with, was taken
  prompt.addEventListener('click', () => writePrompt(pairs.present.prompt));
  cancel.addEventListener('click', pairs.callOff);
  port.wants(
    (name) =>
      name === 'pair-failed' &&
      job.cancel() &&
      failed(words.pair.failed({ reason: words.pair.broke, present: pairs.present.label })),
  );
  port.watch(hear);
  write(line, words.pair.looking);
  hear();
  draw();

  /** Takes the newest report. One on an earlier job still brings the list of pairs. */
  function hear() {
    const message = port.read() && JSON.parse(port.read().j);
    if (!message) return;
    if (message.offers) pairs.stock(message.offers);
    if (message.ask === '') {
      if (message.offers && !begun && pairs.offers[0].name !== EMBEDDED) want(pairs.offers[0]);
      begun = true;
      if (message.error) failed(words.pair.unlisted({ reason: tell(message.error) }));
      else if (!pairs.wanted) write(line, '');
    } else if (job.hear(message)) pairs.hear(message);
    draw();
  }

  function want(offer) {
    if (offer === pairs.wanted) return;
    set(trouble, { hidden: true });
    pairs.want(offer);
    draw();
  }

  function failed(text) {
    write(trouble, text);
    set(trouble, { hidden: false });
    pairs.settle('');
  }

  function settled(text) {
    if (document.activeElement === cancel) summary.focus();
    write(line, text);
    draw();
  }

  function choose(offer) {
    if (offer.refusal) return;
    parts.close();
    want(offer);
  }

  function draw() {
    drawPairs(root, parts, pairs, choose);
  }
}

/**
 * What is offered, what is present and what is loading. on: settled(text) when no pair is loading any more,
 * failed(text). Its fields are { offers, present, wanted, report }: the pair that is loading, and how far
 * it has loaded.
 */
function createPairs(job, on) {
  const pairs = {
    offers: [],
    present: { name: EMBEDDED, label: words.pair.embedded, about: '', ready: true },
    wanted: null,
    report: null,
    stock(found) {
      pairs.offers = found.map(([name, shown, about, refusal, ready, chat, suits, assets]) => ({
        name,
        label: tell(shown),
        about: tell(about),
        refusal: tell(refusal),
        ready,
        chat,
        prompt: suits,
        assets,
      }));
      pairs.present = offered(pairs.present.name) ?? pairs.present;
    },
    /**
     * Asks for a pair, even one that was in memory when it was offered: another visitor may have replaced
     * it.
     */
    want(offer) {
      if (pairs.wanted) job.cancel();
      if (offer.name === EMBEDDED) {
        take(offer);
        return;
      }
      [pairs.wanted, pairs.report] = [offer, null];
      job.start({ name: offer.name });
    },
    /** Takes a report on the pair that is loading. */
    hear(report) {
      if (report.error) miss(tell(report.error));
      else if (report.pair) take(pairs.wanted);
      else pairs.report = report;
    },
    callOff() {
      job.cancel();
      pairs.settle(words.pair.calledOff({ pair: pairs.wanted.label, present: pairs.present.label }));
    },
    settle(text) {
      [pairs.wanted, pairs.report] = [null, null];
      on.settled(text);
    },
  };

  function offered(name) {
    return pairs.offers.find((offer) => offer.name === name);
  }

  /** Makes a pair the present one. */
  function take(offer) {
    pairs.present = offered(offer.name) ?? offer;
    choosePair(pairs.present);
    pairs.settle(words.pair.done({ pair: pairs.present.label }));
  }

  /** The wanted pair could not be loaded; the one before may have been freed for it. */
  function miss(why) {
    if (!pairs.present.ready) {
      pairs.present = offered(EMBEDDED) ?? pairs.present;
      choosePair(pairs.present);
    }
    on.failed(words.pair.failed({ reason: why, present: pairs.present.label }));
  }

  return pairs;
}
