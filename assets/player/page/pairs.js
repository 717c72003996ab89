/**
 * pairs.js: the drawer's control that offers pairs, and shows the progress of the one that is loading.
 * Whatever the server says of a pair is written as text.
 */

import { set, write } from '../base/dom.js';
import { createParts, drawPairs } from './draw-pairs.js';
import { createJob } from './job.js';
import { tell, words } from '../words/words.js';
import { announceSmall } from './loading.js';
import { choosePair, onPrompt, writePrompt } from './widgets.js';
export { surroundings } from './widgets.js';

/** The pair that is always in memory. */
const EMBEDDED = 'embedded';
/** The chat model that everybody can have. */
const CHAT = 'smollm2';

/**
 * root: the element to fill. port: { read(): newest report, watch(react), wants(react) to the page's own
 * words, bring(request), leave(ask) }: the page it lives in.
 */
export function mount(root, port) {
  const parts = createParts();
  const { summary, line, trouble, cancel, prompt } = parts;
  root.append(...parts.inOrder);
  const job = createJob(port.bring, port.leave, Math.random().toString(36).slice(2));
  const pairs = createPairs(job, {
    settled(text) {
      if (document.activeElement === cancel) summary.focus();
      write(line, text);
      draw();
    },
    failed(text) {
      write(trouble, text);
      set(trouble, { hidden: false });
      pairs.settle('');
    },
  });
  let isFirst = true; // the first offer is the pair to begin with
  onPrompt(() => pairs.isAsked || [(pairs.isAsked = true), draw()]);
  prompt.addEventListener('click', () => writePrompt(pairs.present.prompt));
  cancel.addEventListener('click', pairs.callOff);
  port.wants((name) => name === 'pair-failed' && job.cancel() && pairs.fail(words.pair.broke));
  port.watch(update);
  write(line, words.pair.looking);
  update();
  draw();

  /** Takes the newest report. One on an earlier job still brings the list of pairs. */
  function update() {
    const report = port.read() && JSON.parse(port.read().j);
    if (!report) return;
    if (report.offers) pairs.list(report.offers);
    if (report.ask === '') {
      if (report.offers && isFirst && pairs.offers[0].name !== EMBEDDED) want(pairs.offers[0]);
      isFirst = false;
      if (report.error) pairs.unlisted(report.error);
      else if (!pairs.wanted) write(line, '');
    } else if (job.onReport(report)) pairs.onReport(report);
    draw();
  }

  function want(offer) {
    if (offer === pairs.wanted) return;
    set(trouble, { hidden: true });
    pairs.want(offer);
    draw();
  }

  function choose(offer) {
    if (offer.refusal) return;
    parts.close();
    want(offer);
  }

  function draw() {
    drawPairs(root, parts, pairs, choose);
    saySmall(pairs, want);
  }
}

/** Says, before somebody runs the small built-in model, that a chat model can be had, where it is not there. */
function saySmall({ offers, present, wanted, isAsked }, want) {
  const chat = offers.find(({ name }) => name === CHAT);
  const isSmall = isAsked && !wanted && present.name === EMBEDDED;
  announceSmall(isSmall && chat && !chat.there && !chat.refusal ? chat.label : '', () => want(chat));
}

/**
 * What is offered, what is present and what is loading. on: settled(text) when no pair is loading any more,
 * failed(text). Its fields are { offers, present, wanted, report, isAsked }: the pair that is loading, how
 * far it has loaded, and whether anybody turned to the prompt.
 */
function createPairs(job, on) {
  const offered = (name) => pairs.offers.find((offer) => offer.name === name);
  const present = (offer) => {
    pairs.present = offered(offer.name) ?? offer;
    choosePair(pairs.present);
  };
  const take = (offer) => {
    present(offer);
    const { label: pair, first, why } = pairs.present;
    pairs.settle(why ? words.pair.begins({ pair, gamma: first[1], why }) : words.pair.done({ pair }));
  };
  const pairs = {
    /** @type {object[]} */
    offers: [],
    /** @type {import('./widgets.js').Offer} */
    present: { name: EMBEDDED, label: words.pair.embedded, about: '', ready: true },
    wanted: null,
    report: null,
    isAsked: false,
    list(offers) {
      pairs.offers = offers.map(readOffer);
      pairs.present = offered(pairs.present.name) ?? pairs.present;
    },
    /** Asks for a pair, even one that was in memory when it was offered: another visitor may have replaced it. */
    want(offer) {
      if (pairs.wanted) job.cancel();
      [pairs.wanted, pairs.report] = [offer, null];
      return job.start({ name: offer.name });
    },
    /** Takes a report on the pair that is loading. */
    onReport(report) {
      if (report.pair) take(pairs.wanted);
      else if (!report.error) pairs.report = report;
      else {
        // the pair before may have been freed for it
        if (!pairs.present.ready) present(offered(EMBEDDED) ?? pairs.present);
        pairs.fail(tell(report.error));
      }
    },
    callOff() {
      job.cancel();
      pairs.settle(words.pair.calledOff({ pair: pairs.wanted.label, present: pairs.present.label }));
    },
    settle(text) {
      [pairs.wanted, pairs.report] = [null, null];
      on.settled(text);
    },
    fail: (reason) => on.failed(words.pair.failed({ reason, present: pairs.present.label })),
    unlisted: (error) => on.failed(words.pair.unlisted({ reason: tell(error) })),
  };
  return pairs;
}

/** An offer as the server lists it. */
function readOffer([name, label, about, refusal, ready, chat, prompt, assets, there, first, why]) {
  const said = { label: tell(label), about: tell(about), refusal: tell(refusal), why: tell(why) };
  return { name, ...said, ready, chat, prompt, assets, there, first };
}
