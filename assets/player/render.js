/**
 * render.js: draws the run on stage at its beat, and moves there. Every function takes the player that
 * main.js makes.
 */

import { set } from './base/dom.js';
import { putMoreAway, stagedAs } from './page/gradio.js';
import { tellOffered } from './page/widgets.js';
import { shownBy } from './stage/draw/draw-ribbon.js';
import { supposed } from './stage/scene.js';
import { ROLLS } from './stage/round/rolls.js';
import { asText, why } from './stage/round/why.js';
import { extend, storyOf } from './trace/story.js';
import { guessOf } from './trace/timeline.js';

/** A run was asked for. It needs the models, so sampling and timing stop. */
export function onRunRequested({ losslessness, labs, timing, guide, quiz, tabs, status, arrival }) {
  arrival.onRunRequested();
  timing.cancel();
  status.onRunRequested();
  [losslessness, labs].forEach((part) => part.drop());
  [guide, quiz].forEach((part) => part.stop());
  tabs.show('round');
  putMoreAway();
}

/** Shows a trace that grew. A trace without rounds has nothing to show, so the stage stays as it is. */
export function grow(player, trace) {
  const { state, status, playing, arrival } = player;
  status.onTrace(trace);
  if (!trace.rounds.length) return;
  const isNew = trace !== state.story?.trace;
  if (isNew) open(player, trace);
  extend(state.story);
  if (isNew && state.playing) state.at = state.story.rounds[0].beat;
  if (isNew) redraw(player);
  else state.frame ||= requestAnimationFrame(() => redraw(player));
  arrival.onTrace(trace);
  if (!state.playing) return;
  if (isNew) playing.begin();
  else playing.onRounds();
}

/** Draws what a longer trace changes; the beat on stage keeps moving. */
export function redraw(player) {
  const { state, foot, charts } = player;
  cancelAnimationFrame(state.frame);
  state.frame = 0;
  foot.drawRun(state.story);
  charts.draw(state.story.trace);
  render(player, null);
}

/** A run takes the stage: the one just asked for plays by itself, a recorded one waits at rest. */
function open(player, trace) {
  const { root, port, before, state, guide, quiz, losslessness, racing, labs } = player;
  player.playing.pause();
  player.motion.stop();
  [guide, quiz].forEach((part) => part.stop());
  const live = player.status.open(trace);
  player.frame.name(trace);
  stagedAs(trace.info);
  if (!live && !trace.info.loop && (state.story || !before)) port.adopt(trace.info.config);
  Object.assign(state, {
    story: storyOf(trace),
    at: 0,
    picked: null,
    held: null,
    waiting: false,
    playing: live,
    begun: false,
  });
  if (live) root.scrollIntoView({ block: 'nearest' });
  player.card.close();
  [losslessness, racing, labs].forEach((part) => part.open());
}

/**
 * Draws the beat. speed: how fast it arrives, 0 for a cut, null to leave a running motion alone. Returns
 * how long it moves.
 */
export function render(player, speed = 0) {
  const {
    root,
    state,
    stillness,
    stage,
    motion,
    dock,
    foot,
    clocks,
    controls,
    presenter,
    status,
    frame,
    charts,
  } = player;
  if (!state.story) return 0;
  const { story, at } = state;
  const { trace, beats } = story;
  if (speed !== null) motion.stop();
  const now = supposed(story, at, state.picked, state.held);
  const moves = now.supposed
    ? state.held.many !== ROLLS
    : state.playing && !['join', 'result'].includes(now.kind);
  const live = moves ? 'off' : 'polite';
  [stage.parts.headline, stage.parts.sourceLine].forEach((part) => set(part, { 'aria-live': live }));
  dock.draw(now, story);
  stage.draw(now);
  foot.draw(now);
  clocks.draw(story, now.kind === 'result');
  set(root, {
    'data-ready': 'true',
    'data-begun': (state.begun ||= now.kind !== 'rest' || dock.isOpen()),
    'data-round': now.round,
    'data-phase': now.kind,
    'data-step': at,
    'data-steps': beats.length,
  });
  controls.show({ ...now.scrub, playing: state.playing });
  presenter.note(() => asText(why(story, at, { round: now.round, slot: now.focus })));
  tellOffered(now.offered);
  lookAt(player, now);
  player.mindEnding(now);
  status.refresh();
  player.conversation.show();
  frame.tellAhead(trace.stop ? 0 : trace.rounds.length - 1 - now.round);
  charts.mark(now.round);
  player.screens.tell();
  return speed && !stillness.matches && state.picked === null ? motion.play(now, speed) : 0;
}

/** Gives the tab in front the run and the beat on stage. */
function lookAt({ state: { story, at }, tabs, losslessness, racing, labs }, now) {
  if (tabs.shown() === 'losslessness')
    losslessness.look(story, at, guessOf(story.trace.rounds[now.round], now.focus, now.settled));
  if (tabs.shown() === 'race') racing.look(story);
  labs.look(tabs.shown(), story);
}

/** Shows a beat; see render for speed. */
export function show(player, at, speed) {
  const { state, card } = player;
  if (!state.story) return 0;
  state.at = Math.max(0, Math.min(state.story.beats.length - 1, at));
  state.picked = state.held = null;
  card.close();
  return render(player, speed);
}

/** Stops playing and goes to a beat; one step on may move there. */
export function move(player, at, moves = false) {
  const { state, playing } = player;
  if (!state.story) return;
  playing.pause();
  show(player, at, moves ? playing.speed() : 0);
}

export function play({ state, guide, playing }) {
  if (!state.story) return;
  guide.stop();
  playing.play();
}

/** Shows a node, whatever the beat; `goes` says whether it takes the keyboard focus. */
export function pick(player, index, goes = true) {
  const { state, playing, stage } = player;
  if (!state.story) return;
  playing.pause();
  state.picked = index;
  state.held = null;
  render(player);
  if (goes) stage.slot(index)?.focus();
}

/** A click on a node shows it; on a chip, or on the node on show, it also explains it. */
export function pickOrExplain(player, index, node, onChip) {
  const looked = node.getAttribute('aria-selected') === 'true';
  player.card.close();
  pick(player, index);
  if (looked || onChip) explain(player, player.stage.slot(index) ?? node);
}

/** Opens the why-card of a node or of a token of the text. */
export function explain(player, target) {
  const { state, playing, card } = player;
  playing.pause();
  render(player);
  const { trace, beats } = state.story;
  const slot = target.closest('[data-node]');
  const token = slot ? null : (shownBy(target)?.token ?? shownBy(target));
  const where = slot
    ? {
        round: beats[state.at].round,
        slot: Math.min(Number(slot.dataset.node), trace.rounds[beats[state.at].round].verdicts.length),
      }
    : token.at;
  const reason = why(state.story, state.at, where, token ?? {});
  card.why({ ...reason, token: reason.token ?? token?.text ?? null }, target);
}

/** Shows a judged token of any round in the figure. */
export function reveal(player, { round, slot }) {
  const { state, tabs } = player;
  tabs.show('round');
  const beat = state.story.beats[state.at];
  if (beat.round !== round || beat.kind === 'rest') state.at = state.story.rounds[round + 1].beat - 1;
  pick(player, slot);
}
