/**
 * shortcuts.js: says which part of the player does what a person wants: by a key or a button of the stage
 * (page/controls.js), or by one of the page's own buttons.
 */

import { mark, putDrawerAway, toggleDrawer, toggleMore } from './page/gradio.js';
import { locked } from './page/link.js';
import { onChosen } from './page/widgets.js';
import { walk } from './stage/draw/draw-ribbon.js';
import { walkCells } from './stage/foot/foot.js';
import { roundStep } from './trace/story.js';
import { letGo } from './hand.js';
import { startGuide, startQuiz } from './onboarding.js';
import { explain, move, onRunRequested, pick, play, render } from './render.js';

/** For page/controls.js, which says what each of them is. */
export function keyWants(player) {
  const { state, stage } = player;
  return {
    step: (direction) => move(player, state.at + direction, direction > 0),
    round: (direction) => state.story && move(player, roundStep(state.story, state.at, direction)),
    seek: (at) => move(player, at),
    toggle: () => (state.playing ? move(player, state.at) : play(player)),
    branch: (name) => pick(player, stage.turned(name)),
    row: (way) => pick(player, stage.rowBeside(way), false),
    cell: (strip, way) => {
      walkCells(strip, way);
      render(player, null);
    },
    token: (direction) => walk(stage.parts.ribbon, direction),
    why: (target) => explain(player, target),
    paced: () => {
      if (state.playing) player.playing.begin();
      render(player, null);
    },
    press: (name) =>
      // the keys do nothing to buttons that are not there
      player.presenter.on() || locked(document.body.dataset.svHides, name) || player.presses[name]?.(),
    table: () => player.root.querySelector('[data-other]')?.click(),
    dock: () => player.dock.open(),
    guide: () => startGuide(player),
    quiz: () => startQuiz(player),
    share: () => player.share.toggle(),
    help: () => player.help.open(),
    letters: () => player.help.letters(),
    present: () => player.presenter.enter(),
    presenting: () => player.presenter.on(),
    blank: () => player.presenter.blank(),
    notes: () => player.presenter.notes(),
    leave: () => leave(player),
    guided: (event) => [player.guide, player.quiz].some((part) => part.on() && part.key(event)),
    tab: (place) => locked(document.body.dataset.svHides, 'tab') || player.tabs.turn(place),
    instead: () => instead(player),
  };
}

/** Closes what is open, one thing at a time. */
function leave(player) {
  const { card, share, methods, status, guide, quiz, dock, presenter } = player;
  return (
    letGo(player) ||
    card.close() ||
    share.close() ||
    methods.close() ||
    putDrawerAway() ||
    status.close() ||
    guide.stop() ||
    quiz.stop() ||
    dock.close() ||
    presenter.leave()
  );
}

/** What the tab in front does its own way. */
function instead({ tabs, racing, presenter }) {
  if (tabs.shown() === 'race' && racing.raced()) return racing.want;
  return presenter.on() && tabs.shown() !== 'round' ? { step: tabs.page } : {};
}

/** For the page's own buttons and events, by the names of specviz/ui/events.py. */
export function pageWants(player) {
  const { losslessness, racing, labs, share, help, status, methods, arrival } = player;
  const wants = {
    run: () => onRunRequested(player),
    'run-failed': status.broken,
    'proof-failed': losslessness.broke,
    'race-failed': () => [racing, player.timing].forEach((part) => part.broke()),
    'lab-failed': labs.broke,
    stop: status.stopped,
    settings: toggleDrawer,
    more: toggleMore,
    share: () => share.toggle(),
    help: () => help.open(),
    adopted: () =>
      onChosen() &&
      requestAnimationFrame(() => [mark, methods.show, arrival.onControlsSet].forEach((act) => act())),
  };
  return wants;
}
