/**
 * leads.js: starts what leads through the run on stage, or asks about it: the first minute, the tour, the
 * questions.
 */

import { leftAt } from './stage/guide.js';
import { WHOLE, tourOf } from './stage/tour-stops.js';

export function startGuide({ tabs, guide }) {
  tabs.show('round');
  guide.start();
}

/** Asks what comes next in the run on stage. room: answers wait for Enter. */
export function startQuiz({ tabs, guide, quiz }, room) {
  tabs.show('round');
  guide.stop();
  quiz.start(room);
}

/** Leads through the run on stage if it shows every stop, else through the recorded run that does. */
export async function startTour(player, step = leftAt() || 1) {
  const { tabs, guide, quiz, state, port } = player;
  if (guide.on() || quiz.on()) return;
  tabs.show('round');
  const [shipped] = port?.shipped ?? [];
  if (
    shipped &&
    state.story?.trace.run !== shipped &&
    (!state.story || tourOf(state.story, true).length < WHOLE)
  )
    await bring(player, shipped);
  guide.start(step, true);
}

/** Puts a recorded run on stage. */
export async function bring({ port, feed }, run) {
  const messages = await port.fetch({ run, start: 0, stop: Infinity });
  messages.forEach((j, n) => feed({ run, n, j }));
}
