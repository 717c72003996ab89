/**
 * labs.js: the tabs of the lab. Each is a part { node, look(story), hear(report), open(), drop(text) }: look shows the run on
 * stage while the tab is in front, hear takes a report on a question of its own, open makes room for another run, drop
 * stops asking.
 */

import { createAlpha } from './alpha.js';
import { createInquiry } from './inquiry.js';
import { createReasoning } from './reasoning.js';
import { words } from './words.js';

/** The tabs by name: each made with { ask(question), stop() } and what there is to choose from. */
const PARTS = { alpha: createAlpha, reason: createReasoning };

/**
 * port: { lab(question), leave(ask), fetch(request), rules }. { panels: nodes by tab name, look(tab, story), hear(text),
 * open(), drop(), broke() }.
 */
export function createLabs(port) {
  const parts = Object.entries(PARTS).map(([name, create]) => {
    const inquiry = createInquiry(port.lab, port.leave, `${name}-${Math.random().toString(36).slice(2)}`);
    return { name, inquiry, part: create({ ask: inquiry.want, stop: inquiry.drop, fetch: port.fetch, rules: port.rules }) };
  });
  return {
    panels: Object.fromEntries(parts.map(({ name, part }) => [name, part.node])),
    look: (tab, story) => parts.find(({ name }) => name === tab)?.part.look(story),
    hear(text) {
      const report = JSON.parse(text);
      for (const { inquiry, part } of parts) if (inquiry.hear(report)) part.hear(report);
    },
    open: () => parts.forEach(({ inquiry, part }) => {
      inquiry.drop();
      part.open();
    }),
    drop: () => parts.forEach(({ inquiry, part }) => inquiry.drop() && part.drop('')),
    broke: () => parts.forEach(({ inquiry, part }) => inquiry.drop() && part.drop(words.lab.broke)),
  };
}
