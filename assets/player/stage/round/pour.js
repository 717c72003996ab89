/**
 * pour.js: the weight of a target pass: all of the model's numbers are read once, whether for one token or for a whole
 * round. Pure: from what the trace says of the target.
 */

import { bytes } from '../../base/format.js';
import { words } from '../words.js';

/** Bytes of one weight, by the type of number that it is kept as. */
const BYTES = { float64: 8, float32: 4, float16: 2, bfloat16: 2 };
const UNITS = { M: 1e6, B: 1e9 };

/**
 * During a check of guesses { many: the tokens it reads, lanes: [name, tokens], says }, each lane being the same pour;
 * null at other times, or where the trace does not say how large the target is.
 */
export function pourOf({ target, dtype }, { verdicts }, { kind }) {
  const [, number, unit] = /^([\d.]+) ([MB])$/.exec(target.size ?? '') ?? [];
  const each = BYTES[target.kept ?? dtype];
  if (kind !== 'verify' || !verdicts.length || !unit || !each) return null;
  const [weights, many] = [Number(number) * UNITS[unit], verdicts.length + 1];
  const says = words.pour.says({ size: target.size, each, bytes: bytes(weights * each), many });
  return { many, says, lanes: [1, many].map((tokens) => [words.pour.lane({ tokens }), tokens]) };
}
