/**
 * words.js: the tabs in Chinese, in the same shape as their own words.js; base/zh/words.js says how things
 * are called. Pure.
 */

import * as alpha from './alpha.js';
import * as exact from './exact.js';
import * as race from './race.js';
import { reason } from './reason.js';

export const words = { ...alpha, ...race, ...exact, reason };
