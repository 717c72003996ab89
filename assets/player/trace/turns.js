/**
 * turns.js: what a run leaves said in a conversation. Pure.
 */

/** Why a text ended, where it was not cut short. */
const ENDS = ['length', 'eos', 'string'];

/**
 * The turns that a next prompt would follow on: those before, the run's prompt and its answer, without the token that
 * ends it. Null where the run is no turn of a conversation, or not known to be over.
 */
export function turnsOf({ info: { config, eos }, rounds, stop, text }) {
  if (!config.chat || typeof text !== 'string' || !ENDS.includes(stop)) return null;
  const { path, verdicts, extra } = rounds.at(-1);
  const last = extra ?? verdicts[path.at(-1)];
  const isMark = eos.includes(last.token) && text.endsWith(last.text);
  const answer = isMark ? text.slice(0, text.length - last.text.length) : text;
  return [...(config.earlier ?? []), config.prompt, answer];
}
