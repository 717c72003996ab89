/**
 * grammar.js: Chinese names of rules, and lists. Pure.
 */

import { hasNoLength } from '../lengths.js';
import { plainName } from '../format.js';

export const listed = (names) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join('、')} 和 ${names.at(-1)}`;

/** “，γ = 4” or “，γ 由 ema 决定”; empty where a drafter leaves no length to choose. */
export function lengthOf({ drafter, gamma, gamma_rule: by = 'fixed' }) {
  if (hasNoLength(drafter)) return '';
  return by === 'fixed' ? `，γ = ${gamma}` : `，γ 由 ${plainName(by)} 决定`;
}

export const RULES = {
  rejection: '拒绝采样',
  block: '块验证',
  traversal: '遍历验证',
  coupled: '共享噪声',
  typical: '典型接受（有损）',
};
