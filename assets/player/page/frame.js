/**
 * frame.js: the parts of the page around the stage: who guesses and who decides, what the run on stage is,
 * where refusals are said, the panel of a round and the foot.
 */

import { el, set, write } from '../base/dom.js';
import { clean } from '../base/format.js';
import { whoGuesses } from '../trace/timeline.js';
import { hearLoading } from './loading.js';
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
 * Fills root. Returns { head, who, pill, ahead, meanwhile, refusal, round, foot, name(trace),
 * tellAhead(rounds), hold(panels) }.
 */
export function createFrame(root) {
  const part = (name, tag = 'div', attributes = {}, ...children) =>
    el(tag, { 'data-sv': name, ...attributes }, ...children);
  const [draft, target] = ['draft', 'target'].map((who) =>
    el('span', { 'data-who': who }, el('b', {}, words.who[who]), ' ', el('span')),
  );
  const parts = {
    pill: part('pill', 'span', { role: 'status' }),
    ahead: part('ahead', 'span', { hidden: true }),
    meanwhile: part('meanwhile', 'button', { type: 'button', hidden: true }, words.meanwhile),
    refusal: part('refusal', 'div', { role: 'alert', hidden: true }),
    round: part('round'),
    foot: part('foot'),
  };
  const arriving = part(
    'arriving',
    'span',
    { hidden: true },
    el('span'),
    el('button', { type: 'button' }, words.pair.cancel),
  );
  let callOff = null;
  arriving.lastElementChild.addEventListener('click', () => callOff());
  hearLoading(({ text, cancel }) => {
    callOff = cancel;
    write(arriving.firstElementChild, text);
    if (!text && arriving.contains(document.activeElement))
      parts.head.querySelector('[aria-selected="true"]').focus();
    set(arriving, { hidden: !text });
    set(parts.who, { 'data-arriving': text !== '' });
  });
  parts.who = part('who', 'div', {}, draft, target, arriving, parts.pill, parts.ahead, parts.meanwhile);
  parts.head = part('head', 'header', {}, parts.who);
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
      write(
        draft.lastElementChild,
        whoGuesses({ info }) ? tell(info.draft) : words.who.none({ method: info.draft }),
      );
      write(target.lastElementChild, tell(info.target));
      set(draft, { title: tell(info.draft) });
      set(target, { title: tell(info.target) });
      set(parts.pill, { title: runLine(info) + (file ? `\n${words.file.opened(file)}` : '') });
    },
  };
}
