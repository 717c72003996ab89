/**
 * player.js: the parts of the player that every page has, whatever surrounds them.
 */

import { createControls } from './page/controls.js';
import { createFrame } from './page/frame.js';
import { focusPrompt } from './page/gradio.js';
import { createCharts } from './stage/draw/draw-charts.js';
import { createDock } from './stage/panes/dock.js';
import { createFoot } from './stage/foot/foot.js';
import { createGuide } from './stage/lead/guide.js';
import { createMotion } from './stage/motion/motion.js';
import { createStage } from './stage/draw/draw.js';
import { createReader } from './stage/panes/reader.js';
import { createPlaying } from './stage/motion/playing.js';
import { createQuiz } from './stage/lead/quiz.js';
import { explain, move, pick, pickOrExplain, render, show } from './render.js';
import { letGo, roll, suppose } from './hand.js';
import { startGuide, startQuiz } from './onboarding.js';
import { keyWants } from './shortcuts.js';

export function addStage(player) {
  player.frame = createFrame(player.root);
  player.reader = createReader(player.root);
  player.stage = createStage(player.frame.round, {
    redraw: () => render(player),
    pick: (index, node, onChip) => pickOrExplain(player, index, node, onChip),
    explain: (node) => explain(player, node),
    seek: (beat) => move(player, beat),
    readAll: (ribbon) => player.reader.open(ribbon),
    showMe: () => startGuide(player),
    runYourOwn: focusPrompt,
    predict: () => startQuiz(player),
    suppose: (u) => suppose(player, u),
    roll: () => roll(player),
    letGo: () => letGo(player),
  });
}

/** The transport, and what is beside it. */
export function addTransport(player) {
  const {
    root,
    frame,
    state,
    stage: { parts },
  } = player;
  const controls = createControls(root, keyWants(player));
  const charts = createCharts();
  const dock = createDock(parts.dock, charts, () => render(player, null));
  const foot = createFoot(controls.parts.scrub);
  frame.foot.append(controls.parts.buttons, foot.plot, foot.kv, dock.toggle);
  parts.pace.append(controls.parts.pace);
  const playing = createPlaying(state, controls.pace, (at, speed) => show(player, at, speed));
  const motion = createMotion(root, { ...parts, kv: foot.kv, cells: foot.cells });
  Object.assign(player, { controls, dock, foot, charts, playing, motion });
}

/** What leads through a run, and what asks about it. */
export function addGuides(player) {
  const { root, state } = player;
  const way = { story: () => state.story, play: (at) => move(player, at, true) };
  const seek = (at) => move(player, at);
  player.guide = createGuide(root, { ...way, seek });
  player.quiz = createQuiz(root, {
    ...way,
    round: () => state.story.beats[state.at].round,
    letters: () => player.help.letters(),
    onChange: () => player.screens.tell(),
    look(at, node) {
      move(player, at);
      if (node !== null) pick(player, node, false);
    },
  });
}
