/**
 * recorded.js: the questions whose recorded answers the tabs open on; `python app.py --record-labs` answers
 * them anew. Pure. A record: { run, config, machine, device, threads, target, draft, forward: the name of
 * the target's pass, versions, recorded, answers: reports by the name of their question }.
 */

import { changesOf, firstLanes } from './compare/sums.js';
import { FIRST, planOf } from './compare/sums-strategies.js';
import { questionOf, settingsOf } from './methods/sums.js';
import { TEXTS } from './prompts.js';
import { sweepOf } from './alpha/sums-speedup.js';
import { genres, temperatures } from './why/sums.js';
import { PROMPTS } from './prompts.js';

/** Samples of a recorded proof. */
export const SAMPLES = 20_000;
/** A recorded run under a lossy rule. */
const LOSSY = 'tale-small-model-typical-lossy';
/** A method without a name. */
const ANY = { entry: {}, rule: {} };

/**
 * Everything the tabs open on, asked of one run: questions by lab and name, as the page itself asks them.
 * Those of methods name none, because they are asked of each; one that names a run is asked of that one.
 */
export function questionsOf(config, bugs, drafters) {
  const proof = (bug, law) => ({ position: 0, law, n: SAMPLES, seed: 0, bug });
  const lanes = firstLanes(config, drafters).map((lane) =>
    changesOf(lane, config, {
      prompt: config.prompt,
      seed: config.seed,
      max_new_tokens: Math.min(64, config.max_new_tokens),
    }),
  );
  const sweep = (over) => ({ job: 'sweep', over });
  return {
    losslessness: {
      ...Object.fromEntries(
        [['', 'first'], ...bugs.map(({ name, law }) => [name, law])].map(([name, law]) => [
          name,
          proof(name, law),
        ]),
      ),
      lossy: { ...proof('', 'first'), run: LOSSY },
    },
    alpha: { costs: { job: 'costs' }, sweep: sweep(sweepOf(config)) },
    compare: {
      lanes: { job: 'lanes', over: lanes },
      strategies: sweep(planOf(config, FIRST).map(({ changes }) => changes)),
    },
    methods: {
      sweep: sweep(questionOf(ANY, config, TEXTS).over),
      exact: { job: 'exact', over: [settingsOf(ANY)] },
    },
    why: {
      machine: { job: 'machine' },
      temperature: sweep(temperatures(config).over),
      genre: sweep(genres(config, PROMPTS).over),
    },
  };
}
