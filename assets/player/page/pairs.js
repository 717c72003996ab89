/**
 * pairs.js: the drawer's control that offers pairs, and shows the progress of the one that is loading.
 * Whatever the server says of a pair is written as text.
 */

import { set, write } from '../base/dom.js';
import { createParts, drawPairs } from './draw-pairs.js';
import { createJob } from './job.js';
import { tell, words } from '../words/words.js';
import { announceSmall, onStaged } from './loading.js';
import { choosePair, onPrompt, press, writePrompt } from './widgets.js';
export { surroundings } from './widgets.js';

/** Milliseconds until Gradio knows what was set. */
const SETTLE = 50;
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
      stage.settled();
    },
    failed(text) {
      stage.letGo();
      write(trouble, text);
      set(trouble, { hidden: false });
      pairs.settle('');
    },
  });
  let isFirst = true; // the first offer is the pair to begin with
  const stage = followStage(pairs, want);
  const choose = (offer) => offer.refusal || [parts.close(), want(offer)];
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
      stage.follow();
      if (report.error) pairs.unlisted(report.error);
      else if (!pairs.wanted) write(line, '');
    } else if (job.onReport(report)) pairs.onReport(report);
    draw();
  }

  function want(offer, keeps = false) {
    if (offer === pairs.wanted) return;
    set(trouble, { hidden: true });
    pairs.want(offer, keeps);
    draw();
  }

  function draw() {
    drawPairs(root, parts, pairs, choose);
    saySmall(pairs, want);
  }
}

/**
 * What is on stage is what runs: the pair of its run is taken, if it is here, and leaves the settings as they are. Run
 * waits for it; the head shows its progress. A page with a pair of one's own keeps to that. follow(): there may be an
 * offer now; settled(): no pair is loading any more; letGo(): nor will one be here.
 */
function followStage(pairs, want) {
  let staged = ''; // until it was asked for
  let isHeld = false; // Run was pressed meanwhile
  onStaged((pair) => {
    staged = pair;
    follow();
  });
  document.addEventListener('click', holdRun, true);

  function holdRun(event) {
    if (!pairs.wanted || !pairs.keeps || !event.target.closest?.('#sv-run')) return;
    event.stopImmediatePropagation();
    isHeld = true;
  }

  function follow() {
    const offer = pairs.offers.find(({ name }) => name === staged);
    if (!offer || pairs.wanted || pairs.offers[0].name !== EMBEDDED) return;
    staged = '';
    if (offer.there && !offer.refusal && offer.name !== pairs.present.name) want(offer, true);
  }

  return {
    follow,
    letGo: () => (isHeld = false),
    settled() {
      follow();
      if (isHeld && !pairs.wanted) setTimeout(press, SETTLE);
      isHeld &&= pairs.wanted !== null;
    },
  };
}

/** Says, before somebody runs the small built-in model, that a chat model can be had. */
function saySmall({ offers, present, wanted, isAsked }, want) {
  const chat = offers.find(({ name, refusal }) => name === CHAT && !refusal);
  announceSmall(isAsked && !wanted && present.name === EMBEDDED ? chat : null, () => want(chat));
}

/**
 * What is offered, what is present and what is loading. on: settled(text) when no pair is loading any more,
 * failed(text). Its fields are { offers, present, wanted, report, isAsked, keeps }: the pair that is loading, how
 * far it has loaded, whether anybody turned to the prompt, and whether the pair leaves drafter and γ as they are.
 */
function createPairs(job, on) {
  const offered = (name) => pairs.offers.find((offer) => offer.name === name);
  const present = (offer) => {
    pairs.present = offered(offer.name) ?? offer;
    choosePair(pairs.keeps ? { ...pairs.present, first: undefined } : pairs.present);
  };
  const take = (offer) => {
    present(offer);
    const { label: pair, first, why } = pairs.present;
    pairs.settle(why ? words.pair.begins({ pair, gamma: first.gamma, why }) : words.pair.done({ pair }));
  };
  const pairs = {
    /** @type {object[]} */
    offers: [],
    /** @type {import('./widgets.js').Offer} */
    present: { name: EMBEDDED, label: words.pair.embedded, about: '', ready: true },
    wanted: null,
    report: null,
    isAsked: false,
    keeps: false,
    list(offers) {
      pairs.offers = offers.map(readOffer);
      pairs.present = offered(pairs.present.name) ?? pairs.present;
    },
    /** Asks for a pair, even one that was in memory when it was offered: another visitor may have replaced it. */
    want(offer, keeps) {
      if (pairs.wanted) job.cancel();
      pairs.keeps = keeps;
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
