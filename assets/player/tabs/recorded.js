/**
 * recorded.js: the questions whose recorded answers the tabs open on; `python app.py --record-labs` answers them anew.
 * Pure. A record: { run, config, machine, device, threads, target, draft, versions, recorded, answers: reports by the name of
 * their question, runs: messages by the name of a recorded lane }.
 */

import { changesOf, firstLanes } from './compare/sums.js';
import { FIRST, planOf } from './compare/sums-strategies.js';
import { methodsOf, questionOf } from './methods/sums.js';
import { TEXTS } from './methods/words.js';
import { sweepOf } from './alpha/sums-speedup.js';
import { genres, temperatures } from './why/sums.js';
import { PROMPTS } from './words.js';

/** Samples of a recorded proof. */
export const SAMPLES = 20_000;

/** Everything the tabs open on, asked of one run: questions by lab and name, as the page itself asks them. drafters and rules: the catalog's entries. */
export function questionsOf(config, bugs, drafters, rules) {
  const proof = (bug, law) => ({ position: 0, law, n: SAMPLES, seed: 0, bug });
  const lanes = firstLanes(config, drafters).map((lane) => changesOf(lane, config, { prompt: config.prompt, seed: config.seed, max_new_tokens: Math.min(64, config.max_new_tokens) }));
  const sweep = (over) => ({ job: 'sweep', over });
  return {
    losslessness: Object.fromEntries([['', 'first'], ...bugs.map(({ name, law }) => [name, law])].map(([name, law]) => [name, proof(name, law)])),
    alpha: { costs: { job: 'costs' }, sweep: sweep(sweepOf(config)) },
    compare: { lanes: { job: 'lanes', over: lanes }, strategies: sweep(planOf(config, FIRST).map(({ changes }) => changes)) },
    methods: Object.fromEntries(methodsOf(drafters, rules).map((method) => [method.name, sweep(questionOf(method, config, TEXTS).over)])),
    why: { machine: { job: 'machine' }, temperature: sweep(temperatures(config).over), genre: sweep(genres(config, PROMPTS).over) },
  };
}
