/**
 * words.js: the words of the tabs, and how a run's draft length is said.
 */

import { hasNoLength } from '../base/lengths.js';
import { words } from '../words/words.js';

export { words };

/** “, γ = 4” or “, γ by ema”; empty where a drafter leaves no length to choose. */
export function lengthOf({ drafter, gamma, gamma_rule: rule = 'fixed' }) {
  if (hasNoLength(drafter)) return '';
  return rule === 'fixed' ? words.lengths.fixed({ gamma }) : words.lengths.rule({ rule });
}
