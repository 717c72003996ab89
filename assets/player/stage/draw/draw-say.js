/**
 * draw-say.js: the caption: where in the run we are, the beats of the round, the headline and, at rest,
 * what to do.
 */

import { button, el, fill, icon, set, write } from '../../base/dom.js';
import { maths, hold } from './draw-words.js';
import { words } from '../words.js';

const { look } = words;

/** Rounds that are there to be read: in their pauses the page asks what comes. */
const READ = 2;

const ICONS = {
  guess: 'M3.5 12h4M10 12h4M16.5 12h4',
  check: 'M4.5 6.5h15M4.5 12h15M4.5 17.5h15',
  verdict: 'M4.5 12.5l5 5L19.5 7',
  replace: 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 3.5v4.5H15',
  bonus: 'M12 3.5l2.6 5.5 5.9.8-4.3 4.2 1.1 6-5.3-2.9-5.3 2.9 1.1-6L3.5 9.8l5.9-.8z',
  step: 'M4 12h14M13 7l5 5-5 5',
  join: 'M3.5 12h11M10.5 7.5L15 12l-4.5 4.5M20 5v14',
  result: 'M5.5 21V4h13l-3 4.5 3 4.500h-13',
  rollback: 'M8.5 5.5L4 10l4.5 4.5M4 10h10.5a5.5 5.5 0 0 1 0 11H12',
};

/**
 * The section's elements; seek(beat) hears a click on the bar, showMe(), runYourOwn() and predict() the
 * offers.
 */
export function sayParts({ seek, showMe, runYourOwn, predict }) {
  const where = el('span', { 'data-sv': 'where' }, look.where[0], el('b'), el('span'));
  const beats = el('ol', { 'data-sv': 'beats', 'aria-label': look.beats });
  const key = el(
    'ul',
    { 'data-sv': 'endings' },
    ...look.key.map(([state, word, says]) =>
      el('li', {}, el('span', { 'data-sv': 'sample', 'data-state': state }, el('u', {}, word)), says),
    ),
  );
  const pace = el('label', { 'data-sv': 'pace-slot' }, words.paced);
  const headline = el('h1', { 'data-sv': 'headline', 'aria-live': 'polite' });
  const under = el('p', { 'data-sv': 'under' });
  const show = el('button', { type: 'button', 'data-sv': 'show-me', 'data-primary': '' }, look.showMe);
  const runOwn = el('button', { type: 'button', 'data-sv': 'run-your-own' }, look.runYourOwn);
  const guess = button(
    { 'data-sv': 'offer-predict', title: words.quiz.offerTitle },
    () => predict(),
    words.quiz.offer,
  );
  show.addEventListener('click', () => showMe());
  runOwn.addEventListener('click', () => runYourOwn());
  beats.addEventListener('click', ({ target }) => {
    const beat = target.closest('[data-beat]');
    if (beat) seek(Number(beat.dataset.beat));
  });
  const offers = el('div', { 'data-sv': 'offers' }, show, runOwn);
  const offer = el('div', { 'data-sv': 'offer' }, under, offers);
  const eyebrow = el('div', { 'data-sv': 'eyebrow' }, where, beats, key, guess, pace);
  return {
    say: el('section', { 'data-sv': 'say', 'data-part': 'say' }, eyebrow, headline, offer),
    eyebrow,
    where,
    beats,
    key,
    pace,
    headline,
    under,
    offers,
    offer,
    guess,
  };
}

/** Draws the section for a scene. */
export function drawSay(parts, { kind, where, bar, headline, under, ribbon }) {
  const rest = kind === 'rest';
  const [round, rounds] = [parts.where.children[0], parts.where.children[1]];
  write(round, String(where.round));
  write(rounds, look.where[1] + where.rounds);
  set(parts.where, { hidden: rest });
  set(parts.beats, { hidden: rest });
  set(parts.key, { hidden: !rest });
  look.key.forEach(([state], at) =>
    set(parts.key.children[at], { hidden: !ribbon.text.some((token) => token.state === state) }),
  );
  fill(
    parts.beats,
    rest ? [] : bar,
    () => el('li', {}, createBeat()),
    (node, beat) => paintBeat(node.firstElementChild, beat),
  );
  hold(parts.headline, headline, () => maths(headline));
  write(parts.under, under ?? '');
  set(parts.guess, { hidden: rest || kind === 'result' || where.round > READ });
  set(parts.offers, { hidden: !rest });
  set(parts.offer, { hidden: !rest && !under });
}

function createBeat() {
  return el('button', { type: 'button' }, icon(''), el('span'), el('span', { 'data-sv': 'count' }));
}

function paintBeat(node, { name, label, beat, state, step }) {
  const [picture, text, many] = node.children;
  set(picture.firstElementChild, { d: ICONS[name] ?? ICONS.verdict });
  write(text, label);
  write(many, step ?? '');
  set(node, {
    'data-beat': beat,
    'data-name': name,
    'data-state': state,
    'aria-current': state === 'now' ? 'step' : null,
  });
}
