/**
 * parts.js: the parts of the player that every page has, whatever surrounds them.
 */

import { createControls } from './page/controls.js';
import { createFrame } from './page/frame.js';
import { focusPrompt } from './page/gradio.js';
import { createDock } from './stage/dock.js';
import { createFoot } from './stage/foot.js';
import { createMotion } from './stage/motion.js';
import { createStage } from './stage/draw.js';
import { createPlaying } from './stage/playing.js';
import { explain, move, openRest, pickOrExplain, render, show } from './show.js';
import { keyWants, startGuide } from './wants.js';

export function addStage(player) {
  player.frame = createFrame(player.root);
  player.stage = createStage(player.frame.round, {
    redraw: () => render(player),
    pick: (index, node, onChip) => pickOrExplain(player, index, node, onChip),
    explain: (node) => explain(player, node),
    seek: (beat) => move(player, beat),
    ask: (topic, node) => player.card.topic(topic, node),
    rest: () => openRest(player),
    showMe: () => startGuide(player),
    runYourOwn: focusPrompt,
  });
}

/** The transport, and what stands beside it. */
export function addTransport(player) {
  const { root, frame, state, stage: { parts } } = player;
  const controls = createControls(root, keyWants(player));
  const dock = createDock(parts.dock, () => render(player, null));
  const foot = createFoot(controls.parts.scrub);
  frame.foot.append(controls.parts.buttons, foot.plot, foot.kv, dock.toggles);
  parts.pace.append(controls.parts.pace);
  const playing = createPlaying(state, controls.pace, (at, speed) => show(player, at, speed));
  const motion = createMotion(root, { ...parts, kv: foot.kv, cells: foot.cells });
  Object.assign(player, { controls, dock, foot, playing, motion });
}
