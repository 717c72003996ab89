/**
 * fastest.js: which drafters were fastest on a pair, from what the tab Methods opens on.
 */

import { added } from '../cells.js';
import { words } from '../words.js';

const LABS = ['methods', 'methods-chat'];

/** What createMethods of page/methods.js asks for; rule: the usual one, with which the drafters are compared. */
export async function fastestOn(recordedLab, rule, pair) {
  const labs = await Promise.all(LABS.map((name) => recordedLab(name)));
  const lab = labs.find((each) => each?.config.pair === pair);
  if (!lab) return null;
  const speeds = Object.values(lab.answers)
    .map((reports) => reports.map(({ cell }) => cell).filter((cell) => cell?.config.rule === rule))
    .filter((cells) => cells.length)
    .map((cells) => [cells[0].config.drafter, added(cells).speedup]);
  return { speeds: speeds.sort(([, one], [, other]) => other - one), where: words.head.machine(lab) };
}
