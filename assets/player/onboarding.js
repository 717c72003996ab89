/**
 * onboarding.js: starts what leads through the run on stage, or asks about it: the first minute, the questions.
 */

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

/** Puts a recorded run on stage; what was measured of it here since then comes after. */
export async function bring(player, run) {
  const { port, feed } = player;
  const messages = await port.fetch({ run, start: 0, stop: Infinity });
  messages.forEach((j, n) => feed({ run, n, j }));
  since(player, run, messages.length).catch(() => {}); // it stands as it was recorded
}

async function since({ port, feed, state }, run, start) {
  const later = await port.fetch({ run, start, stop: Number.MAX_SAFE_INTEGER });
  if (state.story?.trace.run === run) later.forEach((j, n) => feed({ run, n: start + n, j }));
}
