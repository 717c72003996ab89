/**
 * labs.js: the tabs of the lab. Each is a part { node, look(story), hear(report), open(), drop(text) }: look shows the run on
 * stage while the tab is in front, hear takes a report on a question of its own, open makes room for another run, drop
 * stops asking.
 */

import { createAlpha } from './alpha.js';
import { createComparing } from './comparing.js';
import { createGhost } from './ghost.js';
import { createInquiry } from './inquiry.js';
import { createReasoning } from './reasoning.js';
import { words } from './words.js';

/** The tabs by name, each with its parts: the first is the tab's panel, the others stand at its end. */
const TABS = { alpha: [createAlpha, createGhost], compare: [createComparing], reason: [createReasoning] };

/**
 * port: { lab(question), leave(ask), fetch(request), rules, drafters, acceptance }; redraw() draws what hangs on the story.
 * { panels: nodes by tab name, look(tab, story), hear(text), open(), drop(), broke() }.
 */
export function createLabs(port, redraw) {
  const page = Math.random().toString(36).slice(2);
  const parts = Object.entries(TABS).flatMap(([tab, creates]) => creates.map((create, index) => {
    const inquiry = createInquiry(port.lab, port.leave, `${tab}${index}-${page}`);
    return { tab, inquiry, part: create({ ...port, ask: inquiry.want, stop: inquiry.drop, redraw }) };
  }));
  const panels = Object.fromEntries(Object.keys(TABS).map((tab) => {
    const [panel, ...others] = parts.filter((each) => each.tab === tab).map(({ part }) => part.node);
    panel.append(...others);
    return [tab, panel];
  }));
  return {
    panels,
    look: (tab, story) => parts.forEach((each) => each.tab === tab && each.part.look(story)),
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
