/**
 * url-state.js: where the page is, as a link keeps it, and how it gets there.
 */

import { set } from './base/dom.js';
import { createArrival } from './page/arrival.js';
import { words } from './stage/words.js';
import { move, pick, play } from './render.js';
import { bring, startQuiz } from './onboarding.js';

/** Gives the player what follows links. */
export function addArrival(player) {
  const { port } = player;
  player.arrival = createArrival(linkable(port), {
    adopt: port.adopt,
    save: port.save,
    recorded: (run) => showRecorded(player, run),
    run: () => player.presses.run(),
    open: (bytes, name) => !port.show(bytes, name),
    go: (place) => goTo(player, place),
    say: (...said) => player.status.tell(...said),
  });
}

/** Goes where a link leads; place: null where it was no link of ours. */
export function follow({ arrival, state, card, guide, quiz }, place) {
  if (!place) return;
  [guide, quiz].forEach((part) => part.stop());
  card.close();
  arrival.begin(place, state.story?.trace);
}

/** Puts a recorded run on stage, with its settings; one that is there begins again, as if it had just come. */
export function showRecorded(player, run) {
  const { state, port, arrival } = player;
  if (run !== state.story?.trace.run) return bring(player, run);
  if (!state.story.trace.info.loop) port.adopt(state.story.trace.info.config);
  move(player, 0);
  return arrival.onTrace(state.story.trace);
}

/** What a link to the page of this port may hold. */
export function linkable({ shipped, settings, drafters, acceptance, rules }) {
  const names = (entries) => entries.map(({ name }) => name);
  const { label, ...tabs } = words.tabs;
  return {
    recorded: shipped,
    settings,
    tabs: Object.keys(tabs),
    names: { drafter: names(drafters), rule: names(acceptance), gamma_rule: names(rules) },
  };
}

/** The place on show; see link.js. */
export function placeOf({ state, tabs, dock, guide, quiz }) {
  const { kind, round, slot } = state.story.beats[state.at];
  return {
    at: kind === 'rest' ? undefined : { round, kind, slot },
    node: state.picked,
    tab: tabs.shown(),
    view: dock.isOpen() ? ['details'] : [],
    step: guide.step(),
    quiz: quiz.on() ? (quiz.room() ? 'room' : 'one') : undefined,
  };
}

/** Goes to a place; whether the run on stage has it. */
export function goTo(player, { at, node, tab, view, step, quiz, follow, plays }) {
  const { state, stage, tabs, dock, guide } = player;
  if (tab) tabs.show(tab);
  if (view) dock.open(view.includes('details'));
  if (!state.story) return false;
  const beat = at ? beatAt(state.story, at) : state.at;
  if (at) move(player, beat);
  const isThere = beat >= 0 && (node === undefined || Boolean(stage.slot(node)));
  if (node !== undefined && isThere) pick(player, node, false);
  if (plays) play(player);
  else if (step) guide.start(step);
  else if (quiz)
    // once the race is there, which follows a run's end
    setTimeout(() => startQuiz(player, quiz === 'room'), 0);
  else if (follow) {
    player.presenter.enter();
    set(player.root, { 'data-follows': true });
    player.screens.follow(follow);
  }
  return isThere;
}

/** The beat that a link names; -1 where the run has none. */
export function beatAt({ beats }, at) {
  return beats.findIndex(
    ({ round, kind, slot }) => round === at.round && kind === at.kind && slot === at.slot,
  );
}
