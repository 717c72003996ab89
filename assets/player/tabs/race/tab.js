/**
 * racing.js: the tab that races the run on stage against plain decoding: asks for the times, plays them on one clock, and
 * says what they come to.
 */

import { createCost } from './draw-cost.js';
import { createResult, createText, createTracks } from './draw-race.js';
import { el, set, write } from '../../base/dom.js';
import { clean } from '../../base/format.js';
import { createInquiry } from '../../page/inquiry.js';
import { costsOf, estimate, raceOf, resultOf, unraceable } from './race.js';
import { createRaceBar } from './race-bar.js';
import { createClock } from './race-clock.js';
import { come, momentsOf, neighbour, raceLanes } from './race-lanes.js';
import { words } from './words.js';

/**
 * ask(question) asks the page, fetch(run, n) gets a message that is there to be asked for, still() is whether nothing may
 * move. { node, bar, want, raced(), look(story), hear(text), open(), broke(), leave() }: bar is the race's transport and
 * want its keys, both for while one is on show; look shows the run on stage, hear takes the text of a "race" remark, open
 * makes room for another run, broke hears that the engine did, leave stops playing.
 */
export function createRacing({ ask, fetch, still }) {
  const texts = words.race;
  const inquiry = createInquiry(ask, () => {}, Math.random().toString(36).slice(2));
  const clock = createClock({ now: () => performance.now(), next: (react) => requestAnimationFrame(react), cancel: (frame) => cancelAnimationFrame(frame) }, place);
  const [result, tracks, cost] = [createResult(), createTracks(seek), createCost()];
  const lines = { speculative: createText('speculative'), plain: createText('plain') };
  const bar = createRaceBar({ toggle, seek, slow: clock.slow });
  const about = el('p');
  const button = el('button', { type: 'button', 'data-sv': 'race-start' });
  const note = el('p', { role: 'status', 'data-sv': 'race-note' });
  const asking = el('div', { 'data-sv': 'race-ask' }, button, note);
  const invitation = el('section', { 'data-sv': 'card', 'data-card': 'race', 'aria-label': texts.title }, el('h2', {}, texts.title), about, asking);
  const shown = el('div', { 'data-sv': 'race-shown', hidden: true },
    el('div', { 'data-sv': 'card', 'data-card': 'race-result' }, result.node), tracks.node, el('div', { 'data-sv': 'race-texts' }, lines.speculative.node, lines.plain.node), cost.node);
  const node = el('div', { 'data-sv': 'race' }, invitation, shown);
  let story = null; // the run on stage
  let race = null; // its race, as drawn
  let drawn = null; // lanes and moments of that race
  let busy = false;
  let refusal = '';
  button.addEventListener('click', start);

  function start() {
    if (busy || !story) return;
    inquiry.want({ run: story.trace.run, again: race !== null });
    settle(true, texts.waiting);
  }

  /** Whether times are waited for, and what is said of it. */
  function settle(waits, text, refused = false) {
    busy = waits;
    refusal = refused ? text : '';
    write(note, clean(text));
    if (story) look(story);
  }

  function look(given) {
    story = given;
    const found = raceOf(story.trace);
    if (found && found !== race) draw(found);
    race = found;
    const why = unraceable(story.trace);
    const state = busy ? 'busy' : race ? 'ready' : refusal || (why && why !== 'making') ? 'refused' : 'none';
    set(node, { 'data-state': state });
    set(node.parentElement, { 'data-raced': Boolean(race) });
    set(invitation, { hidden: Boolean(race) });
    set(shown, { hidden: !race, 'data-stale': busy });
    const home = race ? cost.node : invitation;
    if (asking.parentElement !== home) home.append(asking);
    set(asking, { hidden: Boolean(why) && !race });
    set(button, { hidden: Boolean(why) });
    if (race && why) write(note, texts.unraceable[why]);
    set(button, { 'aria-disabled': busy ? 'true' : null });
    set(note, { 'data-refused': Boolean(refusal) });
    write(button, race ? texts.again : texts.start);
    write(about, why ? texts.unraceable[why] : texts.about(estimate(story.trace)));
  }

  function draw(found) {
    const lanes = raceLanes(story);
    const costs = costsOf(story.trace);
    const [mine, its] = [lanes.lanes.speculative.tokens, lanes.lanes.plain.tokens].map((tokens) => tokens.map(({ id }) => id).join());
    drawn = { ...lanes, moments: momentsOf(lanes) };
    result.draw(resultOf(story.trace), costs);
    tracks.draw(lanes);
    cost.draw(found, costs);
    lines.speculative.draw(lanes.lanes.speculative, '');
    lines.plain.draw(lanes.lanes.plain, mine === its ? texts.same : texts.other);
    clock.open(lanes.total);
  }

  /** Shows where the clock stands; where nothing may move, only what has come to be. */
  function place() {
    if (!drawn) return;
    const { lanes, moments, total } = drawn;
    const now = clock.at();
    const at = still() && clock.playing() ? moments[come(moments, now) - 1] ?? 0 : now;
    tracks.place(at);
    Object.entries(lines).forEach(([name, line]) => line.place(at));
    const made = Object.fromEntries(Object.entries(lanes).map(([name, { arrivals }]) => [name, come(arrivals, at)]));
    bar.show(at, total, clock.playing(), made);
    set(node, { 'data-at': at, 'data-playing': String(clock.playing()) });
  }

  function seek(at) {
    clock.seek(at);
  }

  function toggle() {
    if (clock.playing()) clock.pause();
    else clock.play();
  }

  function step(moments, direction) {
    clock.pause();
    seek(neighbour(moments, clock.at(), direction));
  }

  async function timed(at) {
    const before = race;
    await fetch(story.trace.run, at);
    const focused = asking.contains(document.activeElement);
    settle(false, '');
    if (race === before || node.hidden) return;
    if (focused) bar.focus();
    if (!still()) clock.play();
  }

  return {
    node,
    bar: bar.node,
    want: {
      toggle, seek, faster: bar.faster,
      step: (direction) => step(drawn.moments, direction),
      round: (direction) => step(drawn.lanes.speculative.steps, direction),
    },
    raced: () => race !== null,
    look,
    hear(text) {
      const report = inquiry.hear(JSON.parse(text));
      if (!report) return;
      if (report.error !== undefined) settle(false, texts.refused(report.error), true);
      else if (report.at !== undefined) timed(report.at);
      else write(note, clean(report.note));
    },
    open() {
      inquiry.drop();
      clock.pause();
      [story, race, drawn, busy, refusal] = [null, null, null, false, ''];
      write(note, '');
    },
    broke() {
      if (inquiry.drop()) settle(false, texts.broke, true);
    },
    leave: () => clock.playing() && clock.pause(),
  };
}
