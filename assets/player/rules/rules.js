/**
 * rules.js: every acceptance rule, each in its file with its captions, sums, code and marks (see number.js).
 */

import { counted } from './counted.js';
import { mixed } from './mixed.js';
import { byNumber } from './number.js';
import { relaxed } from './relaxed.js';
import { coupled, greedy } from './same.js';
import { typical } from './threshold.js';
import { weighed } from './weighed.js';

/** The first that decides is the rule. */
const RULES = [counted, greedy, relaxed, coupled, typical, weighed, mixed, byNumber];

/** The rule that decides on a guess; without one, on those of the run. */
export function ruleOf(info, verdict) {
  return RULES.find((rule) => rule.decides(info, verdict));
}

/** The rule of a round: the first that decides on one of its guesses. */
export function ruleIn(info, { verdicts }) {
  return RULES.find((rule) => [undefined, ...verdicts].some((verdict) => rule.decides(info, verdict)));
}
